"""The table that options name: a submission, or a regulation with its default elections."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from croupier.cli.common.files import input_file
from croupier.cli.common.output import fail, fail_with, option_group
from croupier.cli.common.text_named import as_of_option, text_named
from croupier.cli.submission.rules import in_currency_of, priced_of, table_of, with_own
from croupier.law.elect import SubmissionError, by_hand
from croupier.law.interpretations import acknowledged
from croupier.law.resolve import AsOf
from croupier.odds.shoe import ShoeComposition, ShoeError, parse_shoe
from croupier.rules import TableRules, default_submission, table_rules


class TableAsked(Struct, frozen=True):
    submission: Path | None
    law_id: str | None
    as_of: AsOf | None
    decks: int | None = None
    shoe_text: str | None = None

    def rules(self, *, dealt: bool = True) -> TableRules:
        """Return the rules of the table, or exit with status 2.

        Unless the table is to be ``dealt``, an excerpt of a regulation is accepted too.
        """
        if (self.submission is None) == (self.law_id is None):
            fail(
                "no table given: add --submission FILE, or --law ID@DATE for its default elections"
            )
        if self.submission is not None:
            return table_of(self.submission) if dealt else priced_of(self.submission)
        elected = self.decks is not None and self.shoe_text is None
        law = text_named(str(self.law_id), self.as_of)
        try:
            plain = default_submission(
                law.id, law.in_force_from, **({"decks": self.decks} if elected else {})
            )
            # No licensee is there to acknowledge a reading; the sheet prints a warning instead.
            readings = acknowledged(law)
            rules = in_currency_of(
                table_rules(replace(plain, readings=readings, unsupported=by_hand(law)))
            )
        except SubmissionError as error:
            fail_with(f"{self.law_id} is refused with its default elections", error.errors)
        if rules.missing:
            fail(
                f"only a fragment of {self.law_id} is included, so no table can be dealt or "
                "calculated under it"
            )
        return rules

    def shoe(self, rules: TableRules) -> ShoeComposition:
        if self.decks is not None and self.shoe_text is not None:
            fail("--decks and --shoe cannot be combined")
        try:
            if self.shoe_text is not None:
                return parse_shoe(self.shoe_text)
            return ShoeComposition.of_decks(self.decks or rules.decks_per_shoe)
        except ShoeError as error:
            fail_with("the shoe is not possible", error.errors)

    def rules_and_shoe(
        self, own: Iterable[Path] = (), *, dealt: bool = True
    ) -> tuple[TableRules, ShoeComposition]:
        rules = self.rules(dealt=dealt)
        shoe = self.shoe(rules)
        return with_own(rules, own), shoe


_named = (
    click.option("--submission", type=input_file, help="Rules submission of the table."),
    click.option(
        "--law", "law_id", metavar="ID", help="Regulation, as ID@DATE, with its default elections."
    ),
    as_of_option,
)
table_options = option_group(*_named, into=TableAsked)
"""Add the options that name a table; the command receives them as ``asked``."""
rules_options = option_group(
    *_named,
    click.option("--decks", type=click.IntRange(1), help="Number of decks in a fresh shoe."),
    click.option(
        "--shoe",
        "shoe_text",
        metavar="SHOE",
        help="Cards in the shoe: decks, JSON, A=32,2=31,... by rank, or Ah=8,... by card.",
    ),
    into=TableAsked,
)
"""The same with the options of a shoe."""

penetration_option = click.option(
    "--cards-behind",
    type=click.IntRange(0),
    help="Cards behind the cutting card (cut card); sets penetration (default: the minimum "
    "allowed).",
)
