"""Parts that only one regulation has.

A part keeps its own slice of the state, registers commands, events, and phases like any module, and
joins hooks. It may import general modules; they never import a part. It does nothing if no rule
requires it.
"""

from croupier.table.parts import (
    curator,
    form_fields,
    forms,
    house_money,
    meter_corrections,
    progressive,
    retired_meters,
    timed_decks,
)

__all__ = [
    "curator",
    "form_fields",
    "forms",
    "house_money",
    "meter_corrections",
    "progressive",
    "retired_meters",
    "timed_decks",
]
