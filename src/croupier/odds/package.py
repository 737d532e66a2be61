"""Construction of packages: columns, rows of exact figures, and cited rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.law.standing import entries_named
from croupier.odds.sheet import fraction
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package, PackageColumn, PackageRow, Unit


def column(name: str, title: str, unit: Unit = "rate") -> PackageColumn:
    return {"id": name, "title": title, "unit": unit}


def row(name: str, title: str, **figures: Fraction | None) -> PackageRow:
    """Row of a package: figures by column.

    >>> row("star", "star", edge=Fraction(1, 80))["figures"]
    {'edge': '1/80'}
    """
    exact = {key: None if figure is None else fraction(figure) for key, figure in figures.items()}
    return {"id": name, "title": title, "figures": exact}


def package(  # noqa: PLR0913  (each is a part of the package)
    rules: TableRules,
    name: str,
    title: str,
    says: str,
    *,
    rule_ids: Sequence[str] = (),
    of: str,
    columns: Sequence[PackageColumn],
    rows: Sequence[PackageRow],
    rests_on: Sequence[str] = (),
) -> Package:
    """``rests_on`` are rules whose readings replace those of the clauses."""
    cites = list(dict.fromkeys(clause for name in rule_ids for clause in rules.cites(name)))
    readings = rules.rest_on(*rests_on) or entries_named(rules.law, cites)
    return {
        "id": name,
        "title": title,
        "says": says,
        "cites": cites,
        "interpretations": [one for one in dict.fromkeys(readings) if one in rules.readings],
        "of": of,
        "columns": list(columns),
        "rows": list(rows),
    }
