"""Parts that only one regulation has. They import general modules, never the reverse."""

from croupier.table.parts import curator, form_fields, forms, house_money, progressive, timed_decks

__all__ = ["curator", "form_fields", "forms", "house_money", "progressive", "timed_decks"]
