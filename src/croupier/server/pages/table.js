// Follows a table without reloading its page: renews its parts, and sends each form once.
// The page works without it; nothing here knows the rules of the game.
"use strict";

const body = document.body;
const words = JSON.parse(body.dataset.words);
const place = { ...body.dataset };
const at = (id) => document.getElementById(id);
// Surveillance, for whom nothing is next, goes on at the entries.
const goOn = () => (at("next-title") || at("entries-title"))?.focus();
const LATE_MS = 8000;
const title = document.title;
let [state, since] = ["", new Date()];
let seq = Number(place.seq || 0);
let unsure = null; // What was sent and never answered: it is sent again under the same key.
let busy = new Set(); // Commands on their way: none is sent twice by a double click.
let line = Promise.resolve();

function said(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

function put(id, text) {
  // A region is never replaced, and never told the same thing twice.
  const region = at(id);
  if (region && region.textContent !== text) region.textContent = text;
}

// --- the connection: four states, in words ---

function show() {
  const seconds = Math.round((Date.now() - since) / 1000);
  put("state", said(state, { time: since.toLocaleTimeString(), seconds }));
}

function become(next) {
  if (state !== next) {
    if (state === "live" || !state) since = new Date();
    state = next;
    body.dataset.state = next;
    put("held", next === "live" ? "" : said("held"));
    mark();
    if (next === "live" && unsure) resend();
  }
  show();
}

function mark() {
  const held = state !== "live";
  const buttons = "main form[method=post] button:not([type=button])";
  for (const one of document.querySelectorAll(buttons)) one.ariaDisabled = held ? "true" : null;
  const many = document.querySelectorAll(".consent button[value=yes], [data-awaited]").length;
  document.title = many ? `(${many}) ${title}` : title;
}

setInterval(() => {
  if (state === "reconnecting" && Date.now() - since > LATE_MS) become("stale");
  else if (state && state !== "live") show();
}, 1000);

const having = (url) => `${url}${url.includes("?") ? "&" : "?"}have=${place.have || ""}`;

function follow() {
  const source = new EventSource(having(place.events));
  source.addEventListener("parts", (event) => (renew(JSON.parse(event.data)), become("live")));
  source.addEventListener("bye", () => become("no_owner"));
  source.addEventListener("error", () => {
    if (state === "live" || !state) become("reconnecting");
    // The browser resumes by itself, unless it was told that there is nothing to resume.
    if (source.readyState === EventSource.CLOSED) {
      become("no_owner");
      setTimeout(follow, 2000);
    }
  });
}

// --- renewing parts: one request at a time, and the page stays as it is used ---

let [asking, again] = [false, false];

async function refresh() {
  again = asking;
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch(having(place.parts || place.poll), {
      headers: { Accept: place.parts ? "application/json" : "text/html" },
      signal: AbortSignal.timeout(10000),
    });
    if (answer.ok) {
      await (place.parts ? renew(await answer.json()) : renewAll(await answer.text()));
      become("live");
    } else if (answer.status === 401) location.reload();
    else if (answer.status === 503) become("no_owner");
    else again = true;
  } catch {
    if (state === "live" || !state) become("reconnecting");
  }
  setTimeout(() => ((asking = false), again && refresh()), 80);
}

function renew(told) {
  // What has changed since another drawing than this page's is of no use.
  if (told.seq < seq) return;
  if (told.parts && told.from !== place.have) return refresh();
  [seq, place.have] = [told.seq, told.have];
  body.dataset.seq = seq;
  const fresh = document.createElement("template");
  fresh.innerHTML = told.html || Object.values(told.parts).join("");
  if (told.html) children(at("main"), fresh.content);
  else for (const one of [...fresh.content.children]) morph(at(one.id), one);
  for (const one of document.querySelectorAll("main input[name=form]")) one.value = place.form;
  for (const one of document.querySelectorAll("main input[name=key]")) one.value = newKey();
  put("calls", told.calls);
  put("due", told.prompt);
  mark();
  dispatchEvent(new Event("renewed"));
}

function renewAll(text) {
  children(at("main"), new DOMParser().parseFromString(text, "text/html").getElementById("main"));
  mark();
  offerCopies();
}

const KEPT = new Set(["open", "aria-disabled", "aria-pressed", "aria-invalid"]);

function morph(old, fresh) {
  if (old.nodeName.toLowerCase() === "svg") {
    if (old.outerHTML !== fresh.outerHTML) old.replaceWith(fresh);
    return;
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !KEPT.has(name)) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !KEPT.has(name)) old.removeAttribute(name);
  }
  children(old, fresh);
}

function children(old, fresh) {
  const coming = new Set([...fresh.children].map((one) => one.id).filter(Boolean));
  const byId = new Map([...old.children].filter((one) => one.id).map((one) => [one.id, one]));
  let here = old.firstChild;
  for (const one of [...fresh.childNodes]) {
    const known = one.id ? byId.get(one.id) : null;
    if (known && known !== here) {
      while (here && here !== known && !(here.id && coming.has(here.id))) here = drop(here);
      if (here !== known) old.insertBefore(known, here);
      here = known;
    }
    if (here?.nodeName !== one.nodeName || (here.id || "") !== (one.id || "")) {
      old.insertBefore(one, here);
      continue;
    }
    const same = here;
    here = here.nextSibling;
    if (same.nodeType === Node.ELEMENT_NODE) morph(same, one);
    else if (same.data !== one.data) same.data = one.data;
  }
  while (here) here = drop(here);
}

function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

// --- sending: a key of its own for each time, and the same key for what was not answered ---

function newKey() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(36)).join("");
}

function answered(text, clauses, refused) {
  const region = at("answer");
  region.className = refused ? "bad" : "good";
  const list = document.createElement("ul");
  for (const one of clauses) list.appendChild(document.createElement("li")).textContent = one;
  region.replaceChildren(text, ...(clauses.length ? [list] : []));
  // A refused wager is named by its word: the refusal stands at its field, too.
  for (const one of document.querySelectorAll("#bets .error")) {
    const wrong = refused && text.includes(` ${one.id.slice(6)}: `);
    one.textContent = wrong ? text : "";
    one.previousElementSibling.ariaInvalid = wrong ? "true" : null;
  }
}

async function send(what) {
  if (unsure) return;
  answered(said("sending"), [], false);
  try {
    const answer = await fetch(what.url, {
      method: "POST",
      body: what.data,
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(10000),
    });
    const told = await answer.json();
    unsure = null;
    const refused = told.refused ?? true;
    answered(told.said || told.detail, told.clauses.map((one) => one.says || one), refused);
    if (refused) what.form.dispatchEvent(new Event("refused", { bubbles: true }));
    else if (what.command) done(what);
    refresh();
  } catch {
    unsure = what;
    answered(said("unsure"), [], true);
    become("reconnecting");
    setTimeout(refresh, 500);
  }
  busy.delete(what.command);
}

// What was done is folded up again, and whoever did it goes on at what is next.
function done({ form, folds }) {
  form.reset();
  const here = document.activeElement;
  for (const one of folds) one.open = false;
  // A renewal that came before the answer may have removed the form, and the focus with it.
  const left = form.matches(".consent") ? [form] : folds;
  if (here === body ? left.length : left.some((one) => one.contains(here))) goOn();
}

// All that must be closed for a form to be folded up, taken while the form is in the page.
function foldsOf(form) {
  const folds = [];
  for (let one = form.closest("details"); one; one = one.parentElement.closest("details")) folds.push(one);
  return folds;
}

function resend() {
  const what = unsure;
  unsure = null;
  // If it did not arrive, it counts only where the table still stands as it did.
  what.data.set("expected", what.seq);
  line = line.then(() => send(what));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  // Whoever looks back at an earlier entry follows nothing: the form goes as it does without scripts.
  if (!place.parts && !place.poll) return;
  if (form.method !== "post" || "whole" in form.dataset || !form.closest("main")) return;
  event.preventDefault();
  const command = form.id === "pad" ? "" : form.action + form.id;
  if (busy.has(command) || unsure || state !== "live") return;
  const data = new URLSearchParams(new FormData(form, event.submitter));
  data.set("key", form.dataset.once || newKey());
  if (form.dataset.once) data.set("onto_none", "1");
  if (command) busy.add(command);
  else form.reset();
  const folds = foldsOf(form);
  line = line.then(() => send({ url: form.action, data, form, folds, seq, command }));
});

// --- commands to copy ---

function offerCopies() {
  for (const one of document.querySelectorAll("[data-copy]")) one.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const code = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
    answered(said("copied"), [], false);
  } catch {
    getSelection().selectAllChildren(code); // Without TLS a page may not write to the clipboard.
  }
});

offerCopies();
if (place.events) follow();
// Acts that wait are no entries, and a connection that died in silence is found by asking.
if (place.parts || place.poll) setInterval(refresh, place.poll || at("consents") ? 2500 : 15000);
if (place.poll) refresh();
addEventListener("offline", () => state === "live" && become("reconnecting"));
addEventListener("online", refresh);
