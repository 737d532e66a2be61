"""The screen of an office, decided once for pages, terminals, and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from msgspec import Struct

from croupier import acts
from croupier.acts.command import TERMS
from croupier.acts.fields import label_of
from croupier.acts.roles import POSTED, OfficePage, Role, Side, includes, offices_in_words
from croupier.acts.sentences import sentence
from croupier.law.usage import named
from croupier.reports.figures import rank_and_suit
from croupier.reports.words import (
    DRAW,
    GROUPS,
    WORDS,
    dollars,
    person_words,
    said_of_hidden,
    say,
    say_amounts,
)

if TYPE_CHECKING:
    from croupier.records.view.documents import (
        ActSeen,
        ChoiceSeen,
        EntrySeen,
        HandName,
        HandSeen,
        LineSeen,
        PlayWaits,
        SeatSeen,
        StakeSeen,
        TableSeen,
        WagerSeen,
        WaitingCard,
    )

CLOSED: Final = "??"
"""A card that lies face down."""
MISREAD: Final = "CorrectMisreadCard"
COLLECT: Final = "CollectVigorish"
_OPENS: Final = {"BuyChips", "SeatPatron"}
"""Acts without which nobody can wager."""
_ASSIGNED: Final = {*POSTED, Role.PATRON} - {Role.LICENSEE}
"""Offices that act at a table once they are assigned to it; the licensee acts for the pit."""
_TIE: Final = "tie"

One = TypeVar("One")


class OfficeView(NamedTuple):
    """What an office may see of a table, and do there.

    ``due`` is the known result of the act that is due, and ``then`` the act that goes on with it,
    if nothing is open. ``consents`` are pending acts that the viewer gave or may consent to.
    ``side`` is the chosen side of the table, if not that of the office.
    """

    office: str
    seen: TableSeen
    acts: Sequence[ActSeen] = ()
    roads: Mapping[str, Any] = {}
    due: EntrySeen | None = None
    consents: Sequence[Mapping[str, Any]] = ()
    then: str | None = None
    on_duty: bool = True
    recent: Sequence[EntrySeen] = ()
    side: Side | None = None
    waits: PlayWaits | None = None


class ShownHand(NamedTuple):
    """A hand, with its result in words if there is one."""

    hand: HandSeen
    result: str

    @property
    def is_tied(self) -> bool:
        return self.result == say("hand.tie")


class SettledWager(NamedTuple):
    """A wager that is collected or, with what it pays, paid; in the order of settlement."""

    seat: int
    wager: str
    paid_cents: int | None


class Pending(NamedTuple):
    """A pending act in words, with who asked until when, and who must consent to one's own.

    If it has ended, ``needs`` says why.
    """

    id: str
    words: str
    asked: str
    needs: str
    is_own: bool
    is_ended: bool


class Screen(Struct, frozen=True, kw_only=True):
    """What an office is shown: seats and hands from left to right, as it sees the table.

    ``waiting`` are the cards that are out of the shoe and in no hand, in words. ``prompt`` says
    what is next, and ``press`` what one key does of it: the first act of ``due`` with ``then``, or
    the collection of all that is ``owed``, in cents by seat. ``placed`` says where its card goes.
    ``says`` is what the dealer says with it, or has said last, and ``amounts`` are collections and
    payments in their order, unless some are hidden; ``settled`` has the same by wager.
    ``awaited`` are acts that others wait for meanwhile. ``many`` acts and consents wait for the
    viewer in all.
    """

    side: Side
    status: str
    hands: tuple[ShownHand, ...]
    waiting: tuple[str, ...]
    seats: tuple[SeatSeen, ...]
    prompt: str
    press: str
    placed: str
    clauses: tuple[str, ...]
    due: tuple[ActSeen, ...]
    then: str | None
    owed: Mapping[int, int]
    says: tuple[str, str] | None
    amounts: tuple[LineSeen, ...]
    settled: tuple[SettledWager, ...]
    consents: tuple[Pending, ...]
    awaited: tuple[ActSeen, ...]
    irregular: tuple[ActSeen, ...]
    others: tuple[ActSeen, ...]
    facts: Mapping[str, str | tuple[str, ...]]
    many: int


def screen(view: OfficeView) -> Screen:
    role, seen = Role(view.office), view.seen
    side = view.side or role.side
    bets = role.office.page is OfficePage.SEAT
    own = _own(view, bets=bets)
    due = _due(role, own)
    owed = _owed(due)
    then = view.then if due and TERMS[due[0]["command"]].then == view.then else None
    how, pending = seen["prompt"], tuple(_pending(one, seen) for one in view.consents)
    is_other = view.due and due and due[0]["command"] != view.due["command"]["type"]
    result = None if is_other else view.due
    cited = [*due[0]["clauses"], *(how["clauses"] if how else ())] if due else []
    return Screen(
        side=side,
        status=_status(role, seen),
        hands=hands_shown(seen["round"], side),
        waiting=tuple(map(card_waiting, seen["waiting"])),
        seats=_from(side, seen["seats"]),
        prompt=_totals(result, due) or _prompt(view, due, owed),
        press=_press(due, then, owed),
        placed=how["words"] if how and any(one["command"] == DRAW for one in due) else "",
        clauses=tuple(dict.fromkeys(cited)),
        due=tuple(due),
        then=then,
        owed=owed,
        says=None if is_other else _says(view),
        amounts=() if owed or result is None else _amounts(result),
        settled=tuple(_settled(view.due)),
        consents=pending,
        awaited=tuple(one for one in own if one not in due),
        irregular=() if bets else tuple(_irregular(view)),
        others=_others(view, own, bets=bets),
        facts=facts_shown(view),
        many=sum(not (one.is_own or one.is_ended) for one in pending)
        + sum(one["awaited"] for one in own),
    )


def _from(side: Side, across: Sequence[One]) -> tuple[One, ...]:
    """Return what lies across the table, for patrons from left to right, from a side of it."""
    return tuple(across if side == "patrons" else reversed(across))


def _status(role: Role, seen: TableSeen) -> str:
    if role.office.page is OfficePage.BOARD:
        phase = "paused" if seen["paused"] else seen["phase"]["id"]
        return say(f"board.{phase}" if f"board.{phase}" in WORDS else "board.other")
    phase = seen["phase"]["words"]
    if seen["device_down"]:
        phase = say("status.down", phase=phase)
    return say("status.paused", phase=phase) if seen["paused"] else phase


def hands_shown(round_: Mapping[str, Any] | None, side: Side) -> tuple[ShownHand, ...]:
    """Hands of a round from a side of the table; without a round, they are empty.

    >>> [one.hand["hand"] for one in hands_shown(None, "dealer")]
    ['banker', 'player']
    """
    dealt = [no_hand("player"), no_hand("banker")] if round_ is None else round_["hands"]
    won = None if round_ is None else round_["winner"]
    tied = say("hand.tie") if won == _TIE else ""
    return _from(
        side,
        [ShownHand(one, say("winner") if won == one["hand"] else tied) for one in dealt],
    )


def no_hand(name: HandName) -> HandSeen:
    return {
        "hand": name, "cards": [], "count": None, "holder": None, "handed": False, "to_turn": False,
    }  # fmt: skip


def face(card: str) -> str:
    """Card as people read it.

    >>> face("Th"), face("??")
    ('10♥', 'face down')
    """
    return say("face.down") if card == CLOSED else "".join(rank_and_suit(card))


def card_waiting(card: WaitingCard) -> str:
    """Card that is out of the shoe and in no hand.

    >>> card_waiting({"card": "??", "waits_for": "this hand"})
    'Out of the shoe: face down, for this hand'
    """
    words = "waiting.now" if card["waits_for"] == "this hand" else "waiting"
    return say(words, card=face(card["card"]), waits_for=card["waits_for"])


def staked(stake: StakeSeen) -> int | None:
    """Return what lies on a wager, coupon and chips, in cents; ``None`` if it is not shown."""
    if stake["chips_cents"] is None:
        return None
    return stake["chips_cents"] + (stake["coupon_cents"] or 0)


def odds_of(wager: WagerSeen) -> list[str]:
    """Return what the lines of a wager pay, each odds once."""
    return [*dict.fromkeys(filter(None, wager["pays"].values()))]


def range_of(wager: WagerSeen) -> str:
    least, most = dollars(wager["min_cents"]), dollars(wager["max_cents"])
    is_range = most not in {"", least}
    return say("board.range", least=least or dollars(0), most=most) if is_range else least


def named_patron(seat: SeatSeen) -> str:
    """Return who sits in a seat; empty for nobody."""
    return seat["patron"] or (say("patron") if seat["taken"] else "")


# --- what is next --------------------------------------------------------------------------------


def _own(view: OfficeView, *, bets: bool) -> list[ActSeen]:
    """Return the viewer's acts that play or others wait for, unless they await a consent."""
    asked = [one for one in view.consents if "ended" not in one]
    return [
        act
        for act in view.acts
        if act["gives"]
        and (act["must"] or (act["awaited"] and not bets))
        and not ((act["also"] or not act["must"]) and any(_asks(one, act) for one in asked))
    ]


def _asks(pending: Mapping[str, Any], act: ActSeen) -> bool:
    seats = None, pending["fields"].get("seat")
    return pending["command"] == act["command"] and act["seat"] in seats


def _due(role: Role, own: Sequence[ActSeen]) -> list[ActSeen]:
    """Acts that are next.

    The dealer goes on with the round, once a patron has chips for it; for every other office, what
    others wait for comes first.
    """
    if opens := [one for one in own if one["awaited"] and one["command"] in _OPENS]:
        return opens[:1]
    round_ = [one for one in own if one["must"]] if role is Role.DEALER else []
    return round_ or sorted(own, key=lambda one: not one["awaited"])


def _owed(due: Iterable[ActSeen]) -> dict[int, int]:
    found = {
        act["seat"]: field["default"]
        for act in due
        for field in act["fields"]
        if act["command"] == COLLECT
        and field["name"] == "cents"
        and act["seat"]
        and field["default"]
    }
    return found if len(found) > 1 else {}


def _press(due: Sequence[ActSeen], then: str | None, owed: Mapping[int, int]) -> str:
    if owed:
        return say("collect.all", amount=dollars(sum(owed.values())))
    return say(f"then.{then}") if then else due[0]["words"] if due else ""


def _prompt(view: OfficeView, due: Sequence[ActSeen], owed: Mapping[int, int]) -> str:
    page = Role(view.office).office.page
    if owed:
        return say("collect.due", many=len(owed), amount=dollars(sum(owed.values())))
    if due:
        return "; ".join(_together(one for one in due if one["awaited"] is due[0]["awaited"]))
    if page is OfficePage.BOARD:
        return ""
    if page is OfficePage.SEAT:
        if any(act["command"].startswith("Place") and act["gives"] for act in view.acts):
            return say("bet.open")
        return say("bet.paused" if view.seen["paused"] else "bet.closed")
    asked = [one for one in view.consents if "ended" not in one]
    if not all(one["mine"] for one in asked):
        return say("next.consent")
    waits = [act for act in view.acts if act["must"] or act["awaited"]]
    if waits and not waits[0]["gives"]:
        return _other(waits[0]["who"], waits[0]["words"])
    if asked:
        return _pending(asked[0], view.seen).needs
    return _idle(view)


def title_of(command: str) -> str:
    """Title of an act of any seat, with the law's names of offices."""
    return named(TERMS[command].plain_title)


def field_title(command: str, field: str) -> str:
    """Label of a command's field; its name if there is none."""
    terms = TERMS.get(command)
    known = terms is not None and field in terms.command.__struct_fields__
    return named(label_of(terms.command, field)) if terms is not None and known else field


def _together(due: Iterable[ActSeen]) -> Iterator[str]:
    found: dict[str, dict[str, int]] = {}
    for act in due:
        words = _with_amount(act)
        found.setdefault(act["command"] if act["seat"] else words, {})[words] = act["seat"] or 0
    before: list[int] = []
    for name, by_seat in found.items():
        seats = sorted(by_seat.values())
        said = ", ".join(map(str, seats))
        if len(seats) > 2 and seats == [*range(seats[0], seats[-1] + 1)]:
            said = say("count.range", least=seats[0], most=seats[-1])
        (words, *more) = by_seat
        if more:
            title = title_of(name)
            words = say("next.seats", seats=said, words=f"{title[:1].lower()}{title[1:]}")
        elif seats == before:
            words = words.partition(": ")[2] or words
        yield words
        before = seats


def _with_amount(act: ActSeen) -> str:
    default = {field["name"]: field["default"] for field in act["fields"]}
    if act["command"] == COLLECT and default["cents"]:
        return say("next.amount", words=act["words"], amount=dollars(default["cents"]))
    if default.get("slip") and default.get("chips"):
        chips = {int(value): count for value, count in default["chips"].items()}
        return sentence(getattr(acts, act["command"])(default["slip"], chips), {})
    # Which dispute is decided, and which award is paid.
    asked = [field["choices"] for field in act["fields"] if field["kind"] == "one"]
    named_ones = "; ".join(choice["label"] for choices in asked for choice in choices)
    return say("next.which", words=act["words"], which=named_ones) if named_ones else act["words"]


_TOTALS: Final = {
    "LosingWagersCollected": "total.collect", "StakesKept": "total.collect",
    "WagerPaid": "total.pay", "AwardPaid": "total.pay", "VigorishMarked": "total.mark",
    "VigorishCollected": "total.vigorish",
}  # fmt: skip
"""What is said of the total of each kind of event in a settlement."""


def _totals(entry: EntrySeen | None, due: Sequence[ActSeen]) -> str:
    found: dict[str, list[int | None]] = {}
    for event in entry["events"] if entry and due and due[0]["command"] != COLLECT else ():
        for share in event.get("stakes") or [event] if event["type"] in _TOTALS else ():
            amounts = found.setdefault(_TOTALS[event["type"]], [])
            amounts += [share["cents"], share.get("coupon_cents", 0)]
    if any(None in amounts for amounts in found.values()):
        return ""
    totals = (say(words, amount=dollars(sum(filter(None, one)))) for words, one in found.items())
    said = say("total.next").join(totals)
    return said[:1].upper() + said[1:]


def _idle(view: OfficeView) -> str:
    if not view.on_duty and view.office in _ASSIGNED:
        return say("next.off.duty")
    if view.seen["paused"]:
        resumes = any(act["gives"] and act["command"] == "ResumeTable" for act in view.acts)
        return say("next.resume" if resumes else "next.paused")
    if view.waits:
        return _other(**view.waits)
    is_betting = view.office == Role.DEALER and view.seen["phase"]["id"] == "betting"
    return say("bet.open" if is_betting else "next.none")


def _other(who: Iterable[str], words: str) -> str:
    return say("next.other", who=named(offices_in_words(who, "or")), words=words)


# --- amounts, and consents -----------------------------------------------------------------------


def lines_of(entry: Mapping[str, Any]) -> list[LineSeen]:
    """Return an entry's narration, with words in the place of what is not shown."""
    lines: Sequence[LineSeen] = entry["narration"]
    return [
        {
            **line,
            "text": said_of_hidden(line["text"]),
            "details": [*map(said_of_hidden, line["details"])],
        }
        for line in lines
    ]


def _says(view: OfficeView) -> tuple[str, str] | None:
    entries = [view.due] if view.due else view.recent[-1:]
    lines = [line for entry in entries for line in entry["narration"] if line["kind"] == "spoken"]
    if not lines or view.office != Role.DEALER:
        return None
    return say("say" if view.due else "say.now"), " ".join(line["text"] for line in lines)


def _amounts(due: EntrySeen) -> tuple[LineSeen, ...]:
    # What meters show moves no chips.
    lines = [line for line in lines_of(due) if line["kind"] == "money" and line["details"]]
    hidden = any(say("hidden") in detail for line in lines for detail in line["details"])
    return () if hidden else tuple(lines)


def _settled(due: EntrySeen | None) -> Iterator[SettledWager]:
    for event in () if due is None else due["events"]:
        if event["type"] in {"LosingWagersCollected", "StakesKept"}:
            yield from (SettledWager(one["seat"], one["wager"], None) for one in event["stakes"])
        elif event["type"] in {"WagerPaid", "AwardPaid"} and event["cents"] is not None:
            yield SettledWager(event["seat"], event["wager"], event["cents"])


def _pending(one: Mapping[str, Any], seen: TableSeen) -> Pending:
    until = datetime.fromtimestamp(one["until"] / 1000, UTC).strftime("%H:%M:%S")
    if ended := one.get("ended", ""):
        needs = say("consent.ended", why=ended)
    else:
        offices = named(offices_in_words(one["needs"])) if one["mine"] else ""
        needs = say("waits.for.consent", who=offices) if offices else ""
    held = seen["staff"]
    if needs and held is not None and not ended:
        # Without a sentence about it, an act would wait for an office that nobody holds.
        for office in _ASSIGNED.difference({Role.PATRON}).intersection(one["needs"]):
            if not any(includes(other, office) for other in held):
                needs += say("waits.for.nobody", who=named(office))
    asked = say("consent.asked", who=people_in_words(one["by"]), until=until)
    return Pending(one["id"], one["words"], asked, needs, one["mine"], bool(ended))


def people_in_words(by: Iterable[Mapping[str, Any]] | None) -> str:
    """Return who did something, each with the office.

    >>> people_in_words([{"person": "Dana", "office": "dealer"}])
    'Dana (dealer)'
    """
    return ", ".join(f"{person_words(one['person'])} ({named(one['office'])})" for one in by or ())


def bounds_of(field: Mapping[str, Any]) -> str:
    """Return what may be written into a field; empty if anything may.

    >>> bounds_of({"kind": "cents", "least": 500, "most": 10000, "unit": 500})
    '$5 to $100, in steps of $5'
    """
    kind, least, most = field["kind"], field.get("least"), field.get("most")
    if kind == "cents" and least is not None and most is not None and least < most:
        unit = dollars(field["unit"])
        return say("dollars.range", least=dollars(least), most=dollars(most), unit=unit)
    if kind == "count" and least is not None and most is not None and least < most:
        return say("count.range", least=least, most=most)
    if kind == "cents":
        return say_amounts("dollars")
    return say("card.hint") if kind == "card" else ""


# --- what lies in drawers ------------------------------------------------------------------------


def _others(view: OfficeView, own: Sequence[ActSeen], *, bets: bool) -> tuple[ActSeen, ...]:
    found = (
        act
        for act in view.acts
        if act["gives"] and act not in own and (bets or not TERMS[act["command"]].asks)
    )
    return tuple(sorted(found, key=lambda one: (*GROUPS, "other").index(group_of(one))))


def group_of(act: ActSeen) -> str:
    return TERMS[act["command"]].group or "other"


def _irregular(view: OfficeView) -> Iterator[ActSeen]:
    """Yield the acts that report an irregularity.

    Which of the open cards was misread is asked in place of its hand and place in it.
    """
    cards = _open_cards(view.seen)
    for act in sorted(view.acts, key=lambda act: TERMS[act["command"]].ends):
        if not (act["gives"] and TERMS[act["command"]].asks):
            continue
        if act["command"] != MISREAD:
            yield act
        elif cards:
            asked = (field for field in act["fields"] if field["name"] not in {"hand", "ordinal"})
            yield {**act, "fields": [
                {
                    **field, "kind": "choice", "choices": cards, "default": cards[-1]["value"],
                    "needed": False,
                } if field["name"] == "recorded" else field for field in asked
            ]}  # fmt: skip


def _open_cards(seen: TableSeen) -> list[ChoiceSeen]:
    set_aside = [
        (card, say(f"card.{where}", card=face(card), at=at))
        for where in ("burned", "discarded")
        for at, card in enumerate(seen["shoe"][where], start=1)
    ]
    found: list[ChoiceSeen] = [
        {"value": place_of_card(card, at=at), "label": label}
        for at, (card, label) in enumerate(set_aside, start=1)
    ]
    found += [
        {"value": place_of_card(card, hand["hand"], at),
         "label": say("card.of", card=face(card), hand=say(f"hand.{hand['hand']}"), at=at)}
        for hand in (seen["round"]["hands"] if seen["round"] else ())
        for at, card in enumerate(hand["cards"], start=1)
    ]  # fmt: skip
    found += [
        {"value": place_of_card(one["card"]), "label": card_waiting(one)} for one in seen["waiting"]
    ]
    return [one for one in found if one["value"]["recorded"] != CLOSED]


def place_of_card(one: str, hand: str | None = None, at: int = 0) -> dict[str, Any]:
    """Return a card's fields in a command that corrects it."""
    return {"recorded": one, "hand": hand, "ordinal": at}


def facts_shown(view: OfficeView) -> dict[str, str | tuple[str, ...]]:
    """Phase, the shoe, and the visible money, each by its name."""
    seen, shoe, tray, house = view.seen, view.seen["shoe"], view.seen["tray"], view.seen["house"]
    said: dict[str, str | tuple[str, ...]] = {
        say("phase"): _status(Role(view.office), seen),
        say("flawed"): seen["flawed"],
        say("by.hand"): tuple(seen["warnings"]),
        say("gaming.day"): seen["gaming_date"] or "",
        say("rounds"): str(seen["rounds"]),
        say("shoe"): str(shoe["remaining"]),
        say("hands.left"): "" if shoe["hands_left"] is None else str(shoe["hands_left"]),
    }
    if seen["curator"] is not None:
        seat = seen["curator"]["seat"]
        said[say("curator")] = say("dealer") if seat is None else say("curator.seat", seat=seat)
    for office, held in (seen["staff"] or {}).items():
        said[named(office).capitalize()] = ", ".join(map(person_words, held))
    if tray is not None:
        said[say("tray")] = dollars(tray["inventory_cents"])
        said[say("slips")] = ", ".join(f"{slip['kind']} {slip['slip']}" for slip in tray["slips"])
    if house is not None:
        said |= {say("win"): dollars(house["win_cents"]), say("drop"): dollars(house["drop_cents"])}
    return {name: one for name, one in said.items() if one}
