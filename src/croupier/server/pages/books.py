"""The page for paper and money: pit clerk, cage, accounting, licensee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from croupier.acts.roles import Role
from croupier.reports.tags import Html, hint, join, tag
from croupier.reports.words import dollars, percent, say
from croupier.server.pages.dealer import acts_part, beside, consents, drawer, next_part
from croupier.server.pages.house import elections
from croupier.server.pages.looked import Looked
from croupier.server.pages.pieces import facts, limits, meters, part, recent_narration, table_of
from croupier.server.pages.watch import alarm_words, back_part, days_part


def _none() -> Html:
    return hint(say("none"))


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> Html:
    names = [*map(say, heads)]
    return table_of(say(caption), names, rows, *names) if rows else _none()


def _when(one: Mapping[str, Any]) -> str:
    return str(one["at"])[:16].replace("T", " ")


def _forms(look: Looked) -> Html:
    forms = look.seen["forms"]
    if forms is None or not forms["used"]:
        return _none()
    rows = [
        [
            form["serial"],
            form["patron"],
            dollars(form["cents"]),
            say("yes") if form["void"] else say("no"),
            say("yes") if form["dropped"] else say("no"),
        ]
        for form in forms["used"]
    ]
    return _table("forms", ("serial", "patron", "amount", "void", "dropped"), rows)


def _compared(books: Mapping[str, Any]) -> Html:
    names = ("matched", "differing", "without_original", "without_duplicate")
    rows = [
        [_when(one), *(", ".join(map(str, one[name])) or say("none") for name in names)]
        for one in books["compared"]
    ]
    return _table("forms.compared", ("when", *(f"forms.{name}" for name in names)), rows)


def _accounts(look: Looked) -> Html:
    house = look.seen["house"]
    if house is None:
        return _none()
    rows = [
        [say(f"account.{name}"), dollars(house[name])]
        for name in (
            "win_cents", "drop_cents", "fills_cents", "credits_cents", "forms_cents",
            "vigorish_cents",
        )
    ]  # fmt: skip
    return _table("ledger", ("account", "amount"), rows)


_DAY: Final = ("opened", "fills", "credits", "tray")


def _days(books: Mapping[str, Any]) -> Html:
    rows: list[list[str | int]] = []
    for day in books["days"]:
        counted = say("counted") if day["is_counted"] else ""
        rows.append([
            day["gaming_date"].isoformat(), day["rounds"], dollars(day["win_cents"]),
            dollars(day["drop_cents"]), percent(day["win_cents"], day["drop_cents"]),
            *(dollars(day[f"{name}_cents"]) for name in _DAY), counted,
        ])  # fmt: skip
    heads = ("gaming.day", "rounds.head", "win", "drop", "hold", *(f"day.{name}" for name in _DAY),
             "counted.head")  # fmt: skip
    shoes = [
        [say("shoe.of", day=day["gaming_date"].isoformat(), number=shoe["number"]), shoe["rounds"],
         dollars(shoe["win_cents"]), percent(shoe["win_cents"], day["drop_cents"])]
        for day in books["days"]
        for shoe in day["shoes"]
    ]  # fmt: skip
    wrong = [one for one in books["days"] if not one["reconciles"]]
    return join(
        tag("p", say("reconciles.not" if wrong else "reconciles"),
            class_="wrong" if wrong else "fine"),
        _table("wins.days", heads, rows),
        tag("h3", say("wins.shoes")),
        _table("wins.shoes", ("shoe.short", "rounds.head", "win", "hold.day"), shoes),
    )  # fmt: skip


def _slips(books: Mapping[str, Any]) -> Html:
    rows = [
        [slip["slip"], say(f"slip.{slip['kind']}"),
         "" if slip["cents"] is None else dollars(slip["cents"]),
         say(f"slip.{slip['state']}"), _when(slip)]
        for slip in books["slips"]
    ]  # fmt: skip
    return _table("slips.all", ("slip", "slip.kind", "amount", "slip.state", "when"), rows)


def _counts(books: Mapping[str, Any]) -> Html:
    rows = [
        [_when(count), say(f"count.{count['what']}", box=count["box"]), dollars(count["cents"]),
         dollars(count["expected_cents"]), _differs(count["cents"] - count["expected_cents"])]
        for count in books["counts"]
    ]  # fmt: skip
    heads = ("when", "count.what", "count.found", "count.expected", "count.differs")
    waits = ", ".join(box["box"] for box in books["boxes"])
    return join(
        _table("counts", heads, rows),
        tag("p", say("boxes.wait", boxes=waits)) if waits else None,
    )


def _differs(cents: int) -> Html | str:
    return say("count.same") if not cents else tag("b", dollars(cents), class_="wrong")


def books_parts(look: Looked) -> list[Html]:
    """Screen of the day's papers and money, with all else in drawers."""
    books = look.books
    shown = [part("facts", say("facts"), facts(look))]
    more = []
    if look.session.office == Role.LICENSEE:
        shown.append(part("elections", say("elections"), elections(look)))
        more.append(part("meters", say("meters"), meters(look) or _none()))
    forms = part("forms", say("forms"), _forms(look))
    told = part("told", say("told"), recent_narration(look))
    if books is None:
        shown.append(forms)
    else:
        shown += [
            part("slips", say("slips.all"), _slips(books)),
            part("counts", say("counts"), _counts(books)),
            part("wins", say("wins.days"), _days(books)),
        ]
        accounts = part("accounts", say("ledger"), _accounts(look))
        more += [accounts, forms, part("compared", say("forms.compared"), _compared(books))]
    acts = back_part(look)
    if look.at is None:
        waits = part("consents", say("consents"), consents([look]))
        acts += [next_part(look), waits]
    if look.alarm:
        acts.append(part("alarm", say("alarm"), alarm_words(look)))
    drawers = [
        *([drawer("acts", "o", acts_part(look))] if look.at is None else []),
        drawer("told", "w", told),
        drawer("table", "i", part("limits", say("limits"), limits(look)), *days_part(look)),
        *([drawer("more", "m", *more)] if more else []),
    ]
    # The papers scroll separately.
    return [beside(acts, drawers), tag("div", *shown, id="desk", class_="paper", tabindex="0")]
