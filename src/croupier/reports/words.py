"""English texts of pages and terminals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.law.usage import currency_in_use, money, named
from croupier.reports.terminal_words import DRILL_WORDS, TERMINAL_WORDS

DRAW: Final = "DrawCard"
"""The act that a card pad enters."""

WORDS: Final[Mapping[str, str]] = {
    "service": "Croupier",
    "enter": "Enter",
    "enter.words": "This link opens the pages of one office, once.",
    "enter.link.of": "You are {office} at {tables}, until {until} UTC. The link opens this once.",
    "enter.code": "Code that the person who consented has given you",
    "enter.link": "Link that you were given",
    "leave": "Sign out",
    "left": "You are signed out. A new link signs you in again.",
    "enter.as": "You are {person}. In which office do you enter?",
    "enter.office": "Enter as {office} of pit {pit}",
    "enter.none": "None of your groups has an office here.",
    "skip": "Go to what is next",
    "tables": "Tables",
    "table": "Table {table}",
    "tables.of": "Tables of pit {pit}",
    "none": "none",
    "office": "{person} · {office}",
    "office.seat": "{person} · seat {seat}",
    "as.of": "As of entry {seq}",
    "reload": "Reload",
    "turn": "Turn the table",
    "done": "Done.",
    "refused": "Refused: {why}",
    "next": "Next",
    "next.none": "Nothing waits for you.",
    "next.off.duty": "You are not assigned to this table. The floorperson assigns you.",
    "next.consent": "Answer what waits for your consent",
    "next.paused": "The table is paused: play waits until the floorperson resumes it.",
    "next.resume": "The table is paused: play waits until you let it go on, under Other acts.",
    "next.which": "{words}. {which}",
    "next.amount": "{words}: {amount}",
    "next.seats": "Seats {seats}: {words}",
    "total.collect": "collect {amount}",
    "total.pay": "pay {amount}",
    "total.mark": "mark {amount} of vigorish",
    "total.vigorish": "collect {amount} of vigorish",
    "total.next": ", then ",
    "next.other": "Waiting for {who}: {words}",
    "clauses": "Clauses",
    "clauses.more": "and {many} more",
    "say": "Say",
    "say.now": "Said",
    "card": "Card",
    "card.rank": "Rank",
    "card.suit": "Suit",
    "card.unseen": "Its face is not seen",
    "card.misread": "{card}: correct what was entered",
    "card.burned": "{card}: burned, card {at}",
    "card.discarded": "{card}: discarded, card {at}",
    "card.of": "{card}: {hand}, card {at}",
    "card.next": "Deal the next card of the sealed shoe",
    "pay": "Collect and pay, in this order",
    "then.ClearLayout": "Settle and clear",
    "then.alone": "Settle only",
    "collect.due": "Collect {amount} of vigorish from {many} seats",
    "collect.all": "Collect all: {amount}",
    "collect.one": "Collect from one seat",
    "collect.seat": "Seat {seat}: {amount}",
    "layout": "Layout",
    "seats": "Seats and stakes",
    "seat": "Seat",
    "patron": "Patron",
    "chips": "Chips",
    "owed": "Vigorish owed",
    "away": "away",
    "stakes": "Stakes",
    "hands": "Hands",
    "hand.player": "Player",
    "hand.banker": "Banker",
    "hand.tie": "Tie",
    "count": "count {count}",
    "face.down": "face down",
    "waiting": "Out of the shoe: {card}, for the {waits_for}",
    "waiting.now": "Out of the shoe: {card}, for this hand",
    "irregular": "Report an irregularity",
    "irregular.words": "What happened? A card that was entered wrongly: click it to correct it.",
    "drawer.irregular": "Irregularity",
    "drawer.acts": "Other acts",
    "drawer.roads": "Roads",
    "drawer.limits": "Limits",
    "drawer.told": "History",
    "drawer.table": "Table",
    "drawer.search": "Search",
    "irregular.at": "Irregular",
    "line.money": "money",
    "line.card": "cards",
    "line.ruling": "rulings",
    "line.spoken": "calls",
    "line.act": "other acts",
    "amount.from": "Amount from",
    "drawer.odds": "Odds",
    "drawer.flag": "Flag, export",
    "drawer.refusals": "Refusals",
    "drawer.more": "More",
    "acts": "Other acts",
    "acts.none": "No other act is allowed now.",
    "consent": "{words}. Needs the consent of {who}.",
    "consents": "Waiting for consent",
    "consents.none": "Nothing waits for consent.",
    "consent.yes": "Consent",
    "consent.no": "Decline",
    "consent.withdraw": "Withdraw",
    "consent.noted": "Noted",
    "consent.declined": "{who} declined it",
    "consent.ended": "It was not done and no longer waits: {why}.",
    "consent.over": "{why}; the act no longer waits, and whoever asked for it sees why",
    "consent.stays": "{why}; the act waits on for its consent",
    "consent.asked": "asked by {who}, until {until} UTC",
    "waits.for.consent": "It waits for the consent of {who}.",
    "waits.for.nobody": " Nobody is assigned as {who}.",
    "declined": "It no longer waits.",
    "yes": "Yes",
    "no": "No",
    "value.none": "not stated",
    "suit.♣": "of clubs",
    "suit.♦": "of diamonds",
    "suit.♥": "of hearts",
    "suit.♠": "of spades",
    "value.same": "as it is",
    "dollars": "in {unit}, such as {example}",
    "dollars.range": "{least} to {most}, in steps of {unit}",
    "count.range": "{least} to {most}",
    "chips.of": "{label}: how many of each",
    "card.hint": "rank and suit, such as 9h or Td",
    "told": "What happened",
    "told.none": "Nothing has happened yet.",
    "hidden": "[not shown]",
    "hidden.stakes": "[not shown]: amounts that your office has no duty to see.",
    "hidden.others": "[not shown]: what concerns other patrons, or is for the staff alone.",
    "hidden.chips": "Chips and vigorish of other patrons are shown to them and to the staff alone.",
    "face.down.why": "Cards that lie face down are shown to no one until they are turned.",
    "roads": "Roads of this shoe",
    "roads.twin": "Roads as a table",
    "bead_plate": "Bead plate",
    "big_road": "Big road",
    "marks.what": "What the marks mean",
    "marks.letters": "P, B, T: Player, Banker, or Tie.",
    "marks.corners": "A spot at the upper left: a pair of Banker; at the lower right: of Player. A"
    " black corner: a natural.",
    "marks.ties": "A green slant in the big road: a tie, with their number if there are several.",
    "marks.derived": "In the three small roads red says that the big road repeats itself, and blue,"
    " with a hole or slanting the other way, that it does not.",
    "roads.none": "No round of this shoe is over.",
    "ask.nothing": "no mark",
    "red": "red",
    "blue": "blue",
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_pig": "Cockroach pig",
    "round": "Round",
    "winner": "Winner",
    "natural": "natural",
    "marks": "Natural and pairs",
    "player_pair": "Player pair",
    "banker_pair": "Banker pair",
    "limits": "Limits",
    "wager": "Wager",
    "least": "Minimum",
    "most": "Maximum",
    "pays": "Pays",
    "meters": "Meters",
    "last": "Last result",
    "board.betting": "Place your bets",
    "board.dealing": "No more bets",
    "board.decided": "Settling",
    "board.settled": "Settling",
    "board.shoe_completed": "End of the shoe",
    "board.closed": "Closed",
    "board.paused": "Play is stopped",
    "board.other": "Preparing the shoe",
    "board.place": "Shoe {shoe} · Round {round}",
    "board.dealt": "Cards of round {round}",
    "board.result": "Result of round {round}",
    "board.range": "{least}–{most}",
    "board.counts": "Results of this shoe",
    "counts.banker": "Banker",
    "counts.player": "Player",
    "counts.tie": "Tie",
    "counts.natural": "Naturals",
    "counts.banker_pair": "Banker pairs",
    "counts.player_pair": "Player pairs",
    "ask.if": "Next if",
    "pays.to": "to {most}",
    "last.none": "No result yet",
    "last.void": "Void",
    "last.returned": "The stakes were returned.",
    "last.tie": "Tie {player}",
    "last.player": "Player {player} over {banker}",
    "last.banker": "Banker {banker} over {player}",
    "limits.main": "Minimum and maximum",
    "own": "My chips",
    "own.none": "No one sits in seat {seat} yet. The dealer seats you.",
    "bet": "My wagers",
    "bet.closed": "Wagers are closed.",
    "bet.open": "Wagers are open until the call.",
    "bet.paused": "The table is paused.",
    "bet.placed": "Placed",
    "bet.from": "from {least}",
    "bet.add": "Place",
    "bet.back": "Take back {title} {amount}",
    "bet.undo": "Undo",
    "bet.double": "Double",
    "bet.repeat": "Repeat",
    "award.due": "Award due by hand: {amount}",
    "award.paid": "Award paid by hand: {amount}",
    "result.mine": "My last round:",
    "result.void": ": void, stakes returned",
    "result.none": "Nothing of mine was settled.",
    "result.wait": "No round is settled yet.",
    "facts": "At a glance",
    "phase": "Phase",
    "paused": "Paused",
    "status.paused": "{phase}, paused",
    "device.down": "Shuffling device failed",
    "status.down": "{phase}, shuffling device failed",
    "flawed": "Cards out of use",
    "by.hand": "By hand",
    "gaming.day": "Gaming day",
    "rounds": "Rounds today",
    "rounds.head": "Rounds",
    "shoe": "Cards in the shoe",
    "hands.left": "Hands left",
    "curator": "Shoe with",
    "curator.seat": "seat {seat}",
    "dealer": "the dealer",
    "tray": "Tray",
    "win": "Table win",
    "drop": "Drop",
    "staff": "On duty",
    "slips": "Slips under way",
    "link": "A link for a seat",
    "link.words": "The link is shown once and opens the seat's page once, within ten minutes."
    " The dealer or another supervisor consents on the page People, and gives the patron the code"
    " that the link takes.",
    "link.person": "Name of the patron",
    "link.make": "Make the link",
    "link.made": "Link for {person}, seat {seat}:",
    "people": "People",
    "people.waits": "Grants that wait for a second person",
    "people.waits.none": "No grant waits.",
    "people.asked": "{who} grants this until {until} UTC. Consent only to somebody you see: you are"
    " shown a code, and give it to that person alone.",
    "people.new": "Grant an office",
    "people.words": "The link is shown once and is good once, within ten minutes. Give it to the"
    " person. Somebody of another office consents, and gives the person the code that it takes.",
    "people.person": "Person",
    "people.office": "Office",
    "people.table": "Table",
    "people.tables.all": "all of mine",
    "people.seat": "Seat (of a patron)",
    "people.make": "Make the link",
    "people.grants": "Grants",
    "people.until": "Until (UTC)",
    "people.by": "Made by",
    "people.revoke": "Revoke",
    "people.made": "Link for {person}, {office}:",
    "people.needs": "It is good once {who} has consented on the page People. The person needs"
    " both the link and the code that is shown there.",
    "people.at.once": "It is good at once.",
    "people.code": "Code of {person}. Give it to that person alone; the link takes it for ten"
    " minutes:",
    "people.declined": "The grant was declined.",
    "people.revoked": "The grant was revoked, and every grant made under it.",
    "operator": "Operation of the service",
    "operator.alarms": "Alarms",
    "operator.raised": "Raised now: {count}",
    "operator.none": "No alarm is raised.",
    "operator.alarm": "{name}: raised",
    "operator.quiet": "{name}: not raised",
    "operator.elsewhere": "{name}: judged by Prometheus",
    "operator.acts": "Commands of the operations guide",
    "operator.do.check": "Check the store",
    "operator.of.check": "Verifies every record from scratch, in a process of its own.",
    "operator.do.copy": "Copy the store",
    "operator.of.copy": "Makes a new copy in the folder of --copies. The pit's record has it.",
    "operator.do.certificates": "Reload certificates",
    "operator.of.certificates": "New connections use the files as they are now.",
    "operator.do.hand-over": "Hand over the tables",
    "operator.of.hand-over": "Another process takes the pit over within a second; without one, it"
    " is back here in three.",
    "operator.runs": "Under way since {at} UTC.",
    "operator.done": "Done at {at} UTC.",
    "operator.failed": "Not done, at {at} UTC: run the command to see why.",
    "operator.differs": "A record differs, at {at} UTC: run the command to see where.",
    "operator.stayed": "No other process took the tables, at {at} UTC.",
    "operator.copy": "Copy the command",
    "operator.state": "State",
    "operator.records": "Records, leases, and followers",
    "operator.record": "Record",
    "operator.owner": "Served at",
    "operator.here": "this process",
    "operator.entries": "Entries",
    "operator.last": "Last entry (UTC)",
    "operator.followers": "Streams (waiting)",
    "operator.sessions": "Sessions, last sign-in (UTC)",
    "operator.waits": "waits for consent",
    "entries": "Entries",
    "look.back": "Look back",
    "entry": "Entry",
    "entry.at": "At entry {seq} of {last}",
    "entry.now": "Now, at entry {last}",
    "entry.go": "Show this entry",
    "entry.before": "Entry before",
    "entry.after": "Entry after",
    "round.before": "Round before",
    "round.after": "Round after",
    "entry.newest": "Newest",
    "when": "Time (UTC)",
    "by": "By",
    "what": "What",
    "search": "Search the record",
    "search.go": "Search",
    "search.found": "{many} entries say “{words}”, back to entry {read}.",
    "search.further": "Search further back",
    "search.end": "End the search",
    "flag.words": "Flag entry {seq}: what is odd about it",
    "flag.do": "Flag",
    "clips": "Export",
    "clip.none": "Surveillance that is assigned to this table exports entries: each is noted.",
    "days": "Gaming days",
    "day.number": "Day {day}",
    "day.entries": "{first} to {last}",
    "day.ended": "ended",
    "day.open": "under way",
    "day.all": "The table now, all days",
    "day.end": "Begin the next gaming day",
    "day.end.words": "The record of this day gets its last line, and the next record begins.",
    "day.amend": "Begin the next gaming day under an amendment",
    "day.amend.words": "The next day is under this submission; tray, Forms, and decks carry over.",
    "day.submission": "The table's submission under the amended text (TOML)",
    "day.notified": "When notice of its elections was given, if they require it",
    "day.not.yet": "The record of this day does not end yet: {why}.",
    "clip.words": "Each export is noted in the record.",
    "clip.first": "From entry",
    "clip.last": "To entry",
    "clip.log": "Save the excerpt",
    "clip.pdf": "Dispute report of round {number}",
    "clip.note": "Exported entries {first} to {last} of the record.",
    "clip.note.pdf": "Exported the report of the round that ends with entry {last}.",
    "alarm": "Record",
    "alarm.none": "Entries 1 to {through} are as decided.",
    "alarm.begun": "The record is being decided again.",
    "alarm.differs": "Alarm: entry {seq} is not recorded as it is decided ({kind}).",
    "alarm.look": "Look at the table before it",
    "alarm.what": "The table is paused until the floorperson resumes it with your consent. Export"
    " the entries around it, and have the record verified.",
    "alarm.short": "Alarm: entry {seq} differs",
    "owed.side": "Paid, and should have been paid",
    "owed.of": "Round {number}: {result}.",
    "owed.paid": "Paid",
    "owed.due": "Owed",
    "owed.compare": "Compared",
    "owed.all": "All {many} wagers",
    "owed.differences": "Differences",
    "owed.same": "as owed",
    "owed.differs": "{cents}",
    "owed.right": "Every wager was paid what it was owed.",
    "owed.wrong": "Wagers paid otherwise than owed: {many}",
    "owed.nothing": "There was no wager.",
    "stake": "Stake",
    "vigorish": "Vigorish",
    "why": "Why",
    "refusals": "Refusals",
    "refusals.none": "Nothing was refused.",
    "code": "Code",
    "odds": "Exact odds by the open cards",
    "odds.show": "Work out the odds of this moment",
    "odds.follow": "Work out the odds, and again as cards fall",
    "odds.end": "Do without the odds",
    "odds.none": "There are none now: {why}",
    "odds.wager": "Wager",
    "odds.value": "Expectation of a unit staked",
    "ledger": "Accounts",
    "account": "Account",
    "amount": "Amount",
    "fills": "Fills",
    "credits": "Credits",
    "hold": "Hold",
    "hold.day": "Share of the day's drop",
    "all": "All",
    "table.short": "Table",
    "wins.tables": "Win and hold by table",
    "wins.days": "Win and hold by gaming day",
    "wins.shoes": "Win by shoe",
    "shoe.short": "Shoe",
    "shoe.of": "{day}, shoe {number}",
    "day.opened": "Tray at opening",
    "day.fills": "Fills",
    "day.credits": "Credits",
    "day.tray": "Tray",
    "counted": "counted",
    "counted.head": "At the close",
    "reconciles": "The win follows from drop, Forms, fills, credits, and tray.",
    "reconciles.not": "A day's win does not follow from drop, Forms, fills, credits, and tray.",
    "slips.all": "Fills and credits",
    "slip": "Slip",
    "slip.kind": "Kind",
    "slip.state": "State",
    "slip.fill": "fill",
    "slip.credit": "credit",
    "slip.requested": "requested",
    "slip.issued": "issued",
    "slip.received": "received",
    "slip.void": "void",
    "counts": "Counts",
    "count.what": "Counted",
    "count.tray": "tray",
    "count.closing": "tray, at the close",
    "count.box": "drop box {box}",
    "count.found": "Found",
    "count.expected": "Expected",
    "count.differs": "Difference",
    "count.same": "none",
    "boxes.wait": "Drop boxes that wait to be counted: {boxes}",
    "forms.compared": "Forms compared",
    "forms.matched": "Match",
    "forms.differing": "Amounts differ",
    "forms.without_original": "No original",
    "forms.without_duplicate": "No duplicate",
    "elections": "Elections and notices",
    "elections.all": "Every election in force ({many})",
    "rule": "Rule",
    "elected": "Elected",
    "notices": "Notices that are pending",
    "notices.none": "No change of an election is pending.",
    "notice.to": "Notice to",
    "pit.decided": "Notices and changes of this pit",
    "pit.title": "Pit {pit}",
    "pit.open": "Open the page of the pit",
    "pit.acts": "What the licensee may do",
    "pit.licensee": "Notices, changes of elections, and admissions are given by the licensee.",
    "pit.none": "The pit has no record yet: it begins with a table or a notice.",
    "pit.admitted": "Admitted",
    "lines.elections": "a line for each: rule = value",
    "lines.companions": "a line for each: table: rule = value",
    "lines.limits": "a line for each: table: wager = minimum to maximum",
    "instead": "What you may do instead: {act}",
    "instead.notice": "give notice to each of them, and make the change once its time has passed",
    "instead.not_uniform": "name every table that must agree, and change them together",
    "instead.elections": "choose values that go together; what one table needs besides is an"
    " election of that table alone, or a limit",
    "instead.no_table": "mark the tables at which the elections change, or admit the table first",
    "instead.table_open": "have the table closed, and withdraw it then",
    "instead.table_known": "choose another name, or withdraw that table first",
    "instead.time": "leave the time empty: the service fills in its own",
    "instead.stale": "look at what has happened since, and ask again",
    "instead.reload": "reload the page and ask again",
    "pit.waits": "Table {table}: the change of entry {entry} waits for its moment.",
    "pace": "Pace",
    "pace.hour": "{many} rounds an hour",
    "pace.none": "not known yet",
    "irregular.many": "Irregularities",
    "win.off": "Off by",
    "win.deviations": "{many} deviations",
    "win.band": "Win {win} after {many} rounds; predicted {mean}, within {low} and {high}",
    "waits.many": "Acts that wait for you: {many}",
    "about.people": "Who stands where",
    "about.chips": "Fills, credits, and counts",
    "about.patrons": "Patrons and seats",
    "about.cards": "Cards and cut",
    "about.money": "Wagers and vigorish",
    "about.paper": "Forms",
    "about.rules": "Elections and notices",
    "about.other": "Besides",
    "forms": "Forms",
    "serial": "Serial",
    "void": "Void",
    "dropped": "In the drop box",
    "account.win_cents": "Table win",
    "account.drop_cents": "Drop",
    "account.fills_cents": "Fills",
    "account.credits_cents": "Credits",
    "account.forms_cents": "Forms",
    "account.vigorish_cents": "Vigorish taken",
    "keys": "Keys",
    "keys.on": "Use keys",
    "keys.dealer": "A 2-9 T J Q K, then c d h s: a card. Enter: what is next. !: irregularity."
    " ?: clauses. u: take back the rank. A card that was mistyped: click it.",
    "keys.answer": "y and n: consent to the first act that waits, or decline it.",
    "keys.pause": "p: pause.",
    "keys.seat": "Up and down: another wager. Enter: place. Esc: clear.",
    "keys.watch": "[ and ]: entry before and after. { and }: round before and after. /: search."
    " f: flag this entry.",
    "keys.floor": "!: irregularity. Enter: what is next.",
    "keys.pit": "j and k: next table and the one before. Enter: open it.",
    "error.no_token": "Your session is over, or has not begun. Ask for a new link, and open it in"
    " this browser.",
    "error.title": "This cannot be shown",
    "error.form": "the form is not of this session: reload the page and send it again",
    "error.read": "{label}: {why}",
    "error.cents": "write {unit}, such as {example}",
    "error.count": "write a whole number",
    "error.choice": "choose one of the list",
    "error.rank": "choose a rank before the suit",
}

_MASK: Final = "??"
"""Hidden values as written by the views."""

SCRIPT: Final[Mapping[str, str]] = {
    "live": "Live",
    "reconnecting": "Reconnecting ({seconds} s)",
    "stale": "Out of date since {time}",
    "no_owner": "No service answers for this table",
    "held": "Not live: nothing can be sent until the connection is back.",
    "sending": "Sending",
    "unsure": "It is not known whether it arrived. It is sent again under the same key.",
    "done": "Done.",
    "copied": "Copied.",
    "total": "{amount}",
    "left": "{seconds} s",
    "key.rank": "{key}, then c d h s",
    "key.none": "“{key}” is not a key here",
}
"""Texts of the script, which every page contains."""

GROUPS: Final = ("people", "chips", "patrons", "cards", "money", "paper", "rules")
"""Subjects of acts, in the order of the pages."""


_CATALOG: Final[Mapping[str, str]] = {**WORDS, **DRILL_WORDS, **TERMINAL_WORDS}


def percent(part: int, total: int) -> str:
    """Share as pages show it, or ``none`` if there is no total.

    >>> percent(1_594, 10_000), percent(5, 0)
    ('15.94%', 'none')
    """
    return f"{100 * part / total:.2f}%".replace("-", "−") if total else WORDS["none"]


def say(name: str, /, **values: object) -> str:
    """Words of the catalog: of pages, drills, and terminals.

    >>> say("table", table="MB-101")
    'Table MB-101'
    """
    words = named(_CATALOG[name])
    return words.format(**values) if values else words


def office_words(office: str) -> str:
    return named(office)


def person_words(person: str) -> str:
    """Name of a person and office; records name unnamed staff by the id of the office."""
    name, bracket, office = person.partition(" (")
    return named(name, (name,)) + bracket + named(office)


def say_amounts(name: str) -> str:
    """Words of the catalog about amounts to enter, in the currency in use."""
    currency = currency_in_use()
    return say(name, unit=currency.unit, example=currency.example)


def said_of_hidden(text: str) -> str:
    """Line of the narration with words in place of hidden values.

    >>> said_of_hidden("Player's Hand, first card: ??, face down")
    "Player's Hand, first card, face down"
    >>> said_of_hidden("seat 2 Banker ??, Tie ??")
    'seat 2 Banker [not shown], Tie [not shown]'
    """
    return text.replace(f": {_MASK}, {WORDS['face.down']}", f", {WORDS['face.down']}").replace(
        _MASK, WORDS["hidden"]
    )


def notation() -> tuple[str, int]:
    """Sign of the currency and its decimals, for the script of a page."""
    currency = currency_in_use()
    return currency.sign, currency.decimals


def chip_rail() -> tuple[int, ...]:
    """Chips of a bettor's page; the second is selected initially.

    >>> chip_rail()
    (500, 2500, 10000, 50000, 100000)
    """
    currency = currency_in_use()
    larger = [chip for chip in currency.chips if chip >= 5 * currency.minor] or currency.chips
    return tuple(larger[:5])


def typed(text: str) -> int | None:
    """Amount typed on a page; ``None`` if it is invalid."""
    return currency_in_use().typed(text)


def plain(cents: int) -> str:
    """Amount as written in a field of a page.

    >>> plain(2500), plain(250)
    ('25', '2.50')
    """
    return dollars(cents).removeprefix(currency_in_use().sign).replace(",", "")


def dollars(cents: int | None) -> str:
    """Amount as people read it; empty if it is not shown.

    >>> dollars(250_000), dollars(1_250), dollars(None)
    ('$2,500', '$12.50', '')
    """
    return "" if cents is None else money(cents, short=True).replace("-", "−")
