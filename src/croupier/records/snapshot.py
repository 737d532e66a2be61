"""Snapshots: where a table stood at one entry of its record, so that opening it takes no replay.

A snapshot is a cache, and says nothing that its record does not. It is sealed like a line of the
log, and bound to the log's header, to the entry that it follows, to the rules, and to the version
of the program. One that is damaged, or does not fit, is passed over: the record is followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec
from msgspec.structs import replace

from croupier.baccarat.coup import Coup
from croupier.cards import Card
from croupier.files.version import __version__
from croupier.law.elect import SubmissionError
from croupier.money.ledger import Ledger
from croupier.money.settlement import Stake
from croupier.records.codec import decode_card, dump
from croupier.records.entry import seal, sha256, unseal
from croupier.records.slices import read_slice, slices_data
from croupier.rules import Limit, TableRules, table_rules
from croupier.table.machine.house import House
from croupier.table.machine.position import Position
from croupier.table.machine.state import AnyPhase, RoundState, TableState

FORMAT: Final = "croupier-table-state/1"

_ENTRY: Final = 512
"""About how many bytes an entry takes in a record."""


class Snapshot(NamedTuple):
    """A position, and the seal of the entry that it follows.

    ``dealer`` is what a dealer needs to go on to the very same cards, if the dealer keeps any.
    """

    position: Position
    head: str
    dealer: object = None


class _Hands(msgspec.Struct, forbid_unknown_fields=True):
    """The cards of a coup; its drawing table is that of the rules."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]


def _struct(kind: type, without: str = "", **instead: object) -> type[msgspec.Struct]:
    """Return a structure of the fields of a dataclass, some of them of another type."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name != without}
    fields = list((hints | instead).items())
    return msgspec.defstruct(kind.__name__, fields, forbid_unknown_fields=True)


_Round: Final = _struct(RoundState, coup=_Hands)
_State: Final = _struct(
    TableState,
    without="tableau",
    phase=str,
    # An object of JSON has no key of two parts.
    stakes=list[tuple[int, str, Stake]],
    round=_Round | None,
    slices=dict[str, Any],
)


class _Accounts(msgspec.Struct, forbid_unknown_fields=True):
    balances: dict[str, int]
    opened_with_cents: int


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    """A snapshot as it is written."""

    format: str
    version: str
    header: str
    entry: int
    head: str
    rules_sha256: str
    elections: dict[str, Any]
    limits: dict[str, Limit] | None
    state: _State  # type: ignore[valid-type]  # it is made of the state's own fields
    ledger: _Accounts
    house: House
    dealer: Any


_DECODER: Final = msgspec.json.Decoder(_Written, dec_hook=decode_card)


@cache
def _phases() -> Mapping[str, AnyPhase]:
    """Return every phase that a table or one of its parts has, by name."""
    return {phase.name: phase for kind in AnyPhase.__subclasses__() for phase in kind}


def is_due(since: int, least: int, size: int) -> bool:
    """Return whether a snapshot is due, so many entries after the last, which had ``size`` bytes.

    A snapshot has every round of the gaming day in it. One after ``least`` entries each time would
    take more and more, so a large one waits until as much has been written to the record.

    >>> [is_due(since, 1000, 2_000_000) for since in (1000, 3906, 3907)]
    [False, False, True]
    """
    return since >= least and since * _ENTRY >= size


def snapshot(header: str, position: Position, head: str, dealer: object = None) -> bytes:
    """Return a snapshot as one sealed line.

    ``header`` is the seal of the record's header, ``head`` that of the entry that led to the
    position.
    """
    rules, ledger = position.rules, position.ledger
    body = dump(
        {
            "format": FORMAT,
            "version": __version__,
            "header": header,
            "entry": position.sequence,
            "head": head,
            "rules_sha256": rules.sha256,
            "elections": rules.submission.elections,
            "limits": rules.submission.limits,
            "state": _plain_state(position.state),
            "ledger": {
                "balances": ledger.balances,
                "opened_with_cents": ledger.opened_with_cents,
            },
            "house": position.house,
            "dealer": dealer,
        }
    )
    return seal(body)[0]


def _plain_state(state: TableState) -> dict[str, object]:
    round_ = state.round
    return {
        **{name: getattr(state, name) for name in _State.__struct_fields__},
        "phase": state.phase.name,
        "stakes": [(seat, wager, stake) for (seat, wager), stake in state.stakes.items()],
        "round": None
        if round_ is None
        else {
            **{name: getattr(round_, name) for name in _Round.__struct_fields__},
            "coup": {"player": round_.coup.player, "banker": round_.coup.banker},
        },
        "slices": slices_data(state),
    }


def read_snapshot(line: bytes, header: str, rules: TableRules) -> Snapshot | None:
    """Return what a snapshot says; ``None`` if it is damaged or is not one of this record.

    ``header`` is the seal of the record's header, ``rules`` are those that the header resolves to.
    """
    sealed = unseal(line)
    if sealed is None or sha256(sealed[0]) != sealed[1]:
        return None
    try:
        written = _DECODER.decode(sealed[0])
        if (written.format, written.version, written.header) != (FORMAT, __version__, header):
            return None
        now = _rules(rules, written)
        if now is None:
            return None
        accounts = Ledger(written.ledger.balances, written.ledger.opened_with_cents)
        state = _state(written.state, now)
    except (msgspec.DecodeError, ValueError, KeyError):
        return None
    position = Position(now, state, accounts, written.entry, written.house)
    return Snapshot(position, written.head, written.dealer)


def _rules(rules: TableRules, written: _Written) -> TableRules | None:
    """Return the rules of a position: those of the header, with what was adopted since."""
    if rules.sha256 != written.rules_sha256:
        try:
            rules = table_rules(
                replace(rules.submission, elections=written.elections, limits=written.limits)
            )
        except SubmissionError:
            return None
    return rules if rules.sha256 == written.rules_sha256 else None


def _state(written: Any, rules: TableRules) -> TableState:
    fields = {name: getattr(written, name) for name in written.__struct_fields__}
    round_ = written.round
    if round_ is not None:
        hands = Coup(rules.tableau, round_.coup.player, round_.coup.banker)
        kept = {name: getattr(round_, name) for name in round_.__struct_fields__}
        round_ = RoundState(**{**kept, "coup": hands})
    slices = [read_slice(name, one) for name, one in written.slices.items()]
    return TableState(
        **{
            **fields,
            "tableau": rules.tableau,
            "phase": _phases()[written.phase],
            "stakes": {(seat, wager): stake for seat, wager, stake in written.stakes},
            "round": round_,
            "slices": {type(one): one for one in slices},
        }
    )
