"use strict";
// Goes through the entries of a record. Each frame edits the marks of the pictures before it.
(() => {
  const frames = JSON.parse(document.getElementById("frames").textContent);
  const at = (id) => document.getElementById(id);
  const felt = at("felt"), roads = at("roads"), slider = at("slider"), told = at("told");
  const stakes = at("stakes"), facts = at("facts"), here = at("here"), play = at("play"), speed = at("speed");
  const items = [...document.querySelectorAll("#transcript > li")];
  const APART = 50;
  const kept = new Map([[-1, { felt: [], roads: [], facts: {} }]]);
  let now = frames.length - 1, timer = 0;

  const edited = (marks, edits) => {
    if (edits.length === 0) return marks;
    const made = marks.slice();
    for (const [place, gone, come] of edits) made.splice(place, gone, ...come);
    return made;
  };

  const seen = (number) => {
    let from = number;
    while (!kept.has(from)) from -= 1;
    let view = kept.get(from);
    for (let next = from + 1; next <= number; next += 1) {
      const frame = frames[next];
      view = {
        felt: edited(view.felt, frame.felt),
        roads: edited(view.roads, frame.roads),
        facts: { ...view.facts, ...frame.facts },
      };
      if (next % APART === 0) kept.set(next, view);
    }
    return view;
  };

  const made = (kind, textContent) => Object.assign(document.createElement(kind), { textContent });
  // The title of each chip says whose it is, and on what.
  const lying = () => {
    const seats = {};
    for (const one of felt.querySelectorAll("title")) {
      const [, seat, wager, stake] = /^Seat (\d+), (.+?): .*; stake (.+)$/.exec(one.textContent) || [];
      if (seat) (seats[seat] ||= []).push(`${wager} ${stake}`);
    }
    return Object.entries(seats).map(([seat, all]) => made("li", `Seat ${seat}: ${all.join(", ")}`));
  };

  const show = (number) => {
    now = Math.max(0, Math.min(frames.length - 1, number));
    const view = seen(now), frame = frames[now];
    felt.innerHTML = view.felt.join("");
    roads.innerHTML = view.roads.join("");
    stakes.replaceChildren(...lying());
    facts.replaceChildren(...Object.entries(view.facts).filter(([, value]) => value !== "")
      .flatMap(([name, value]) => [made("dt", name), made("dd", value)]));
    told.replaceChildren(...[...items[now].children].map((one) => one.cloneNode(true)));
    for (const one of document.querySelectorAll("#transcript > [aria-current]")) {
      one.removeAttribute("aria-current");
    }
    items[now].setAttribute("aria-current", "step");
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", `entry ${frame.seq}, round ${frame.round}`);
    here.textContent = `Entry ${frame.seq} of ${frames[frames.length - 1].seq}` +
      (frame.round ? ` · round ${frame.round}` : "");
    history.replaceState(null, "", `#at-${frame.seq}`);
  };

  const by_round = (way) => {
    const round = frames[now].round;
    let next = now;
    while (next + way >= 0 && next + way < frames.length && frames[next].round === round) next += way;
    if (way < 0) {
      const before = frames[next].round;
      while (next > 0 && frames[next - 1].round === before) next -= 1;
    }
    show(next);
  };

  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const start = () => {
    if (now === frames.length - 1) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      if (now === frames.length - 1) stop(); else show(now + 1);
    }, Number(speed.value));
  };
  const steps = {
    first: () => show(0), last: () => show(frames.length - 1),
    back: () => show(now - 1), on: () => show(now + 1),
    "round-back": () => by_round(-1), "round-on": () => by_round(1),
  };
  for (const [id, step] of Object.entries(steps)) {
    at(id).addEventListener("click", () => { stop(); step(); });
  }
  play.addEventListener("click", () => (timer ? stop() : start()));
  speed.addEventListener("change", () => { if (timer) { stop(); start(); } });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  const keys = {
    ArrowLeft: steps.back, ArrowRight: steps.on,
    "Shift ArrowLeft": steps["round-back"], "Shift ArrowRight": steps["round-on"],
    "[": steps.back, "]": steps.on, "{": steps["round-back"], "}": steps["round-on"],
    Home: steps.first, End: steps.last,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, #slider")) return;
    if (event.key === " " && !event.target.closest("button, a, summary, input")) {
      event.preventDefault();
      play.click();
      return;
    }
    const step = keys[(event.shiftKey ? "Shift " : "") + event.key] || keys[event.key];
    if (step) { event.preventDefault(); stop(); step(); }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#transcript a[href^='#entry-']");
    if (!link) return;
    event.preventDefault();
    stop();
    show(items.indexOf(link.closest("li")));
    at("stage").scrollIntoView();
  });
  // The first view is what was asked for, or where the record fails, or the fullest layout of the first round.
  const opening = () => {
    const failed = frames.findIndex((frame) => String(frame.seq) === document.querySelector("main").dataset.open);
    if (failed >= 0) return failed;
    let found = 0, most = 0;
    for (let next = 0; next < frames.length && frames[next].round === frames[0].round; next += 1) {
      const marks = seen(next).felt.length;
      if (marks >= most) [found, most] = [next, marks];
    }
    return found;
  };
  const asked = frames.findIndex((frame) => [`#at-${frame.seq}`, `#entry-${frame.seq}`].includes(location.hash));
  at("controls").hidden = false;
  at("transcript-box").open = false;
  show(asked < 0 ? opening() : asked);
  // Where the layout is wider than the screen, its hands are in sight first.
  felt.scrollLeft = (felt.scrollWidth - felt.clientWidth) / 2;
})();
