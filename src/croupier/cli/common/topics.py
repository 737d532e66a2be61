"""``croupier help`` and ``croupier samples``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Final

import click

from croupier.cli.common.files import check_outputs, document_options, force_option, writer
from croupier.cli.common.output import fail, headline, plain_table, print_table, print_text
from croupier.cli.common.terminal import is_plain
from croupier.files import shipped
from croupier.files.errors import did_you_mean
from croupier.records.submission_schema import rules_submission

_SCHEMA: Final = "docs/schemas/rules-submission.schema.json"

_ALIASES: Final = {"faq": "questions", "operations": "running", "trust": "why-trust"}


@click.command("help", short_help="Print a document, list the topics, or search everything.")
@click.argument("topic", metavar="[TOPIC | WORDS...]", nargs=-1)
@click.option("--search", "is_search", is_flag=True, help="Search even if WORDS name a topic.")
@document_options()
def help_topic(topic: tuple[str, ...], output_format: str, *, is_search: bool) -> None:
    """Print the document TOPIC, list the topics, or search for WORDS.

    A document is formatted on a terminal and printed as Markdown elsewhere. Words that name no
    topic are searched for in all documents, the glossary, commands and their options, acts, rules,
    clauses, and readings; synonyms of the trade count too. The best matches come first, guides
    before reference, each with the command that shows more. For the options of a command, see
    croupier COMMAND --help. Exit status: 2 if nothing is found.
    """
    asked_name = " ".join(topic)
    if not asked_name:
        if is_search:
            fail("--search: name the words to search for")
        _list_topics()
        return
    # Help texts name the files: docs/table-log.md is the topic table-log.
    name = asked_name.removeprefix("docs/").removesuffix(".md").lower()
    text = shipped.topics().get(_ALIASES.get(name, name))
    if text is None or is_search:
        _search(topic, output_format)
    elif output_format != "text":
        fail(f"--format {output_format} is for a search: add --search")
    elif not sys.stdout.isatty():
        sys.stdout.write(text)
    elif is_plain():
        sys.stdout.write(_without_links(text, shipped.topic_files()))
    else:
        from croupier.cli.common.markdown import print_document  # noqa: PLC0415  (for a terminal alone)

        print_document(_without_links(text, shipped.topic_files()))


def _list_topics() -> None:
    aliases = {name: alias for alias, name in _ALIASES.items()}
    table = plain_table("Topic", "Title")
    for name, text in shipped.topics().items():
        title = text.partition("\n")[0].removeprefix("# ")
        table.add_row(name, f"{title} ({aliases[name]})" if name in aliases else title)
    print_table(table)


def _search(words: tuple[str, ...], output_format: str) -> None:
    from croupier.cli.common.files import give  # noqa: PLC0415  (a topic needs none of it)
    from croupier.cli.common.searching import searched  # noqa: PLC0415  (the same)
    from croupier.reports.law_show import help_tree  # noqa: PLC0415  (the same)

    document = searched(words)
    if not document["found"]:
        query = " ".join(words)
        hint = did_you_mean(query, [*shipped.topic_files(), *_ALIASES])
        fail(
            f"no topic is called {query!r}, and nothing contains it{hint or ';'} croupier help "
            "lists the topics, and croupier help --search WORDS searches them and all else"
        )
    give(document, help_tree, output_format)


_LINK: Final = re.compile(r"!?\[([^\]]+)\]\(([^)\s]+)\)")


def _without_links(text: str, topics: Collection[str]) -> str:
    def command(link: re.Match[str]) -> str:
        title, target = link[1], link[2]
        if "://" in target:
            return link[0]
        topic = PurePosixPath(target.partition("#")[0]).stem
        return f"{title} (`croupier help {topic}`)" if topic in topics else title

    return _LINK.sub(command, text)


@click.command("samples", short_help="Write the sample submissions and records.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path())
@force_option
def samples(folder: Path, *, force: bool) -> None:
    """Write the sample files to FOLDER (default: the current directory).

    Rules submissions are written to submissions, their JSON Schema to docs/schemas, records and
    other examples to docs/examples, and regulations, verifiers, and mechanisms to examples; the
    documents use these names. If one of the files exists, nothing is written.
    """
    files = {folder / name: content for name, content in shipped.samples().items()}
    files[folder / _SCHEMA] = f"{json.dumps(rules_submission(), indent=2)}\n".encode()
    check_outputs(*files, force=force)
    with writer(force=force) as target_writer:
        for target, content in files.items():
            target_writer.open(target).write(content)
    headline(f"{len(files)} files written")
    for name in sorted({target.parent for target in files}):
        print_text(str(name), indent=2)
