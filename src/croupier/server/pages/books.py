"""The page of the offices of paper and money: pit clerk, cage, accounting, licensee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.reports.words import dollars, say
from croupier.server.pages.dealer import acts_part, next_part
from croupier.server.pages.house import consents
from croupier.server.pages.html import Html, tag
from croupier.server.pages.pieces import facts, limits, part, table_of, told

if TYPE_CHECKING:
    from croupier.server.pages.looked import Looked

__all__ = ["books_parts"]


def _forms(look: Looked) -> Html:
    forms = look.seen["forms"]
    if forms is None or not forms["used"]:
        return tag("p", say("none"), class_="hint")
    rows = [
        [
            one["serial"],
            one["patron"],
            dollars(one["cents"]),
            say("yes") if one["void"] else say("no"),
            say("yes") if one["dropped"] else say("no"),
        ]
        for one in forms["used"]
    ]
    heads = [say(one) for one in ("serial", "patron", "amount", "void", "dropped")]
    return table_of(say("forms"), heads, rows)


def _accounts(look: Looked) -> Html:
    house = look.seen["house"]
    if house is None:
        return tag("p", say("none"), class_="hint")
    rows = [
        [say(f"account.{name}"), dollars(house[name])]
        for name in (
            "win_cents", "drop_cents", "fills_cents", "credits_cents", "forms_cents",
            "vigorish_cents",
        )
    ]  # fmt: skip
    return table_of(say("ledger"), [say("account"), say("amount")], rows)


def books_parts(look: Looked) -> list[Html]:
    """Return the parts of a page for paper and money."""
    return [
        next_part(look),
        part("consents", say("consents"), consents([look])),
        acts_part(look),
        part("accounts", say("ledger"), _accounts(look)),
        part("forms", say("forms"), _forms(look)),
        part("facts", say("facts"), facts(look)),
        part("told", say("told"), told(look)),
        part("limits", say("limits"), limits(look)),
    ]
