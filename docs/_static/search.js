"use strict";
// Ranks the sections of search-index.js: words in headings first, and guides before generated pages.
const stem = (word) =>
  word.length > 3 ? word.replace(/(ies)$/, "y").replace(/(ing|ed|es|s|e)$/, "") : word;
const words = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
const COMMON = new Set("a an and are as at be by do for from how i in is it my of on or that the this to was what when which who why with".split(" ").map(stem));

const PAGES = SECTIONS.map(([page, target, title, of, text, weight]) => {
  const counts = new Map();
  for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { page, target, title, of, text, weight, counts, heading: new Set(words(title)), about: new Set(words(of)) };
});

function find(query) {
  const all = [...new Set(words(query))];
  const rare = all.filter((one) => !COMMON.has(one));
  const terms = rare.length ? rare : all;
  const exact = query.trim().toLowerCase();
  const having = (term, one) => one.counts.has(term) || one.heading.has(term) || one.about.has(term);
  const rarity = new Map(terms.map((term) =>
    [term, Math.log(1 + PAGES.length / (1 + PAGES.filter((one) => having(term, one)).length))]));
  const hits = [];
  for (const one of PAGES) {
    let score = 0;
    let matched = 0;
    for (const term of terms) {
      const count = one.counts.get(term) ?? 0;
      const gained = (one.heading.has(term) ? 2 : 0) + (one.about.has(term) ? 1 : 0) + (2 * count) / (count + 2);
      if (gained) matched += 1;
      score += rarity.get(term) * gained;
    }
    score *= (matched / terms.length) ** 2 * one.weight;
    // A clause, a command, or a name in full is what was meant.
    const title = one.title.toLowerCase();
    if (exact.length > 2 && (title === exact || title.endsWith(`.${exact}`))) score += 40;
    else if (exact.length > 2 && one.text.toLowerCase().includes(exact)) score *= 1.3;
    if (score > 0 && matched * 2 >= terms.length) hits.push({ ...one, score });
  }
  hits.sort((one, other) => other.score - one.score);
  const seen = new Map();
  return hits.filter((one) => {
    seen.set(one.page, (seen.get(one.page) ?? 0) + 1);
    return seen.get(one.page) <= 2;
  }).slice(0, 40).map((one) => ({ ...one, terms }));
}

function excerpt(one) {
  const found = [...one.text.matchAll(/[\p{L}\p{N}]+/gu)].find((word) => one.terms.includes(stem(word[0].toLowerCase())));
  const start = Math.max(0, (found?.index ?? 0) - 60);
  const paragraph = document.createElement("p");
  for (const part of one.text.slice(start, start + 200).split(/([\p{L}\p{N}]+)/u)) {
    const marked = one.terms.includes(stem(part.toLowerCase()));
    const node = marked ? document.createElement("mark") : document.createTextNode(part);
    if (marked) node.textContent = part;
    paragraph.append(node);
  }
  return paragraph;
}

function show(query) {
  const hits = find(query);
  document.querySelector("#found").textContent =
    hits.length ? `${hits.length} sections, guides first` : "No section has these words. Try fewer, or other ones.";
  const list = document.querySelector("#results");
  list.replaceChildren(...hits.map((one) => {
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    link.href = `${one.page}.html${one.target ? `#${one.target}` : ""}`;
    link.textContent = one.title;
    if (one.of !== one.title) {
      const page = item.appendChild(document.createElement("span"));
      page.textContent = ` ${one.of}`;
    }
    if (one.text) item.append(excerpt(one));
    return item;
  }));
}

const asked = new URLSearchParams(location.search).get("q") ?? "";
for (const field of document.querySelectorAll("input[name=q]")) field.value = asked;
if (asked) show(asked);
