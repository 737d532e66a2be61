"""How a state is written: the rows of a mapping name what its type says that the keys are."""

from __future__ import annotations

from typing import Annotated, get_args, get_origin, get_type_hints

from msgspec.structs import replace

from croupier.baccarat.coup import Hand
from croupier.law.sight import Key
from croupier.money.forms import Form, FormBook
from croupier.scenarios.vectors.documents import OMITTED
from croupier.scenarios.vectors.plain import state_data
from croupier.table import TableState
from croupier.table.house.tray import Slip, Tray
from croupier.table.machine.core import SLICES
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import Patron, with_slice
from croupier.table.settling.awards import HandPay, HandPays
from support.table import rules_of


def test_rows_are_named_by_the_type_of_their_key() -> None:
    state = replace(TableSession(rules_of()).state, seats={3: Patron("Pat", 500)})
    state = with_slice(state, Tray(slips={41: Slip("fill", {10_000: 2})}))
    state = with_slice(state, HandPays(due={7: HandPay("Pat", 150_000)}))
    form = Form(101, "Pat", 125, "Bo", "Kim", seat=3)
    state = with_slice(state, FormBook(used={101: form}, forwarded={100: 250}))
    data = state_data(state)
    assert data["seats"][0]["seat"] == 3
    assert data["tray"]["slips"][0]["slip"] == 41
    assert data["tray"]["slips"][0]["chips"] == [{"denomination": 10_000, "count": 2}]
    assert data["hand_pays"]["due"][0] == {"number": 7, "patron": "Pat", "cents": 150_000}
    assert data["forms"]["used"][0]["serial"] == 101
    assert data["forms"]["forwarded"] == [{"serial": 100, "cents": 250}]


def test_what_is_empty_is_written_as_what_is_not() -> None:
    data = state_data(TableSession(rules_of()).state)
    assert (data["seats"], data["stakes"], data["forms"]["used"]) == ([], [], [])
    assert (data["duty"]["posts"], data["progressive"]["meters"]) == ({}, {})


def test_every_mapping_with_numbers_as_keys_says_what_they_are() -> None:
    silent = [
        f"{kind.__name__}.{name}"
        for kind in (TableState, *SLICES)
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if name not in OMITTED
        for one in (hint.__origin__ if get_origin(hint) is Annotated else hint,)
        if "Mapping" in str(get_origin(one))
        for key in get_args(one)[:1]
        if key not in {str, Hand} and get_origin(key) is not tuple
        if not any(isinstance(said, Key) for said in getattr(key, "__metadata__", ()))
    ]
    assert silent == []
