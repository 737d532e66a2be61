// What is done by keys, and the wagers of a seat. It comes after table.js, and the page works without.
"use strict";

// --- a seat's wagers ---

const [sign, decimals] = JSON.parse(document.body.dataset.money);
const minor = 10 ** decimals;
const cents = (field) => Math.round(Number(field.value.replace(sign, "").replace(/,/g, "")) * minor) || 0;
const dollars = (many) => (many / minor).toFixed(many % minor ? decimals : 0);
const bets = () => [...document.querySelectorAll("#bets input[inputmode]:enabled")];

function total() {
  const sum = bets().reduce((before, one) => before + cents(one), 0);
  put("bet-total", said("total", { amount: sign + dollars(sum) }));
}

document.addEventListener("input", total);
document.addEventListener("reset", () => setTimeout(() => ((before = []), total())));
addEventListener("renewed", total);

// The seconds left for wagers: the page gives them, and this counts on until it gives them again.
setInterval(() => {
  const left = at("left");
  if (!left) return;
  left.dataset.left = Math.max(0, left.dataset.left - 1);
  left.textContent = said("left", { seconds: left.dataset.left });
}, 1000);
document.addEventListener("submit", (event) => event.target.id === "bets" && (repeated = []));
document.addEventListener("refused", (event) => event.target.id === "bets" && (repeated = []));
document.addEventListener("change", (event) => {
  if (event.target.id === "slider") event.target.form.requestSubmit();
});
// Each tap adds the chosen chip; what was there before can be brought back.
let before = [];
let [repeated, repeatedAt] = [[], -1];

function put_on(field, amount) {
  if (!field || field.disabled) return;
  before.push([field.id, field.value]);
  field.value = amount ? dollars(amount) : "";
  total();
}

const BETS = {
  undo: () => {
    const [id, value] = before.pop() || [];
    if (id) at(id).value = value;
    // What was placed by Repeat alone comes back.
    else for (const name of repeated.splice(0)) at(`back-${name}`)?.requestSubmit();
  },
  double: () => {
    const chosen = bets().some(cents);
    for (const one of bets()) {
      const amount = chosen ? 2 * cents(one) : Number(one.dataset.placed);
      if (amount) put_on(one, amount);
    }
  },
  // On an empty layout the wagers of the last round are placed at once; else they are added to what is chosen.
  repeat: () => {
    const empty = seq !== repeatedAt && !bets().some((one) => cents(one) || Number(one.dataset.placed));
    for (const [name, amount] of Object.entries(last())) put_on(at(`bet-${name}`), amount);
    const placed = bets().filter(cents);
    if (!empty || !placed.length) return;
    // A second window at the same entry sends the same key, and at another one it is refused if chips
    // lie there by now: the wagers are placed once.
    const form = at("bets");
    form.dataset.once = `repeat-${seq}`;
    form.requestSubmit();
    delete form.dataset.once;
    // What needs another wager is taken back before it.
    [repeated, repeatedAt] = [placed.map((one) => one.id.slice(4)).reverse(), seq];
  },
};

// The stakes of the last round are remembered when its settlement is no longer among the news.
function last() {
  const now = at("bets")?.dataset.last;
  if (now && now !== "{}") sessionStorage.setItem("last", now);
  return JSON.parse(sessionStorage.getItem("last") || "{}");
}
addEventListener("renewed", last);

document.addEventListener("click", (event) => {
  const [chip, again, area, card] = ["[data-chip]", "[data-bets]", "label[data-wager]", "[data-place]"].map(
    (one) => event.target.closest(one),
  );
  if (card) {
    // A mistyped card: its place is known, and what it really is goes on.
    event.preventDefault();
    reveal(card.hash.slice(1));
    const form = document.querySelector(`${card.hash} form`);
    form.elements["json.recorded"].value = card.dataset.place;
    form.elements["card.actual"].value = "";
    form.elements["card.actual"].focus();
  } else if (chip) {
    for (const one of document.querySelectorAll("[data-chip]")) one.ariaPressed = String(one === chip);
  } else if (again) BETS[again.dataset.bets]();
  else if (area) {
    event.preventDefault();
    const value = document.querySelector("[data-chip][aria-pressed=true]").dataset.chip;
    const field = at(`bet-${area.dataset.wager}`);
    put_on(field, cents(field) + Number(value));
  }
  if (again) total();
});

// --- keys ---

function press(selector) {
  const found = document.querySelector(selector);
  if (found) found.click();
  return Boolean(found);
}

// Opens whatever holds an element, and goes to its first field.
function reveal(id) {
  const found = at(id);
  if (!found) return false;
  for (let one = found; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  const field = found.matches("input") ? found : found.querySelector("input:not([type=hidden])");
  (field || found.querySelector("button, summary") || found).focus();
  return true;
}

const opened = () => document.querySelector(".drawer[open]");

// A drawer opens with the focus in it; when it closes, the focus is at what is next.
function pull(drawer) {
  drawer.open = !drawer.open;
  const first = ".sheet :is(summary, a, button, select, input:not([type=hidden]))";
  if (drawer.open) (drawer.querySelector(first) || drawer.querySelector(".sheet"))?.focus();
  else goOn();
  return true;
}

// In a pit, one table after another has the focus.
const tables = () => [...document.querySelectorAll(".glances h3 a")];

function goTo(step) {
  const all = tables();
  const here = all.indexOf(document.activeElement?.closest(".glances li")?.querySelector("h3 a"));
  const next = here < 0 ? (step > 0 ? 0 : all.length - 1) : here + step;
  all[(next + all.length) % all.length]?.focus();
  return all.length > 0;
}

const PAUSE = "ask-PauseTable-0";

function pause() {
  const link = document.activeElement?.closest(".glances li")?.querySelector("h3 a");
  if (!link) return reveal(PAUSE);
  location.href = `${link.href}#${PAUSE}`;
  return true;
}

// Enter consents only to what has been in view for a second: an Enter meant for something else does not.
const seen = new WeakMap();
const asked = () => document.querySelector(".consent:has(button[value=yes])");
const read = () => Date.now() - seen.get(asked()) > 1000;

function see() {
  if (asked() && !seen.has(asked())) seen.set(asked(), Date.now());
}
addEventListener("renewed", see);

const KEYS = {
  "?": () => press("#next details.clauses > summary"),
  u: () => at("pad") && (at("pad").reset(), answered("", [], false), true),
  y: () => press(".consent button[value=yes]"),
  n: () => press(".consent button[value=no]"),
  j: () => goTo(1),
  k: () => goTo(-1),
  p: pause,
  f: () => reveal("flag"),
  "/": () => reveal("search"),
  "[": () => press("#before"),
  "]": () => press("#after"),
  "{": () => press("#round-before"),
  "}": () => press("#round-after"),
  Enter: () => press("#next form.must button.primary, #next .pad button.primary") || (read() && KEYS.y()),
};

function typed(key) {
  const drawer = document.querySelector(`.drawer[data-key="${CSS.escape(key)}"]`);
  if (drawer) return pull(drawer);
  // While something else is asked, no card is dealt, and nothing goes on.
  if (opened()) return false;
  if (/^[a2-9tjqk]$/i.test(key) && press(`#pad input[value="${key.toUpperCase()}"]`)) {
    answered(said("key.rank", { key: key.toUpperCase() }), [], false);
    return true;
  }
  if ("cdhs".includes(key) && document.querySelector("#pad input:checked")) {
    return press(`#pad button[value="${key}"]`);
  }
  return key in KEYS && KEYS[key]();
}

// What was reached by the tabulator is pressed by Enter; anywhere else Enter does what is next.
let byTab = false;
document.addEventListener("pointerdown", () => (byTab = false));

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") byTab = true;
  if (!at("keys")?.checked || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input:not([type=radio], [type=checkbox], [type=range]), select");
  if (field) {
    const all = bets();
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") {
      field.form.reset();
      if (!all.includes(field)) field.blur();
    }
    if (!step || !all.includes(field)) return;
    all[(all.indexOf(field) + step + all.length) % all.length].focus();
    event.preventDefault();
    return;
  }
  if (event.key === "Escape" && opened()) return pull(opened());
  const own = event.key === "Enter" && (byTab || opened()) && event.target.closest("a, button, summary, label");
  if (own || event.repeat || event.key.length > 5) return;
  if (typed(event.key)) event.preventDefault();
  else if (event.key.length === 1 && event.key !== " ") answered(said("key.none", { key: event.key }), [], true);
});

if (location.hash === `#${PAUSE}`) reveal(PAUSE);
total();
see();
