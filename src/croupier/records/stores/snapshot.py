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


def _struct(kind: type, omission: str = "", **other_hints: object) -> type[msgspec.Struct]:
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name != omission}
    fields = list((hints | other_hints).items())
    return msgspec.defstruct(kind.__name__, fields, forbid_unknown_fields=True)


_Round: Final = _struct(RoundState, coup=_Hands)
_State: Final = _struct(
    TableState,
    omission="tableau",
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


def is_due(count: int, minimum: int, size: int) -> bool:
    """Return whether a snapshot is due ``count`` entries after the last, which had ``size`` bytes.

    A large one waits until the record has grown by its size, or snapshots would take ever more
    space.

    >>> [is_due(since, 1000, 2_000_000) for since in (1000, 3906, 3907)]
    [False, False, True]
    """
    return count >= minimum and count * _ENTRY >= size


def snapshot(header: str, position: Position, head_seal: str, dealer: object = None) -> bytes:
    """Seal a snapshot as one line; ``header`` and ``head_seal`` are seals."""
    rules, ledger = position.rules, position.ledger
    data = {
        "format": FORMAT,
        "version": program_version(),
        "header": header,
        "entry": position.sequence,
        "head": head_seal,
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
    body = dump(data)
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
    unsealed = unseal(line)
    if unsealed is None or sha256(unsealed[0]) != unsealed[1]:
        return None
    try:
        data = _DECODER.decode(unsealed[0])
        if (data.format, data.version, data.header) != (FORMAT, program_version(), header):
            return None
        new_rules = _rules(rules, data)
        if new_rules is None:
            return None
        accounts = Ledger(data.ledger.balances, data.ledger.opened_with_cents)
        state = _state(data.state, new_rules)
    except (msgspec.DecodeError, ValueError, KeyError):
        return None
    position = Position(new_rules, state, accounts, data.entry, data.house)
    return Snapshot(position, data.head, data.dealer)


def _rules(rules: TableRules, data: _Written) -> TableRules | None:
    if rules.sha256 != data.rules_sha256:
        try:
            rules = table_rules(
                replace(rules.submission, elections=data.elections, limits=data.limits),
                rules.law,
            )
        except SubmissionError:
            return None
    return rules if rules.sha256 == data.rules_sha256 else None


def _state(data: Any, rules: TableRules) -> TableState:
    fields = {name: getattr(data, name) for name in data.__struct_fields__}
    round_ = data.round
    if round_ is not None:
        hands = Coup(rules.tableau, round_.coup.player, round_.coup.banker)
        kept_fields = {name: getattr(round_, name) for name in round_.__struct_fields__}
        round_ = RoundState(**{**kept_fields, "coup": hands})
    slices = [read_slice(name, part) for name, part in data.slices.items()]
    return TableState(
        **{
            **fields,
            "tableau": rules.tableau,
            "phase": _phases()[data.phase],
            "stakes": {(seat, wager): stake for seat, wager, stake in data.stakes},
            "round": round_,
            "slices": {type(part): part for part in slices},
        }
    )
