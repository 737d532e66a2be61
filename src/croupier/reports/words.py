"""What pages and terminals say of their own, in English: another language is another catalog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["DRAW", "QUESTIONS", "SCRIPT", "WORDS", "dollars", "said_of_hidden", "say"]

DRAW: Final = "DrawCard"
"""The act that a card pad enters."""

WORDS: Final[Mapping[str, str]] = {
    "service": "Croupier",
    "enter": "Enter",
    "enter.words": "This link opens the pages of one office, once.",
    "skip": "Go to what is next",
    "tables": "Tables",
    "table": "Table {table}",
    "tables.of": "Tables of pit {pit}",
    "none": "none",
    "office": "{person} · {office}",
    "office.seat": "{person} · seat {seat}",
    "as.of": "As of entry {seq}. Reload to see more.",
    "reload": "Reload",
    "done": "Done.",
    "refused": "Refused: {why}",
    "next": "Next",
    "next.none": "Nothing is due from you. The table: {phase}.",
    "next.other": "Waiting for the {who}: {words}",
    "clauses": "Clauses",
    "say": "Say",
    "say.now": "Said",
    "card": "Card",
    "card.rank": "Rank",
    "card.suit": "Suit",
    "card.unseen": "Its face is not seen",
    "card.next": "Deal the next card of the sealed shoe",
    "card.chosen": "Rank {rank}",
    "pay": "Collect and pay, in this order",
    "layout": "Layout",
    "layout.twin": "Layout as a table",
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
    "no.cards": "no cards",
    "face.down": "face down",
    "waiting": "Out of the shoe: {card}, for the {waits_for}",
    "irregular": "Report an irregularity",
    "irregular.words": "What happened?",
    "acts": "Other acts",
    "acts.none": "No other act is allowed now.",
    "consent": "{words}. Needs the consent of the {who}.",
    "consents": "Waiting for consent",
    "consents.none": "Nothing waits for consent.",
    "consent.yes": "Consent",
    "consent.no": "Decline",
    "consent.asked": "Asked by {who}; until {until} UTC",
    "waits.for.consent": "It waits for the consent of the {who}.",
    "declined": "Declined.",
    "yes": "Yes",
    "no": "No",
    "value.none": "not stated",
    "dollars": "in dollars, such as 25 or 2.50",
    "dollars.range": "{least} to {most}, in steps of {unit}",
    "count.range": "{least} to {most}",
    "chips.hint": "value x number, such as 25x4 100x2",
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
    "roads.none": "No round of this shoe is over.",
    "ask": "If this hand wins next",
    "ask.road": "Derived road",
    "ask.nothing": "no mark",
    "red": "red (repeats)",
    "blue": "blue (does not)",
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_pig": "Cockroach pig",
    "round": "Round",
    "winner": "Winner",
    "natural": "natural",
    "player_pair": "Player pair",
    "banker_pair": "Banker pair",
    "limits": "Limits",
    "wager": "Wager",
    "least": "Minimum",
    "most": "Maximum",
    "pays": "Pays",
    "meters": "Meters",
    "last": "Last result",
    "last.none": "No result yet.",
    "own": "My chips",
    "own.none": "No one sits in seat {seat} yet. The dealer seats you.",
    "bet": "My wagers",
    "bet.closed": "Wagers are closed.",
    "bet.add": "Place",
    "bet.total": "Total",
    "bet.on": "{title}: placed {placed}",
    "bet.back": "Take back {title} {amount}",
    "bet.less": "Less on {title}",
    "bet.more": "More on {title}",
    "offers": "You are asked",
    "result.mine": "My last round",
    "facts": "At a glance",
    "phase": "Phase",
    "paused": "Paused",
    "flawed": "Cards out of use",
    "gaming.day": "Gaming day",
    "rounds": "Rounds today",
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
    "link.words": "The link is shown once and opens the seat's page once, within ten minutes.",
    "link.person": "Name of the patron",
    "link.make": "Make the link",
    "link.made": "Link for {person}, seat {seat}:",
    "entries": "Entries",
    "look.back": "Look back",
    "entry": "Entry",
    "entry.at": "At entry {seq} of {last}",
    "entry.now": "Now, at entry {last}",
    "entry.go": "Show this entry",
    "entry.before": "Entry before",
    "entry.after": "Entry after",
    "entry.newest": "Newest",
    "when": "Time (UTC)",
    "by": "By",
    "what": "What",
    "refusals": "Refusals",
    "refusals.none": "Nothing was refused.",
    "code": "Code",
    "odds": "Exact odds by the open cards",
    "odds.show": "Work out the odds of this moment",
    "odds.none": "There are none now: {why}",
    "odds.wager": "Wager",
    "odds.value": "Expectation of a unit staked",
    "ledger": "Accounts",
    "account": "Account",
    "amount": "Amount",
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
    "keys.terminal": "Enter do it · rank, suit: a card · u cancel · o other acts · ! irregularity\n"
    "? clause · r roads · l limits · n record · x leave",
    "keys.terminal.acting": "Enter do it · o acts · y, n: consent, or not\n"
    "? clause · r roads · l limits · n record · x leave",
    "keys.terminal.reading": "? clause · r roads · l limits · n record · x leave",
    "keys.dealer": "A 2-9 T J Q K, then c d h s: a card. Enter: what is next. !: irregularity."
    " ?: clauses. u: take back the rank.",
    "keys.seat": "Up and down: another wager. Enter: place. Esc: clear.",
    "keys.watch": "[ and ]: entry before and after.",
    "keys.floor": "y and n: consent to the first act that waits, or decline it.",
    "error.no_token": "Your session is over, or has not begun. Ask for a new link, and open it in"
    " this browser.",
    "error.title": "This cannot be shown",
    "error.form": "the form is not of this session: reload the page and send it again",
    "error.read": "{label}: {why}",
    "error.cents": "write dollars, such as 25 or 2.50",
    "error.count": "write a whole number",
    "error.chips": "write value x number, such as 25x4",
    "error.choice": "choose one of the list",
    "error.rank": "choose a rank before the suit",
}

_MASK: Final = "??"
"""How the views write what is not shown."""

SCRIPT: Final[Mapping[str, str]] = {
    "live": "Live",
    "reconnecting": "Reconnecting ({seconds} s)",
    "stale": "Out of date since {time}",
    "no_owner": "No service answers for this table",
    "held": "Not live: nothing can be sent until the connection is back.",
    "sending": "Sending",
    "unsure": "It is not known whether it arrived. It is sent again under the same key.",
    "done": "Done.",
    "total": "Total ${amount}",
}
"""What the script says, which a page carries for it."""

QUESTIONS: Final[Mapping[str, str]] = {
    "DrawCardInError": "Was a card drawn that is not due, or was one shown too early?",
    "FindFaceUpCard": "Did you find a card face up in the shoe?",
    "FindWrongCard": "Is a card damaged, missing, one too many, or of another deck?",
    "FindShoeEmpty": "Are there too few cards left to finish the round?",
    "CorrectMisreadCard": "Was a card recorded as another one than lies there?",
    "CorrectWager": "Was a wager recorded wrongly?",
    "CorrectSettlement": "Was a round settled wrongly?",
    "PassOverHeldCard": "Should the card that was set aside not be used?",
    "BeginSimulatedRound": "Should the cards be dealt to no one?",
    "RequireRelinquishment": "Does a patron keep the cards of a hand?",
    "RecallHand": "Did the patron who holds a hand walk away?",
    "VoidRound": "Can this round not be finished?",
    "PauseTable": "Must play stop?",
}
"""Plain questions behind the commands that report an irregularity."""


def say(what: str, **values: object) -> str:
    """Return words of the catalog.

    >>> say("table", table="MB-101")
    'Table MB-101'
    """
    return WORDS[what].format(**values)


def said_of_hidden(text: str) -> str:
    """Return a line of the narration with words in the place of what is not shown.

    >>> said_of_hidden("Player's Hand, first card: ??, face down")
    "Player's Hand, first card, face down"
    >>> said_of_hidden("seat 2 Banker ??, Tie ??")
    'seat 2 Banker [not shown], Tie [not shown]'
    """
    return text.replace(f": {_MASK}, {WORDS['face.down']}", f", {WORDS['face.down']}").replace(
        _MASK, WORDS["hidden"]
    )


def dollars(cents: int) -> str:
    """Return an amount as pages show it.

    >>> dollars(250_000), dollars(1_250)
    ('$2,500', '$12.50')
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${whole:,}" + (f".{rest:02}" if rest else "")
