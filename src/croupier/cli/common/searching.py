"""Search of documents, the glossary, commands, options, and the law for ``croupier help``."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

import click

from croupier.cli.common.output import command_line
from croupier.cli.law.documents import Found, FoundHelp, HelpSearch
from croupier.cli.law.texts import alike, candidates, cited, score, unmatched
from croupier.files import shipped
from croupier.law.resolve import instruments
from croupier.rules.documents import made

_KINDS: Final = ("topic", "term", "command", "option", "act", "rule", "clause", "reading", "event")
"""In the order in which matches of as many words are listed: guides before reference."""

_MOST: Final = 6

_GLOSSARY: Final = "glossary"
_TERM: Final = re.compile(r"^\| ((?!word)\w[^|`]*?) \| (.+?) \|", re.MULTILINE)
_BLOCKS: Final = re.compile(r"```.*?```|\n\s*\n|\n(?=[#|-])", re.DOTALL)
_LINK: Final = re.compile(r"\[([^\[\]]+)\]\([^()\s]+\)")
_SENTENCES: Final = re.compile(r"(?<=[.:;]) ")

_Entry: TypeAlias = tuple[str, str, Sequence[str], str]
"""What can be found: its kind, its name, its lines, and the command that shows it."""


def searched(words: Sequence[str]) -> HelpSearch:
    asked = " ".join(words)
    wanted = alike(asked)
    ranked = sorted(
        _scored(asked, wanted),
        key=lambda hit: (
            -hit["score"],
            hit["id"].lower() != asked.lower(),
            _KINDS.index(hit["kind"]),
        ),
    )
    # A match of fewer words is listed only if no other has more than one of them.
    best = ranked[0]["score"] if ranked else 0
    matching = [hit for hit in ranked if hit["score"] * 2 > best]
    listed = Counter[str]()
    found: list[FoundHelp] = []
    for hit in matching:
        if listed[hit["kind"]] < _MOST:
            listed[hit["kind"]] += 1
            found.append(hit)
    return {
        "format": "croupier-help-search/1",
        **made(command_line()),
        "words": [*words],
        "unknown": unmatched(wanted, matching),
        "matches": len(matching),
        "found": found,
    }


def _scored(asked: str, wanted: Mapping[str, re.Pattern[str]]) -> Iterator[FoundHelp]:
    texts = instruments()
    if clauses := [*cited(asked, texts[::-1])]:
        for kind, name, (says,), more in _of_law(clauses):
            yield {"kind": kind, "id": name, "says": says, "score": len(wanted), "more": more}
        return
    patterns = [*wanted.values()]
    for kind, name, lines, more in (*_of_documents(), *_of_commands(), *_of_law(candidates(texts))):
        says = max(lines, key=partial(_worth, name, patterns))
        most = score(name, says, patterns)
        if most:
            yield {"kind": kind, "id": name, "says": says, "score": most, "more": more}


def _worth(name: str, wanted: Sequence[re.Pattern[str]], line: str) -> tuple[int, int, int]:
    """Rank the lines of a match: the shortest that has the words, or else the first."""
    own = score("", line, wanted)
    return score(name, line, wanted), own, -len(line) if own else 0


def _of_documents() -> Iterator[_Entry]:
    documents = {name: _LINK.sub(r"\1", text) for name, text in shipped.topics().items()}
    for name, text in documents.items():
        yield "topic", name, [*_lines(text)], f"croupier help {name}"
    for term, meaning in _TERM.findall(documents[_GLOSSARY]):
        yield "term", term, [f"{term}: {meaning}"], f"croupier help {_GLOSSARY}"


def _of_commands() -> Iterator[_Entry]:
    context = click.get_current_context().find_root()
    for words, command in _commands(context.command, context, ()):
        more = f"croupier {words} --help"
        yield "command", words, _SENTENCES.split(" ".join((command.help or "").split())), more
        for option in command.params:
            if isinstance(option, click.Option) and option.help and not option.hidden:
                flag = max(option.opts, key=len)
                yield "option", flag, [f"{flag}: {option.help}"], more


def _of_law(found: Iterable[Found]) -> Iterator[_Entry]:
    # A clause that several editions contain is listed once, from the last of them.
    last = {(hit["kind"], hit["id"]): hit for hit in found}
    for (kind, name), hit in last.items():
        command = {
            "reading": f"law interpretations {name}",
            "command": f"law acts {name}",
            "event": "help table-log",
        }.get(kind, f"law show {hit['law']} {shlex.quote(name)}")
        yield "act" if kind == "command" else kind, name, [hit["says"]], f"croupier {command}"


def _lines(text: str) -> Iterator[str]:
    """Yield paragraphs, rows, and items, each after its heading."""
    heading = ""
    for block in _BLOCKS.split(text):
        line = " ".join(block.split())
        if line.startswith("#"):
            heading = line.lstrip("# ")
            yield heading
        elif line:
            yield f"{heading}: {line.strip('| -')}"


def _commands(
    command: click.Command, context: click.Context, words: tuple[str, ...]
) -> Iterator[tuple[str, click.Command]]:
    if words:
        yield " ".join(words), command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            _, below, _ = command.resolve_command(context, [name])
            if below is not None:
                yield from _commands(below, context, (*words, name))
