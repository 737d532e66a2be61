"""What docs/stability.md promises to keep, a line each, beyond the public names and the service.

``tests/data/stable.txt`` has the lines of every version since 0.1.0. A new line may come at any time; the program adds
it when the file is made anew. A line goes by hand alone, with an entry in CHANGELOG.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import click

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.law.contracts import known_rule_ids
from croupier.law.interpretations import interpretations
from croupier.law.resolve import instruments
from support.project import ROOT

_NUMBERED: Final = re.compile(r"croupier-.*/\d+$")

KEPT: Final = ROOT / "tests" / "data" / "stable.txt"


def today() -> set[str]:
    """Return the lines of the program of today."""
    return {*_law_ids(), *_options("croupier", main), *_documents()}


def gone(kept: set[str], found: set[str]) -> list[str]:
    """Return the lines that are no more. A document with a new format number begins anew."""
    numbers = {line for line in found if line.startswith("format ")}
    renewed = {line.split()[1] for line in numbers} - {line.split()[1] for line in numbers & kept}
    return sorted(
        line
        for line in kept - found
        if not (line.startswith(("key ", "format ")) and line.split()[1] in renewed)
    )


def kept() -> set[str]:
    """Return the lines of the file."""
    return {*KEPT.read_text(encoding="utf-8").splitlines()}


def grown() -> str:
    """Return the file with the lines of today."""
    return "".join(f"{line}\n" for line in sorted(kept() | today()))


def _law_ids() -> Iterator[str]:
    yield from (f"rule {one}" for one in known_rule_ids())
    # Logs cite entries by their ids.
    for entry in interpretations().values():
        yield f"entry {entry.id} {entry.name or entry.ruling}".rstrip()
    for law in instruments():
        yield f"law {law.key}"
        yield from (f"clause {law.key} {one}" for one in law.clauses)


def _options(name: str, command: click.Command) -> Iterator[str]:
    yield f"command {name}"
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            yield from (f"option {name} {flag}" for flag in parameter.opts)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            # A command is imported when it is resolved.
            _, found, _ = command.resolve_command(context, [below])
            assert found is not None
            yield from _options(f"{name} {below}", found)


def _documents() -> Iterator[str]:
    for name, make in SCHEMAS.items():
        schema: dict[str, Any] = make()
        parts = schema.get("$defs", {})
        # A file whose lines have several forms has its number in the title, or in each form.
        forms = [
            parts[one["$ref"].rpartition("/")[2]]
            for one in schema.get("anyOf", ())
            if "$ref" in one
        ]
        numbers = {_format_of(one) for one in (schema, *forms)} | {schema.get("title")}
        if numbers := {one for one in numbers if one and _NUMBERED.match(one)}:
            yield from (f"format {name} {number}" for number in numbers)
            for part, shape in {"": schema, **parts}.items():
                # Fields of commands and events are part of the public names.
                if "const" not in shape.get("properties", {}).get("type", {}):
                    yield from (f"key {name} {part}.{key}" for key in _keys(shape))


def _format_of(shape: Any) -> str | None:
    number: str | None = shape.get("properties", {}).get("format", {}).get("const")
    return number


def _keys(shape: Any) -> Iterator[str]:
    """Yield the keys of a part, and those of objects within it that have no name of their own."""
    for key, value in shape.get("properties", {}).items():
        yield key
        yield from (f"{key}.{below}" for below in _keys(value))
    if isinstance(shape.get("items"), dict):
        yield from _keys(shape["items"])
