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
        self.unverified: list[str] = []

    @property
    def pending(self) -> bool:
        """Whether the next round is affected by earlier irregularities."""
        return bool(self._due or self._held)

    def before(self, record: RoundRecord, *, first: bool) -> Iterator[Finding]:
        is_simulated = record.marked("simulated")
        burned = () if first else (record.burned or ())
        dues, self._due = self._due, []
        for number, item in enumerate(dues):
            yield from self._follow(item, record, burned, first=number == 0)
        is_marked = burned and any(same_card(burned[0], mark.card) for mark in record.marks)
        if not dues and burned and not is_marked:
            yield from self._burn_findings(burned)
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
            elif burned and same_card(burned[0], mark.card):
                yield from self._discard_findings(due, burned)
            else:
                self._due.append(due)
        if record.marked("free-hand") and self._rules.elected("free_hand.allowed", choice=False):
            clauses = self._rules.cites("free_hand")
            yield Finding(
                "procedure", "this table deals no free hands", clauses, None, None, "free"
            )

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
            number = 1 + beside_face_up(rank, rules)
            cards = () if self._stays_in_play else (number,)
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
            yield from self._discard_findings(due, burned)
        elif due.procedures == (_SIMULATED,):
            message = f"{name} begins a simulated round; none was dealt"
            yield self._flaw(due, message, _SIMULATED, None)
        elif record.burned is None:
            self.unverified.append(NOT_RECORDED)
        else:
            message = f"{name} goes to the discards; it was not burned"
            yield self._flaw(due, message, _count(due), len(burned))

    def _discard_findings(self, due: _Due, burned: Sequence[Shown]) -> Iterator[Finding]:
        name = shown_text(due.card)
        if due.procedures == (_SIMULATED,):
            message = f"{name} begins a simulated round; it was discarded"
            yield self._flaw(due, message, _SIMULATED, "discarded")
        elif len(burned) not in due.discards:
            message = (
                f"{name} is discarded with {due.discards[0] - 1} more;"
                f" {len(burned) - 1} went with it"
            )
            yield self._flaw(due, message, _count(due), len(burned))

    def _burn_findings(self, burned: Sequence[Shown]) -> Iterator[Finding]:
        card = burned[0]
        if card is None:
            return
        marks = (IrregularityMark(kind, card) for kind in ("disclosed", "face-up"))
        ways = [due for mark in marks if (due := self._due_for(mark, card)) is not None]
        if not ways:
            self.unverified.append(_NO_RULE)
            return
        counts = {
            number for due in ways for number in due.discards if due.procedures[0] != _SIMULATED
        }
        if len(burned) not in counts:
            clauses = tuple(dict.fromkeys(clause for due in ways for clause in due.clauses))
            numbers = " or ".join(map(str, sorted(counts))) or "a simulated round"
            message = (
                f"{shown_text(card)} was burned with {len(burned) - 1} more; {numbers} are required"
            )
            yield Finding("procedure", message, clauses, None, sorted(counts), len(burned))

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


def _dealt(record: RoundRecord) -> list[Shown]:
    return [
        card for pair in zip(record.player[:2], record.banker[:2], strict=False) for card in pair
    ]
