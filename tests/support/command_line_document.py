"""The tables of docs/command-line.md: commands with their options, and documents with their keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import click

from croupier.cli import main
from croupier.cli.common.doctor import EXTRAS
from croupier.cli.common.schema import SCHEMAS
from croupier.records.json_schema import Schema
from croupier.rules.documents import Provenance
from support.project import ROOT
from support.table_log_document import with_table

DOCUMENT: Final = ROOT / "docs" / "command-line.md"
RANGE: Final = re.compile("(?:INTEGER|FLOAT) RANGE")
EVERYWHERE: Final = {option.name for option in main.params} | {
    "output_format",
    "paper",
    "out",
    "force",
}
"""Options that the document describes for all commands."""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its name, a group that does nothing by itself left out."""
    yield from _below("croupier", main)


def _below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for one in command.list_commands(context):
            # What is listed for help has no commands below it.
            _, found, _ = command.resolve_command(context, [one])
            assert found is not None
            yield from _below(f"{name} {one}", found)


def filled() -> str:
    """Return the document with its tables as expected."""
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        text = with_table(text, name, table())
    return text


def command_table() -> str:
    rows = ["| command | what it does | options |", "|---|---|---|"]
    described: dict[str, str] = {}
    for name, command in commands():
        context = click.Context(command, info_name=name)
        words = [one for one in command.collect_usage_pieces(context) if one[1:-1] != "OPTIONS"]
        called = " ".join([name, *words]).replace("[COMMAND] [ARGS]...", "").strip()
        options = " ".join(f"`{one}`" for one in _options(command, context))
        # Each drill has the same options: they are listed once.
        alike = f"{name.rpartition(' ')[0]} {options}"
        first = described.setdefault(alike, name) if options.count("--") > 4 else name
        rows.append(
            f"| `{_cell(called)}` | {_cell(_first_sentence(command))} |"
            f" {_cell(options if first == name else f'as `{first}`')} |"
        )
    return "\n".join(rows)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for option in command.params:
        if not isinstance(option, click.Option) or option.name in EVERYWHERE or option.hidden:
            continue
        long = max(option.opts, key=len)
        if long != "--format":
            value = "" if option.is_flag or option.count else f" {option.make_metavar(context)}"
            # Choices and bounds are for `--help`.
            yield long + ("" if value.startswith(" [") else RANGE.sub("N", value))


def _first_sentence(command: click.Command) -> str:
    text = " ".join((command.help or command.short_help or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.)\s+(?=[A-Z])", text, maxsplit=1)[0]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def extra_table() -> str:
    """Return the table of the extras, with what each is for."""
    rows = ["| extra | for |", "|---|---|"]
    rows += [f"| `{name}` | {use} |" for name, use in {**EXTRAS, "all": "all of them"}.items()]
    return "\n".join(rows)


def document_table() -> str:
    """Return the table of what commands print with ``--format json``, and of files."""
    rows = ["| schema | format | keys |", "|---|---|---|"]
    for name, schema in SCHEMAS.items():
        made = schema()
        stated = made.get("properties", {}).get("format", {}).get("const") or made["title"]
        keys = ", ".join(_keys(made))
        rows.append(
            f"| [`{name}`](schemas/{name}.schema.json) | `{stated}` | {_cell(_said(made, keys))} |"
        )
    return "\n".join(rows)


def _said(schema: Schema, keys: str) -> str:
    description = str(schema.get("description", "")).partition(". ")[0].rstrip(".")
    return f"{description}: {keys}" if keys and description else description or keys


def _keys(schema: Schema) -> Iterator[str]:
    of_program = {"format", *Provenance.__annotations__}
    for key, one in schema.get("properties", {}).items():
        if key not in of_program:
            below = [f"`{name}`" for name in _properties(one, schema.get("$defs", {}))]
            yield f"`{key}`" + (f" ({', '.join(below)})" if 0 < len(below) <= MOST else "")


MOST: Final = 12
"""Keys of a part are listed up to this number: the schema has them all."""


def _properties(schema: Schema, definitions: Mapping[str, Schema]) -> Mapping[str, Any]:
    """Return the keys of a value, or of each element of a list."""
    if "$ref" in schema:
        return _properties(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "items" in schema:
        return _properties(schema["items"], definitions)
    for one in schema.get("anyOf", ()):
        if below := _properties(one, definitions):
            return below
    found: Mapping[str, Any] = schema.get("properties", {})
    return found


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "extras": extra_table,
    "commands": command_table,
    "documents": document_table,
}
