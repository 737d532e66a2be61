"""``croupier new``: write a rules submission with every election of a regulation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import click

from croupier.cli.common.arguments import text_named
from croupier.cli.common.files import check_outputs, give_text, out_options
from croupier.cli.common.output import fail, fail_with
from croupier.cli.common.terminal import advised
from croupier.cli.submission.rules import elected, option_names
from croupier.files.streams import note
from croupier.law.elect import SubmissionError
from croupier.law.interpretations import reading_ids
from croupier.law.model import Instrument, Rule
from croupier.law.usage import amount_of, under
from croupier.law.values import Kind
from croupier.rules import (
    MOST_SEATS,
    Limit,
    SubmissionDraft,
    TableLayout,
    choices_of,
    draft_rules,
    template,
)

_LAW_NAME: Final = r"[a-z]+-[a-z]+/[a-z0-9-]+(@.*)?"
"""The id of a regulation, and of no file: files have a suffix."""

_LAW: Final = "croupier.law"

_ELECTION: Final = "election_"
"""What the options of elections are called among the arguments, followed by their number."""


class _Elected(click.ParamType[Any]):
    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self.name = rule.kind.value

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        try:
            return elected(self._rule, str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class _New(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        name = next((word for word in args if re.fullmatch(_LAW_NAME, word)), None)
        if name is not None and name != ctx.meta.get(_LAW, (None,))[0]:
            ctx.meta[_LAW] = (name, text_named(name))
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        if _LAW not in ctx.meta:
            return params
        law: Instrument = ctx.meta[_LAW][1]
        elections = [
            _option(number, rule, names)
            for number, (rule, names) in enumerate(
                zip(law.elections, option_names(law).values(), strict=True)
            )
        ]
        return [*params[:-1], *elections, params[-1]]


def _option(number: int, rule: Rule, names: tuple[str, ...]) -> click.Option:
    name = f"{_ELECTION}{number}"
    description = f"{rule.title} ({', '.join(rule.cites)})."
    if rule.kind is Kind.FLAG:
        options = [f"{option}/--no-{option.removeprefix('--')}" for option in names]
        return click.Option([name, *options], default=None, help=description)
    metavar = "|".join(map(str, choices_of(rule))) or rule.kind.value.upper()
    return click.Option([name, *names], type=_Elected(rule), metavar=metavar, help=description)


@click.command("new", cls=_New, short_help="Write a commented rules submission.")
@click.argument("law", metavar="LAW")
@click.option("--ask", is_flag=True, help="Ask for each election, and show what follows from it.")
@click.option("--title", default="", help="Title of the table.")
@click.option("--pit", default="1", help="Number or name of the pit.")
@click.option("--table", "table", default="1", help="Number or name of the table.")
@click.option("--seats", type=click.IntRange(1, MOST_SEATS), help="Number of seats.")
@click.option(
    "--limit",
    "limits",
    metavar="WAGER=MIN,MAX",
    multiple=True,
    help="Minimum and maximum of a wager, such as tie=5,500; repeatable.",
)
@click.option(
    "--reading",
    "readings",
    metavar="ENTRY=NAME",
    multiple=True,
    help="Reading of an interpretation, by id or name; repeatable.",
)
@out_options
@click.pass_context
def new(  # noqa: PLR0913  (each is an option of the command)
    ctx: click.Context,
    /,
    law: str,
    *,
    ask: bool,
    title: str,
    pit: str,
    table: str,
    seats: int | None,
    limits: tuple[str, ...],
    readings: tuple[str, ...],
    out: Path | None,
    force: bool,
    **choices: Any,
) -> None:
    """Write a rules submission under LAW, as ID@DATE or ID@latest.

    The file has every election with its choices, its default, and its clauses as comments, and
    `croupier check` accepts it as it is. Each election is also an option: `croupier new LAW --help`
    lists them. What a choice requires is elected with it, and a default that conflicts with a
    choice gives way.

    Exit status: 2 if the regulation does not permit the choices together.
    """
    check_outputs(out, force=force)
    text: Instrument = ctx.meta[_LAW][1] if _LAW in ctx.meta else text_named(law)
    ctx.with_resource(under(text.usage))
    if not text.elections:
        fail(f"{text.key} leaves no elections to the licensee, so no submission is due under it")
    elections = {
        rule.id: choice
        for number, rule in enumerate(text.elections)
        if (choice := choices.get(f"{_ELECTION}{number}")) is not None
    }
    draft = SubmissionDraft(
        text,
        elections,
        _readings(readings, text),
        _limits(limits),
        title,
        seats,
        TableLayout(pit=pit, table=table),
    )
    if ask:
        from croupier.cli.submission.ask import ask_for  # noqa: PLC0415  (if asked for)

        draft = ask_for(draft)
    try:
        content = template(draft_rules(draft))
    except SubmissionError as error:
        heading = f"these choices are not permitted together under {text.key}"
        fail_with(heading, error.errors)
    give_text(content, out, force=force)
    if out is not None:
        note(f"check it with: {advised(f'check {out}')}")


def _readings(texts: tuple[str, ...], law: Instrument) -> dict[str, str]:
    readings, ids = {}, reading_ids(law.register)
    for text in texts:
        name, is_pair, reading = text.partition("=")
        entry = ids.get(name, name)
        if not is_pair or entry not in law.register:
            names_text = ", ".join(ids)
            raise click.BadParameter(f"{text!r}: write ENTRY=NAME; known: {names_text}")
        readings[entry] = reading
    return readings


def _limits(texts: tuple[str, ...]) -> dict[str, Limit]:
    limits = {}
    for text in texts:
        wager, _, pair = text.partition("=")
        amounts = [int(word) if word.isdigit() else word for word in pair.split(",")]
        try:
            minimum, maximum = map(amount_of, amounts)
        except ValueError as error:
            raise click.BadParameter(
                f"{text!r}: write WAGER=MIN,MAX, such as tie=5,500 or tie=2.50,500.00"
            ) from error
        limits[wager] = Limit(minimum, maximum)
    return limits
