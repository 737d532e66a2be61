"""Parts that only one regulation has. They import general modules, never the reverse."""

# Each module registers what it decides.
from croupier.table.parts import (  # noqa: F401
    curator,
    form_fields,
    forms,
    house_money,
    meter_corrections,
    progressive,
    retired_meters,
    timed_decks,
)
