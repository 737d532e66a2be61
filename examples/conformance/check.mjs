#!/usr/bin/env node
// Reads a set of conformance vectors and holds the small baccarat beside it against them.
//
//   croupier vectors --submission table.toml -o vectors
//   node check.mjs vectors
//
// Prints a tally. Exit status: 0 all agree, 1 something differs, 2 the vectors cannot be read.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beyond, deal, draws, refusal, settle } from "./baccarat.mjs";

const MOST_SHOWN = 10;
const tally = new Map();
let shown = 0;

// Hold what was found against what a vector expects, and count it under a topic.
function hold(topic, where, expected, found) {
  const counts = tally.get(topic) ?? { agree: 0, differ: 0 };
  tally.set(topic, counts);
  const [one, other] = [JSON.stringify(expected), JSON.stringify(found)];
  if (one === other) {
    counts.agree += 1;
    return;
  }
  counts.differ += 1;
  shown += 1;
  if (shown <= MOST_SHOWN) console.error(`${topic}: ${where}\n  expected ${one}\n  found    ${other}`);
}

// Run a check; what it throws is a difference too.
function attempt(topic, where, expected, check) {
  let found;
  try {
    found = check();
  } catch (error) {
    found = { error: error.message };
  }
  hold(topic, where, expected, found);
}

// --- the files ---------------------------------------------------------------------------------

function digest(content) {
  return createHash("sha256").update(content).digest("hex");
}

// Read every file that the manifest names, once its bytes have the hash told there.
function read(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  if (manifest.format !== "croupier-vectors/2") throw new Error(`unknown format ${manifest.format}`);
  const files = {};
  for (const file of manifest.files) {
    const content = readFileSync(join(folder, file.name));
    hold("files", file.name, file.sha256, digest(content));
    if (file.schema !== null) files[file.name.replace(".json", "")] = JSON.parse(content);
  }
  return { manifest, files };
}

// JSON in the one way that the hash of the rules is taken of: sorted keys, no blanks, ASCII alone.
function canonical(data) {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (data === null || typeof data !== "object") {
    return JSON.stringify(data).replace(
      /[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
  const keys = Object.keys(data).sort();
  return `{${keys.map((key) => `${canonical(key)}:${canonical(data[key])}`).join(",")}}`;
}

function rulesOf(file) {
  const settled = file.canonical.rules;
  return {
    value: (name) => settled[name],
    limits: file.canonical.limits,
    literal: file.canonical.readings.T41 === "literal",
  };
}

// --- what is held against what -----------------------------------------------------------------

function checkDeals(file, rules) {
  for (const hand of file.hands) {
    const sum = (hand.values[0] + hand.values[1]) % 10;
    hold("hands", hand.values.join(" "), [hand.point_count, hand.natural], [sum, sum >= 8]);
  }
  for (const cell of file.cells) {
    const found = cell.by === "natural"
      ? false : draws(cell.hand, cell.point_count, cell.third, rules.literal);
    hold("cells", JSON.stringify(cell), cell.draws, found);
  }
  for (const row of file.rounds) {
    const expected = [row.player, row.banker, row.player_count, row.banker_count, row.winner];
    const drawn = [file.cells[row.player_cell].draws, file.cells[row.banker_cell].draws];
    attempt("rounds", row.cards, [...expected, ...drawn], () => {
      const round = deal(row.cards.split(" "), rules.literal);
      return [
        round.player.join(" "), round.banker.join(" "), round.playerCount, round.bankerCount,
        round.winner, round.player.length === 3, round.banker.length === 3,
      ];
    });
  }
}

function amounts(row) {
  return [row.returned_cents, row.won_cents, row.vigorish_cents, row.net_cents];
}

function checkSettlement(file, rules) {
  const { meters } = file;
  for (const row of file.classes) {
    for (const [wager, settled] of Object.entries(row.settled)) {
      for (const one of settled) {
        attempt("settlement", `${wager} ${row.cards}`, [one.outcome, ...amounts(one)], () => {
          const round = deal(row.cards.split(" "), rules.literal);
          const stake = { wager, chips: one.stake_cents };
          const found = settle(stake, round, rules, { seat: one.seat, meters });
          return [found.outcome, found.returned, found.won, found.vigorish, found.net];
        });
      }
    }
  }
}

// A round for each ground of each wager, found among the classes of settlement.json.
function roundsByGround(settlement) {
  const rounds = {};
  for (const row of settlement.classes) {
    for (const [wager, settled] of Object.entries(row.settled)) {
      rounds[wager] ??= {};
      rounds[wager][settled[0].ground] ??= row.cards.split(" ");
    }
  }
  return rounds;
}

function checkRounding(file, settlement, rules) {
  const rounds = roundsByGround(settlement);
  const { meters } = file;
  for (const row of file.stakes) {
    const stake = { wager: row.wager, chips: row.chips_cents, coupon: row.coupon_cents };
    const where = `${row.wager} ${stake.chips}+${stake.coupon}`;
    const unit = settlement.wagers[row.wager].unit_cents;
    hold("stakes taken", where, row.taken ? null : row.refused.code, refusal(stake, rules, unit));
    for (const [ground, one] of Object.entries(row.settled ?? {})) {
      attempt("rounding", `${where} ${ground}`, amounts(one), () => {
        const round = deal(rounds[row.wager][ground], rules.literal);
        const found = settle(stake, round, rules, { meters });
        return [found.returned, found.won, found.vigorish, found.net];
      });
    }
  }
  for (const row of file.waivers) {
    attempt("waivers", JSON.stringify(row.stakes), [row.waived, ...amounts(row)], () => {
      const round = deal(rounds.banker[row.ground], rules.literal);
      const stake = { wager: "banker", chips: row.stakes.banker };
      const found = settle(stake, round, rules, { others: row.stakes });
      return [found.waived, found.returned, found.won, found.vigorish, found.net];
    });
  }
}

const RECEIVED = { ChipsBought: 1, WagerPaid: 1, AwardPaid: 1, VigorishCollected: -1, PayoutAdded: -1 };

// Move chips as an event tells: what is staked leaves a patron, and what is released comes back.
function book(chips, event) {
  const move = (seat, cents) => chips.set(seat, (chips.get(seat) ?? 0) + cents);
  if (event.type in RECEIVED) move(event.seat, RECEIVED[event.type] * event.cents);
  if (event.type === "WagerPlaced") move(event.seat, -event.cents);
  if (event.type === "WagerWithdrawn") move(event.seat, event.cents);
  if (event.type === "WagersPlaced") {
    for (const cents of Object.values(event.stakes)) move(event.seat, -cents);
  }
  if (event.type === "StakesReleased") {
    for (const stake of event.stakes) move(stake.seat, stake.cents);
  }
  if (event.type === "PatronLeft") chips.delete(event.seat);
  if (event.type === "PatronSeated") chips.set(event.seat, 0);
}

function chipsOf(seats) {
  return new Map(seats.map((one) => [one.seat, one.chips_cents]));
}

function inOrder(chips) {
  return [...chips].sort(([one], [other]) => one - other);
}

// A table engine is needed to play the scenarios; what their events say can be judged without one:
// each finished round is dealt again, and every chip is followed.
function checkProcedures(file, rules) {
  const states = new Map(file.starts.map((start) => [start.name, start.state]));
  for (const scenario of file.scenarios) {
    const before = states.get(scenario.start);
    const chips = chipsOf(before.seats);
    let voided = false;
    for (const event of scenario.steps.flatMap((step) => step.events ?? [])) {
      book(chips, event);
      if (event.type === "RoundVoided") voided = true;
      if (event.type !== "LayoutCleared") continue;
      // A round that was void before this scenario begins has no two hands to deal again.
      if (!voided && event.player.length > 1 && event.banker.length > 1) {
        const hands = [event.player.length, event.banker.length];
        attempt("rounds in scenarios", scenario.name, hands, () => {
          const { player, banker } = event;
          const cards = [player[0], banker[0], player[1], banker[1]];
          const round = deal([...cards, ...player.slice(2), ...banker.slice(2)], rules.literal);
          return [round.player.length, round.banker.length];
        });
      }
      voided = false;
    }
    const after = chipsOf(scenario.changed.seats ?? before.seats);
    hold("chips in scenarios", scenario.name, inOrder(after), inOrder(chips));
  }
}

function checkRefusals(file, starts) {
  const names = new Set(starts.map((start) => start.name));
  for (const row of file.refusals) {
    hold("refusals told", row.command.type, [true, true], [
      names.has(row.start), /^[a-z_]+$/.test(row.refused.code)]);
  }
}

// --- the whole ---------------------------------------------------------------------------------

function main(folder) {
  const { manifest, files } = read(folder);
  const rules = rulesOf(files.rules);
  const lacking = beyond(rules);
  if (lacking.length > 0) throw new Error(`baccarat.mjs has no ${lacking.join(", ")}`);
  hold("files", "rules", manifest.rules_hash, digest(canonical(files.rules.canonical)));
  checkDeals(files.deals, rules);
  checkSettlement(files.settlement, rules);
  checkRounding(files.rounding, files.settlement, rules);
  checkProcedures(files.procedures, rules);
  checkRefusals(files.refusals, files.procedures.starts);
  console.log(`${manifest.law_title} as of ${manifest.in_force_from}`);
  console.log(`rules ${manifest.rules_hash}`);
  let differ = 0;
  for (const [topic, counts] of tally) {
    console.log(`${topic.padEnd(20)} ${String(counts.agree).padStart(6)} agree ${
      String(counts.differ).padStart(6)} differ`);
    differ += counts.differ;
  }
  console.log(differ === 0 ? "all agree" : `${differ} differ`);
  return differ === 0 ? 0 : 1;
}

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  console.error("usage: node check.mjs FOLDER");
  process.exitCode = 2;
} else {
  try {
    process.exitCode = main(folder);
  } catch (error) {
    console.error(`${folder}: these vectors cannot be read: ${error.message}`);
    process.exitCode = 2;
  }
}
