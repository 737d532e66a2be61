"""Recorded state of a table's parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.records.codec import decode_card
from croupier.table.machine.core import SLICES
from croupier.table.machine.state import TableState


def slices_data(state: TableState) -> Mapping[str, object]:
    return {SLICES[kind].name: kept for kind, kept in state.slices.items()}


def read_slice(name: str, written: Any) -> object:
    """Return the state of a part from recorded data. Raises ``ValueError``."""
    kind = next((kind for kind, kept in SLICES.items() if kept.name == name), None)
    if kind is None:
        raise ValueError(f"no part of a table keeps anything as {name!r}")
    try:
        found: object = msgspec.convert(written, kind, dec_hook=decode_card, str_keys=True)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from error
    return found
