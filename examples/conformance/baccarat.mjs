// A small baccarat of its own: drawing, settlement and vigorish, to be held against vectors.
//
// Nothing here is taken from the program that wrote the vectors. What a licensee elected is read
// from rules.json; the game itself is written down once more. All amounts are integer cents.

const FACES = "JQK";

export function value(card) {
  if (card[0] === "A") return 1;
  return "23456789".includes(card[0]) ? Number(card[0]) : 0;
}

export function count(cards) {
  return cards.reduce((sum, card) => sum + value(card), 0) % 10;
}

const SCHEMES = ["5%", "4%", "tie-25%", "six-pays-half", "total-cards", "dragon-7"];

// Name what a set of rules has and this engine has not; empty where it can be held against them.
export function beyond(rules) {
  const scheme = rules.value("vigorish.scheme");
  return [
    ...(SCHEMES.includes(scheme) ? [] : [`vigorish.scheme = ${scheme}`]),
    ...(rules.value("settlement.rounds_to") === undefined ? [] : ["settlement.rounds_to"]),
    ...Object.entries(rules.value("third.banker")).filter(([banker, row]) => [...row].some(
      (cell, at) => (cell === "D") !== draws("banker", Number(banker), at ? at - 1 : null, rules.literal),
    )).map(([banker]) => `third.banker, row ${banker}`),
  ];
}

// --- the deal ----------------------------------------------------------------------------------

function playerDraws(player, banker) {
  return player < 8 && banker < 8 && player <= 5;
}

// `third` is the value of Player's third card, or null where he took none. `literal` is the damaged
// row of one text, read by its letter, which a submission may elect.
function bankerDraws(player, banker, third, literal) {
  if (player >= 8 || banker >= 8) return false;
  if (third === null) return banker <= 5;
  if (banker <= 2) return literal ? third === 0 : true;
  if (banker === 3) return third !== 8;
  if (banker === 4) return third >= 2 && third <= 7;
  if (banker === 5) return third >= 4 && third <= 7;
  if (banker === 6) return third === 6 || third === 7;
  return false;
}

// What a cell of the drawing table says, for whoever wants each cell by itself.
export function draws(hand, pointCount, third, literal) {
  if (hand === "player") return playerDraws(pointCount, 0);
  return bankerDraws(0, pointCount, third, literal);
}

// Deal cards in the order in which they left the shoe. Throws where one is missing or left over.
export function deal(cards, literal = false) {
  const left = [...cards];
  const next = () => {
    if (left.length === 0) throw new Error("a card is missing");
    return left.shift();
  };
  const player = [], banker = [];
  for (const hand of [player, banker, player, banker]) hand.push(next());
  const [first, second] = [count(player), count(banker)];
  let third = null;
  if (playerDraws(first, second)) {
    player.push(next());
    third = value(player[2]);
  }
  if (bankerDraws(first, second, third, literal)) banker.push(next());
  if (left.length > 0) throw new Error(`${left.join(" ")} is left over`);
  const [ours, theirs] = [count(player), count(banker)];
  const winner = ours === theirs ? "tie" : ours > theirs ? "player" : "banker";
  return { player, banker, playerCount: ours, bankerCount: theirs, winner };
}

// --- what each wager wins ----------------------------------------------------------------------

// A result is "lose", "push", {odds: [pays, stake]} or {award: cents}.

function bonus(own, other, paytable) {
  const [mine, yours] = [count(own), count(other)];
  const natural = own.length === 2 && mine >= 8;
  const theirs = other.length === 2 && yours >= 8;
  if (natural && theirs && mine === yours) return "push";
  if (natural) return !theirs || mine > yours ? { odds: parseOdds(paytable.natural) } : "lose";
  const margin = mine - yours;
  return margin >= 4 ? { odds: parseOdds(paytable[`win_by_${margin}`]) } : "lose";
}

function houseMoney(round, paytable) {
  const pairs = [round.player, round.banker].filter((hand) => hand[0][0] === hand[1][0]).length;
  if (pairs === 0) return "lose";
  return { odds: parseOdds(pairs === 2 ? paytable.both_pairs : paytable.one_pair) };
}

function royal(hand) {
  const ranks = [hand[0][0], hand[1][0]];
  return ranks.includes("9") && ranks.some((rank) => FACES.includes(rank));
}

function sameCards(one, other) {
  const text = (cards) => cards.slice(0, 2).sort().join(" ");
  return text(one) === text(other);
}

function royal9(round, rules, seat, meters) {
  const chairs = rules.value("wagers.royal_9.chairs").map((text) => text.split(" "));
  const own = chairs[seat - 1];
  const others = chairs.filter((_, at) => at !== seat - 1);
  const { player, banker } = round;
  const royals = [player, banker].filter(royal);
  const suited = royals.filter((hand) => hand[0][1] === hand[1][1]);
  const alike = sameCards(player, banker);
  const award = (line) => ({ award: rules.value("wagers.royal_9.awards")[line] });
  if (sameCards(player, own) && alike) return { award: meters.star };
  if (sameCards(banker, own)) return { award: meters.spade };
  if (sameCards(player, own)) return { award: meters.heart };
  if (alike && others.some((other) => sameCards(player, other))) return award("other_personal");
  if (suited.length === 2) return award("suited_both");
  if (royals.length === 2) return award("royal_both");
  if (suited.length === 1) return award("suited");
  return royals.length === 1 ? award("royal") : "lose";
}

function dragon7(round) {
  return round.winner === "banker" && round.banker.length === 3 && round.bankerCount === 7;
}

function panda8(round) {
  return round.winner === "player" && round.player.length === 3 && round.playerCount === 8;
}

function result(wager, round, rules, seat, meters) {
  const wins = (won, rule) => (won ? { odds: parseOdds(rules.value(rule)) } : "lose");
  const cards = round.player.length + round.banker.length;
  const scheme = rules.value("vigorish.scheme");
  switch (wager) {
    case "player":
      return round.winner === "tie" ? "push" : wins(round.winner === "player", "wagers.player.pays");
    case "banker":
      if (round.winner === "tie") return "push";
      if (scheme === "dragon-7" && dragon7(round)) return "push";
      if (scheme === "six-pays-half" && round.winner === "banker" && round.bankerCount === 6) {
        return wins(true, "wagers.banker.pays_on_six");
      }
      return wins(round.winner === "banker", "wagers.banker.pays");
    case "tie": return wins(round.winner === "tie", "wagers.tie.pays");
    case "four_cards": return wins(cards === 4, "wagers.four_cards.pays");
    case "five_cards": return wins(cards === 5, "wagers.five_cards.pays");
    case "six_cards": return wins(cards === 6, "wagers.six_cards.pays");
    case "bonus_player":
      return bonus(round.player, round.banker, rules.value("wagers.bonus.paytable"));
    case "bonus_banker":
      return bonus(round.banker, round.player, rules.value("wagers.bonus.paytable"));
    case "dragon_7": return wins(dragon7(round), "wagers.dragon_7.pays");
    case "panda_8": return wins(panda8(round), "wagers.panda_8.pays");
    case "house_money": return houseMoney(round, rules.value("wagers.house_money.pays"));
    case "royal_9": return royal9(round, rules, seat, meters);
    default: throw new Error(`${wager}: this reader does not know the wager`);
  }
}

// --- money -------------------------------------------------------------------------------------

function parseOdds(text) {
  return text.split(":").map(Number);
}

// A rate is written as "5%" or "1/20".
function parseRate(text) {
  return text.endsWith("%") ? [Number(text.slice(0, -1)), 100] : text.split("/").map(Number);
}

function exactly(amount, divisor) {
  if (!Number.isSafeInteger(amount)) throw new Error(`${amount}: too much for exact arithmetic`);
  if (amount % divisor !== 0) throw new Error(`${amount}/${divisor} cents: a fraction of a cent`);
  return amount / divisor;
}

function vigorishOnWin(won, rules) {
  let scheme = rules.value("vigorish.scheme");
  if (scheme === "total-cards") scheme = rules.value("vigorish.rate_unwaived");
  else if (!scheme.endsWith("%") || scheme.startsWith("tie")) return 0;
  const [part, whole] = parseRate(scheme);
  if (!rules.value("vigorish.rounded")) return exactly(won * part, whole);
  const unit = rules.value(`vigorish.${(part * 100) / whole}_percent.rounds_to`);
  return Math.ceil((won * part) / (whole * unit)) * unit;
}

// Settle one stake. `others` are the patron's other stakes by wager, which matter to the waiver.
export function settle(stake, round, rules, { seat = 1, meters = {}, others = {} } = {}) {
  const { wager, chips, coupon = 0 } = stake;
  const cents = chips + coupon;
  const came = result(wager, round, rules, seat, meters);
  const outcome = typeof came === "string" ? came : "win";
  const forOne = came.award !== undefined
    && rules.value("wagers.royal_9.award_is") === "for-one";
  let won = 0;
  if (came.odds) won = exactly(cents * came.odds[0], came.odds[1]);
  if (came.award !== undefined) won = came.award;
  let vigorish = 0, waived = false;
  if (wager === "banker" && outcome === "win") {
    vigorish = vigorishOnWin(won, rules);
    const total = ["four_cards", "five_cards", "six_cards"]
      .reduce((sum, one) => sum + (others[one] ?? 0), 0);
    if (vigorish > 0 && rules.value("vigorish.scheme") === "total-cards" && total >= cents) {
      [vigorish, waived] = [0, true];
    }
  } else if (wager === "banker" && round.winner === "tie"
             && rules.value("vigorish.scheme") === "tie-25%") {
    vigorish = exactly(cents, 4);
  }
  const returned = outcome === "lose" || forOne ? 0 : chips;
  return { outcome, returned, won, vigorish, net: returned - chips + won - vigorish, waived };
}

// Say why a stake is refused, by the code that the vectors have for it; null where it is taken.
export function refusal(stake, rules, unit) {
  const { wager, chips, coupon } = stake;
  if (chips <= 0 || coupon < 0) return "amount";
  const cents = chips + coupon;
  const limits = wager === "royal_9"
    ? Array(2).fill(rules.value("wagers.royal_9.stake")) : rules.limits[wager];
  if (limits && (cents < limits[0] || cents > limits[1])) return "limit";
  if (cents % unit !== 0) return "fraction_of_a_cent";
  if (coupon === 0) return null;
  const tendered = rules.value("wagers.tender").some((one) => one.includes("coupon"));
  return !tendered || coupon > chips ? "coupon" : null;
}
