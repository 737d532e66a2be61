"""Snapshots of a table: a cache of this version; a damaged or other one is ignored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec
from msgspec.structs import replace

from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Coup
from croupier.files.version import program_version
from croupier.law.elect import SubmissionError
from croupier.money.ledger import Ledger
from croupier.money.settlement import Stake
from croupier.records.carried import read_slice, slices_data
from croupier.records.codec import decode_card, dump
from croupier.records.entry import seal, sha256, unseal
from croupier.rules import Limit, TableRules, table_rules
from croupier.table.machine.house import House
from croupier.table.machine.position import Position
from croupier.table.machine.state import AnyPhase, RoundState, TableState

FORMAT: Final = "croupier-table-state/1"

_ENTRY: Final = 512
"""Approximate size of an entry in a record, in bytes."""


class Snapshot(NamedTuple):
    """A position and its seal; ``dealer`` is the state to deal on with."""

    position: Position
    head: str
    dealer: object = None


class _Hands(msgspec.Struct, forbid_unknown_fields=True):
    player: tuple[Card, ...]
    banker: tuple[Card, ...]


def _struct(kind: type, without: str = "", **instead: object) -> type[msgspec.Struct]:
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name != without}
    fields = list((hints | instead).items())
    return msgspec.defstruct(kind.__name__, fields, forbid_unknown_fields=True)


_Round: Final = _struct(RoundState, coup=_Hands)
_State: Final = _struct(
    TableState,
    without="tableau",
    phase=str,
    # JSON object keys cannot be tuples.
    stakes=list[tuple[int, str, Stake]],
    round=_Round | None,
    slices=dict[str, Any],
)


class _Accounts(msgspec.Struct, forbid_unknown_fields=True):
    balances: dict[str, int]
    opened_with_cents: int


class _Written(msgspec.Struct, forbid_unknown_fields=True):
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
    return {phase.name: phase for kind in AnyPhase.__subclasses__() for phase in kind}


def is_due(since: int, least: int, size: int) -> bool:
    """Return whether a snapshot is due ``since`` entries after the last, which had ``size`` bytes.

    A large one waits until the record has grown by its size, or snapshots would take ever more
    space.

    >>> [is_due(since, 1000, 2_000_000) for since in (1000, 3906, 3907)]
    [False, False, True]
    """
    return since >= least and since * _ENTRY >= size


def snapshot(header: str, position: Position, head: str, dealer: object = None) -> bytes:
    """Seal a snapshot as one line; ``header`` and ``head`` are seals."""
    rules, ledger = position.rules, position.ledger
    written = {
        "format": FORMAT,
        "version": program_version(),
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
    body = dump(written)
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
    sealed = unseal(line)
    if sealed is None or sha256(sealed[0]) != sealed[1]:
        return None
    try:
        written = _DECODER.decode(sealed[0])
        if (written.format, written.version, written.header) != (FORMAT, program_version(), header):
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
    if rules.sha256 != written.rules_sha256:
        try:
            rules = table_rules(
                replace(rules.submission, elections=written.elections, limits=written.limits),
                rules.law,
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
    slices = [read_slice(name, part) for name, part in written.slices.items()]
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
