"""What one text alone has.

A part keeps its own slice of the state and registers its commands, events and phases with the core,
as any module of the procedure does, and it joins the hooks of others. It may know the general
modules; none of them knows it. Where no rule of the law asks for it, it does nothing.
"""

from croupier.table.parts import curator, form_fields, forms, house_money, progressive, timed_decks

__all__ = ["curator", "form_fields", "forms", "house_money", "progressive", "timed_decks"]
