// Plays a round through the types that openapi-typescript made of the service's description, and openapi-fetch.
// Arguments as of play.py.

import { readFileSync } from "node:fs";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";

type Command = components["schemas"]["Command"];
type Service = Client<paths>;

const [place, licenseeToken, floorToken, dealerToken, submission] = process.argv.slice(2) as [
  string, string, string, string, string,
];
const path = { table: "MB-101" };
const FIELDS: Record<string, object> = {
  ReceiveCards: { decks: 8 },
  VerifyCards: { accepted: true },
  CutStack: { position: 100 },
  AcceptCut: { seat: 3, position: 100 },
  InsertCuttingCards: { from_back: 20 },
  ViewSpread: { seat: 3 },
  DrawCard: { card: "next" },
};

const client = (token: string): Service =>
  createClient<paths>({ baseUrl: place, headers: { Authorization: `Bearer ${token}` } });
const key = () => ({ "Idempotency-Key": crypto.randomUUID() });

async function does(who: Service, body: Command) {
  const { data, error } = await who.POST("/v1/tables/{table}/commands", {
    params: { path, header: key() },
    body,
  });
  if (data === undefined) throw new Error(`${error.code}: ${error.detail}`);
  return data;
}

const licensee = client(licenseeToken);
const floor = client(floorToken);
const dealer = client(dealerToken);

const made = await licensee.POST("/v1/tables", {
  params: { query: { cards: "sealed", notified: "2001-01-01T12:00:00Z" } },
  body: JSON.parse(readFileSync(submission, "utf-8")),
});
if (made.data?.table !== path.table) throw new Error(made.error?.detail);

const waits = await does(floor, {
  type: "OpenTable", inventory_cents: 5_000_000, dealer: "Dana", floorperson: "Flo", gaming_date: "2011-02-22",
});
if (waits.consent === undefined) throw new Error("no consent is asked for");
await dealer.POST("/v1/tables/{table}/consents/{consent}", {
  params: { path: { ...path, consent: waits.consent.id }, header: key() },
  body: { consent: true },
});
await does(dealer, { type: "SeatPatron", seat: 3, patron: "Pat" });
await does(dealer, { type: "BuyChips", seat: 3, cents: 100_000 });

let wagered = false;
for (let last = ""; last !== "ClearLayout"; ) {
  for (const who of [dealer, floor]) {
    const { data } = await who.GET("/v1/tables/{table}/legal", { params: { path } });
    const act = data?.acts.find((one) => one.must && one.gives);
    if (act === undefined) continue;
    if (act.command === "CallNoMoreBets" && !wagered) {
      wagered = true;
      await does(dealer, { type: "PlaceWager", seat: 3, wager: "banker", cents: 10_000 });
    }
    await does(who, { type: act.command, ...FIELDS[act.command] } as Command);
    last = act.command;
    break;
  }
}

const refused = await floor.POST("/v1/tables/{table}/days", { params: { path, header: key() } });
if (refused.error?.code !== "day_under_way") throw new Error(refused.error?.detail);

const { data } = await dealer.GET("/v1/tables/{table}", { params: { path } });
console.log(JSON.stringify({ seq: data?.seq, round: data?.results?.[0]?.round, rounds: data?.seen?.rounds }));
