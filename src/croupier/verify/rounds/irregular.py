"""Verification of the procedures that follow an irregularity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from croupier.baccarat.cards import Card, Rank
from croupier.law.cite import once
from croupier.records.rounds.record import IrregularityMark, RoundRecord, Shown, shown_text
from croupier.rules import TableRules
from croupier.table.irregular.misdrawn import beside_disclosed, beside_face_up
from croupier.verify.rounds.findings import Finding

NOT_RECORDED = (
    "the handling of a card disclosed or face up is not recorded: there are no burned cards"
)

_NO_RULE = (
    "the handling of a card disclosed or face up is not checked: the excerpt has no rule for it"
)

_SEVERAL = "cards burned without a mark: whether several irregularities explain their number"

_BY_VALUE = "discard-by-value"
_ONE = "discard-one"
_SIMULATED = "simulated-round"
_FIRST_CARDS = 4


def rank_of(card: Card | Rank) -> Rank:
    return card.rank if isinstance(card, Card) else card


def same_card(card: Shown, recorded: Shown) -> bool:
    """Whether two cards may be the same, by suit if recorded."""
    if isinstance(card, Card) and isinstance(recorded, Card):
        return card is recorded
    return card is not None and recorded is not None and rank_of(card) is rank_of(recorded)


class _Due(NamedTuple):
    mark: IrregularityMark
    card: Card | Rank
    procedures: tuple[str, ...]
    discards: tuple[int, ...]
    clauses: tuple[str, ...]


class Irregularities:
    def __init__(self, rules: TableRules) -> None:
        self._rules = rules
        self._stays_in_play = rules.elected("irregularity.face_up", "in-play")
        self._due: list[_Due] = []
        self._held: list[Card | Rank] = []
        self._discarded: list[_Due] = []
        """Those of the row's own marks whose discards are in its burned cards."""
        self.unverified: list[str] = []

    @property
    def pending(self) -> bool:
        """Whether the next round is affected by earlier irregularities."""
        return bool(self._due or self._held)

    def before(self, record: RoundRecord, *, first: bool) -> Iterator[Finding]:
        is_simulated = record.marked("simulated")
        burned = () if first else (record.burned or ())
        dues, self._due, self._discarded = self._due, [], []
        if is_simulated and all(_SIMULATED in due.procedures for due in dues):
            # Each card begins a simulated round of its own; one may be discarded instead.
            begun = [due for due in dues if same_card(due.card, next(iter(_dealt(record)), None))]
            begun = (begun or dues)[:1]
            dues, self._due = begun, [due for due in dues if due not in begun]
        own = [] if _sums(dues) == {len(burned)} else self._own(record, burned)
        if burned and len(dues) + len(own) > 1 and not is_simulated and _sums(dues):
            self._discarded = list(own)
            yield from self._joint_findings([*dues, *own], burned, is_void=record.marked("void"))
        else:
            for number, item in enumerate(dues):
                yield from self._follow(item, record, burned, first=number == 0)
            is_marked = burned and any(same_card(burned[0], mark.card) for mark in record.marks)
            if not dues and burned and not is_marked:
                yield from self._burn_findings(burned, is_void=record.marked("void"))
        if is_simulated and not dues:
            yield from self._unasked()
        if self._held and not is_simulated:
            dealt = _dealt(record)
            # Cards that a hand does not need begin the next one.
            held_cards, self._held = self._held[:_FIRST_CARDS], self._held[_FIRST_CARDS:]
            if not all(map(same_card, held_cards, dealt)) or len(dealt) < len(held_cards):
                names = " ".join(map(shown_text, held_cards))
                message = f"a card drawn in error begins the next hand: {names} does not begin it"
                clauses = self._rules.cites("irregularity.drawn_in_error")
                if self._stays_in_play:
                    clauses = once(clauses, self._rules.cites("irregularity.face_up_card"))
                text = " ".join(map(shown_text, dealt[: len(held_cards)]))
                yield Finding("procedure", message, clauses, None, names, text)

    def after(self, record: RoundRecord, *, first: bool) -> Iterator[Finding]:
        burned = () if first else (record.burned or ())
        thirds = (*record.player[2:], *record.banker[2:])
        for mark in record.marks:
            is_in_play = mark.kind == "face-up" and self._stays_in_play
            dealt = (*record.player, *record.banker) if is_in_play else thirds
            if mark.card is None or any(same_card(card, mark.card) for card in dealt):
                continue  # A card that a hand was to have anyway went there.
            if mark.kind == "drawn-in-error" or is_in_play:
                self._held.append(mark.card)
                continue
            due = self._due_for(mark, mark.card)
            if due is None:
                self.unverified.append(_NO_RULE)
            elif due in self._discarded:
                self._discarded.remove(due)
            elif burned and same_card(burned[0], mark.card):
                yield from self._discard_findings(due, burned, is_void=record.marked("void"))
            else:
                self._due.append(due)
        if record.marked("free-hand") and self._rules.elected("free_hand.allowed", choice=False):
            clauses = self._rules.cites("free_hand")
            yield Finding(
                "procedure", "this table deals no free hands", clauses, None, None, "free"
            )

    def explain(self, record: RoundRecord, number: int) -> bool:
        """Return whether irregularities of a shoe's first row account for so many burned cards."""
        self._discarded = self._own(record, record.burned or ())
        return number in _sums(self._discarded)

    def _own(self, record: RoundRecord, burned: Sequence[Shown]) -> list[_Due]:
        """Return what the row's marks require of cards that are among its burned cards."""
        marks = (mark for mark in record.marks if mark.kind in {"disclosed", "face-up"})
        cards = ((mark, card) for mark in marks if (card := mark.card) is not None)
        dues = (self._due_for(mark, card) for mark, card in cards if _has(burned, card))
        return [due for due in dues if due is not None and due.discards]

    def _joint_findings(
        self, dues: Sequence[_Due], burned: Sequence[Shown], *, is_void: bool
    ) -> Iterator[Finding]:
        """Yield a finding of irregularities whose discards are burned together, in any order."""
        expected, number = max(_sums(dues)), len(burned)
        absent = next((due for due in dues if not _has(burned, due.card)), None)
        if absent is not None:
            message = f"{shown_text(absent.card)} goes to the discards; it was not burned"
            yield self._flaw(absent, message, _count(absent), number)
        elif number != expected and not (is_void and number < expected):
            names = " and ".join(shown_text(due.card) for due in dues)
            more = f"{expected - len(dues)} more; {number - len(dues)} went with them"
            yield self._flaw(dues[0], f"{names} are discarded with {more}", expected, number)

    def _due_for(self, mark: IrregularityMark, card: Card | Rank) -> _Due | None:
        rules = self._rules
        face_up = mark.kind == "face-up"
        election = "irregularity.face_up" if face_up else "irregularity.disclosed_card"
        if not rules.applies(election):
            return None
        procedure = rules.value(election, str)
        rank = rank_of(card)
        if face_up:
            clauses = rules.cites("irregularity.face_up_card")
            is_kept = self._stays_in_play or procedure == _SIMULATED
            cards = () if is_kept else (1 + beside_face_up(rank, rules),)
            return _Due(mark, card, (procedure,), cards, clauses)
        clauses = rules.cites_for("irregularity.disclosed_card", procedure)
        procedures: tuple[str, ...] = (procedure,)
        if rules.applies("irregularity.disclosed_other") and procedure != _SIMULATED:
            # Only Player's third card is subject to choice; a record does not say which was made.
            procedures = (procedure, _SIMULATED)
            clauses = (*clauses, *rules.cites("irregularity.disclosed_other"))
        discards = {"discard": (1,), _ONE: (2,), _SIMULATED: (), _BY_VALUE: ()}[procedure]
        if procedure == _BY_VALUE:
            discards = (1 + beside_disclosed(rank, rules),)
            clauses = (*clauses, *rules.cites("irregularity.discard_by_value"))
        return _Due(mark, card, procedures, discards, tuple(dict.fromkeys(clauses)))

    def _follow(
        self, due: _Due, record: RoundRecord, burned: Sequence[Shown], *, first: bool
    ) -> Iterator[Finding]:
        name = shown_text(due.card)
        if record.marked("simulated"):
            dealt = _dealt(record)
            if _SIMULATED not in due.procedures:
                message = f"{name} is discarded at this table; a simulated round was dealt"
                yield self._flaw(due, message, due.procedures[0], _SIMULATED)
            elif first and dealt and not same_card(dealt[0], due.card):
                message = f"the simulated round begins with {name}, which was disclosed"
                yield self._flaw(due, message, name, shown_text(dealt[0]))
        elif burned and same_card(burned[0], due.card):
            yield from self._discard_findings(due, burned, is_void=record.marked("void"))
        elif due.procedures == (_SIMULATED,):
            message = f"{name} begins a simulated round; none was dealt"
            yield self._flaw(due, message, _SIMULATED, None)
        elif record.burned is None:
            self.unverified.append(NOT_RECORDED)
        else:
            message = f"{name} goes to the discards; it was not burned"
            yield self._flaw(due, message, _count(due), len(burned))

    def _discard_findings(
        self, due: _Due, burned: Sequence[Shown], *, is_void: bool
    ) -> Iterator[Finding]:
        name = shown_text(due.card)
        if due.procedures == (_SIMULATED,):
            message = f"{name} begins a simulated round; it was discarded"
            yield self._flaw(due, message, _SIMULATED, "discarded")
        elif len(burned) not in due.discards and not (is_void and len(burned) < due.discards[0]):
            message = (
                f"{name} is discarded with {due.discards[0] - 1} more;"
                f" {len(burned) - 1} went with it"
            )
            yield self._flaw(due, message, _count(due), len(burned))

    def _ways(self, card: Card | Rank) -> list[_Due]:
        marks = (IrregularityMark(kind, card) for kind in ("disclosed", "face-up"))
        return [due for mark in marks if (due := self._due_for(mark, card)) is not None]

    def _burn_findings(self, burned: Sequence[Shown], *, is_void: bool) -> Iterator[Finding]:
        card, length = burned[0], len(burned)
        if card is None:
            return
        ways = self._ways(card)
        if not ways:
            self.unverified.append(_NO_RULE)
            return
        counts = {number for due in ways for number in due.discards}
        if length in counts or (is_void and length < max(counts, default=0)):
            return
        sums = set(counts)
        for other in (card for card in burned[1:] if card is not None):
            more = {number for due in self._ways(other) for number in due.discards}
            sums |= {total + number for total in sums for number in more}
        if length in sums or (is_void and counts):
            self.unverified.append(_SEVERAL)
            return
        clauses = tuple(dict.fromkeys(clause for due in ways for clause in due.clauses))
        numbers = " or ".join(map(str, sorted(counts))) or "a simulated round"
        message = f"{shown_text(card)} was burned with {length - 1} more; {numbers} are required"
        yield Finding("procedure", message, clauses, None, sorted(counts), length)

    def _unasked(self) -> Iterator[Finding]:
        rules = self._rules
        procedures = {
            rules.settled.get("irregularity.disclosed_card"),
            rules.settled.get("irregularity.disclosed_other"),
            rules.settled.get("irregularity.face_up"),
        }
        if _SIMULATED in procedures or procedures == {None}:
            return
        procedure = rules.settled.get("irregularity.disclosed_card")
        clauses = rules.cites("irregularity.disclosed_card")
        message = f"this table deals no simulated round: it has elected {procedure}"
        expected = procedure if isinstance(procedure, str) else None
        yield Finding("procedure", message, clauses, None, expected, _SIMULATED)

    @staticmethod
    def _flaw(due: _Due, message: str, expected: object, value: object) -> Finding:
        return Finding("procedure", message, due.clauses, None, expected, value)


def _count(due: _Due) -> int | None:
    return due.discards[0] if due.discards else None


def _sums(dues: Sequence[_Due]) -> set[int]:
    """Return how many cards are burned for irregularities; empty if one may burn none."""
    sums = {0}
    for due in dues:
        sums = {total + number for total in sums for number in due.discards}
    return sums


def _has(cards: Sequence[Shown], card: Shown) -> bool:
    return any(same_card(other, card) for other in cards)


def _dealt(record: RoundRecord) -> list[Shown]:
    return [
        card for pair in zip(record.player[:2], record.banker[:2], strict=False) for card in pair
    ]
