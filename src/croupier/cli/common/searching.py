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
    query = " ".join(words)
    patterns = alike(query)
    hits = sorted(
        _scored(query, patterns),
        key=lambda item: (
            -item["score"],
            item["id"].lower() != query.lower(),
            _KINDS.index(item["kind"]),
        ),
    )
    # A match of fewer words is listed only if no other has more than one of them.
    best_score = hits[0]["score"] if hits else 0
    matches = [item for item in hits if item["score"] * 2 > best_score]
    counts = Counter[str]()
    results: list[FoundHelp] = []
    for item in matches:
        if counts[item["kind"]] < _MOST:
            counts[item["kind"]] += 1
            results.append(item)
    return {
        "format": "croupier-help-search/1",
        **made(command_line()),
        "words": [*words],
        "unknown": unmatched(patterns, matches),
        "matches": len(matches),
        "found": results,
    }


def _scored(query: str, patterns: Mapping[str, re.Pattern[str]]) -> Iterator[FoundHelp]:
    texts = instruments()
    if clauses := [*cited(query, texts[::-1])]:
        for kind, name, (text,), call in _of_law(clauses):
            yield {"kind": kind, "id": name, "says": text, "score": len(patterns), "more": call}
        return
    wanted = [*patterns.values()]
    for kind, name, lines, call in (*_of_documents(), *_of_commands(), *_of_law(candidates(texts))):
        text = max(lines, key=partial(_worth, name, wanted))
        hit_score = score(name, text, wanted)
        if hit_score:
            yield {"kind": kind, "id": name, "says": text, "score": hit_score, "more": call}


def _worth(name: str, patterns: Sequence[re.Pattern[str]], line: str) -> tuple[int, int, int]:
    """Rank the lines of a match: the shortest that has the words, or else the first."""
    line_score = score("", line, patterns)
    return score(name, line, patterns), line_score, -len(line) if line_score else 0


def _of_documents() -> Iterator[_Entry]:
    documents = {name: _LINK.sub(r"\1", text) for name, text in shipped.topics().items()}
    for name, text in documents.items():
        yield "topic", name, [*_lines(text)], f"croupier help {name}"
    for term, definition in _TERM.findall(documents[_GLOSSARY]):
        yield "term", term, [f"{term}: {definition}"], f"croupier help {_GLOSSARY}"


def _of_commands() -> Iterator[_Entry]:
    context = click.get_current_context().find_root()
    for words, command in _commands(context.command, context, ()):
        advice = f"croupier {words} --help"
        yield "command", words, _SENTENCES.split(" ".join((command.help or "").split())), advice
        for option in command.params:
            if isinstance(option, click.Option) and option.help and not option.hidden:
                flag = max(option.opts, key=len)
                yield "option", flag, [f"{flag}: {option.help}"], advice


def _of_law(hits: Iterable[Found]) -> Iterator[_Entry]:
    # A clause that several editions contain is listed once, from the last of them.
    hits_by_id = {(item["kind"], item["id"]): item for item in hits}
    for (kind, name), item in hits_by_id.items():
        command = {
            "reading": f"law interpretations {name}",
            "command": f"law acts {name}",
            "event": "help table-log",
        }.get(kind, f"law show {item['law']} {shlex.quote(name)}")
        yield "act" if kind == "command" else kind, name, [item["says"]], f"croupier {command}"


def _lines(text: str) -> Iterator[str]:
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
            _, subcommand, _ = command.resolve_command(context, [name])
            if subcommand is not None:
                yield from _commands(subcommand, context, (*words, name))
