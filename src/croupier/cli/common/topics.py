"""``croupier help`` and ``croupier samples``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Final

import click

from croupier.cli.common.files import check_outputs, force_option, writer
from croupier.cli.common.output import fail, headline, plain_table, print_table, print_text
from croupier.cli.common.terminal import is_plain
from croupier.files import shipped
from croupier.records.submission_schema import rules_submission

_SCHEMA: Final = "docs/schemas/rules-submission.schema.json"
"""Where the samples find their schema."""


@click.command("help", short_help="Print a document, or list the topics.")
@click.argument("topic", required=False)
def help_topic(topic: str | None) -> None:
    """Print the document TOPIC, or list the topics.

    A document is formatted on a terminal and printed as Markdown elsewhere. For the options of a
    command, see croupier COMMAND --help.
    """
    found = shipped.topics()
    if topic is None:
        table = plain_table("Topic", "Title")
        for name, text in found.items():
            table.add_row(name, text.partition("\n")[0].removeprefix("# "))
        print_table(table)
        return
    # Help texts name the files: docs/table-log.md is the topic table-log.
    name = topic.removeprefix("docs/").removesuffix(".md")
    if name not in found:
        from difflib import get_close_matches  # noqa: PLC0415  (for a slip alone)

        near = get_close_matches(name, found, 1)
        hint = f"did you mean {near[0]}?" if near else "croupier help lists the topics"
        fail(f"there is no topic {topic!r}: {hint}")
    text = found[name]
    if not sys.stdout.isatty():
        sys.stdout.write(text)
    elif is_plain():
        sys.stdout.write(_without_links(text, found))
    else:
        from croupier.cli.common.markdown import print_document  # noqa: PLC0415  (for a terminal alone)

        print_document(_without_links(text, found))


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

    Rules submissions are written to submissions, their JSON Schema to docs/schemas, and records and
    other examples to docs/examples; the documents use these names. If one of the files exists,
    nothing is written.
    """
    files = {folder / name: content for name, content in shipped.samples().items()}
    files[folder / _SCHEMA] = f"{json.dumps(rules_submission(), indent=2)}\n".encode()
    check_outputs(*files, force=force)
    with writer(force=force) as out:
        for target, content in files.items():
            out.open(target).write(content)
    headline(f"{len(files)} files written")
    for name in sorted({target.parent for target in files}):
        print_text(str(name), indent=2)
