"""Parts that only one regulation has. They import general modules, never the reverse."""

# Each module registers what it decides.
from croupier.table.parts import (  # noqa: F401
    curator,
    form_fields,
    forms,
    house_money,
    meters,
    progressive,
    timed_decks,
)
