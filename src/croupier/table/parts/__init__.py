"""Parts that only one regulation has. They import general modules, never the reverse."""

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
