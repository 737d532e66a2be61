"""The complete set of vectors of a table."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from croupier.baccarat.coup import NO_THIRD_CARD, Hand
from croupier.files.text import read_json
from croupier.files.write import WriteError, write_folder
from croupier.rules import TableRules
from croupier.rules.documents import by_program, provenance
from croupier.scenarios.starts import starts
from croupier.scenarios.vectors import documents
from croupier.scenarios.vectors.answers import answers, refusals_data
from croupier.scenarios.vectors.deals import deals, deals_data
from croupier.scenarios.vectors.procedures import procedures, procedures_data
from croupier.scenarios.vectors.settlements import (
    classes,
    grounds_of,
    rounding_data,
    settlement_data,
)

MANIFEST: Final = "manifest.json"

Data = dict[str, Any]


class RulesSource(NamedTuple):
    name: str
    content: bytes


class Pack(NamedTuple):
    manifest: documents.Manifest
    files: Mapping[str, bytes]
    gaps: tuple[str, ...]


def pack(
    rules: TableRules,
    source: RulesSource | None = None,
    progress: Callable[[str], None] | None = None,
    laws: Sequence[str] = (),
) -> Pack:
    """Make the vectors of a table. The same rules give the same bytes.

    ``laws`` are the names of the folders of a law that is not included.
    """
    report = progress or (lambda _: None)
    report("the points of the procedure")
    begins = starts(rules)
    report("rounds")
    rounds = list(deals(rules, begins))
    report("settlement and rounding")
    cards_by_facts = classes(rounds, rules)
    grounds = grounds_of(cards_by_facts, rules)
    report("irregularities")
    scenarios = list(procedures(rules, begins))
    report("refusals")
    all_answers = answers(begins)
    report("files")
    topics: documents.Topics = {
        "rules": _rules_data(rules),
        "deals": deals_data(rounds),
        "settlement": settlement_data(cards_by_facts, rules),
        "rounding": rounding_data(grounds, rules, begins),
        "procedures": procedures_data(scenarios, all_answers.acts, begins, rules),
        "refusals": refusals_data(all_answers, rules),
    }
    return _packed(rules, source, topics, laws)


def _packed(
    rules: TableRules, source: RulesSource | None, topics: documents.Topics, laws: Sequence[str]
) -> Pack:
    files: dict[str, bytes] = {}
    listing: list[documents.VectorsFile] = []
    for topic, data in topics.items():
        name = f"{topic}.json"
        document: Data = {"format": documents.FILES[topic], **by_program(), **cast("Data", data)}
        files[name] = written(document)
        counts = {key: len(rows) for key, rows in document.items() if isinstance(rows, list)}
        listing.append(_listing(name, documents.FILES[topic], files[name], counts))
    for title, schema in documents.SCHEMAS.items():
        name = f"schemas/{title}.schema.json"
        files[name] = (json.dumps(schema(), indent=2, ensure_ascii=False) + "\n").encode()
        listing.append(_listing(name, None, files[name], {}))
    places = [place["place"] for place in topics["refusals"]["not_reached"] if place["why"] is None]
    events = [event["event"] for event in topics["procedures"]["not_seen"] if event["why"] is None]
    gaps = (*places, *events)
    submission: documents.SubmissionFile | None = None
    if source is not None:
        digest = hashlib.sha256(source.content).hexdigest()
        submission = {"file": source.name, "sha256": digest}
    table = ["--law", rules.law.id, "--as-of", rules.submission.on.isoformat()]
    if source is not None:
        table = ["--submission", source.name]
    table += [word for name in laws for word in ("--laws", name)]
    manifest: documents.Manifest = {
        "format": "croupier-vectors/2",
        **provenance(rules, shlex.join(["croupier", "vectors", *table, "-o", "vectors"])),
        "submission": submission,
        "gaps": list(gaps),
        "files": listing,
    }
    return Pack(manifest, {MANIFEST: written(manifest), **files}, gaps)


def _listing(
    name: str, schema: str | None, content: bytes, counts: dict[str, int]
) -> documents.VectorsFile:
    digest = hashlib.sha256(content).hexdigest()
    size = len(content)
    return {"name": name, "schema": schema, "bytes": size, "sha256": digest, "counts": counts}


def _rules_data(rules: TableRules) -> documents.RulesVectors:
    tableau = rules.tableau
    rows: list[documents.Draws] = [
        {"hand": Hand.PLAYER.value, "point_count": count, "third": None, "draws": draws}
        for count, draws in enumerate(tableau.player_draws)
    ]
    for count, by_third in enumerate(tableau.banker_draws):
        rows += [
            {
                "hand": Hand.BANKER.value,
                "point_count": count,
                "third": None if third == NO_THIRD_CARD else third,
                "draws": draws,
            }
            for third, draws in enumerate(by_third)
        ]
    return {
        "rules_hash": rules.sha256,
        "canonical": cast("documents.CanonicalRules", rules.canonical),
        "tableau": rows,
    }


def write(vectors: Pack, folder: Path, *, force: bool = False) -> None:
    """Write vectors, all or none; over others with ``force``. Raises ``WriteError``."""
    check_folder(folder, force=force)
    write_folder(folder, vectors.files)


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise ``WriteError`` if vectors may not be written to a folder."""
    if folder.is_symlink() or not folder.is_dir():
        return  # It is new, or not a folder, which is refused where it is written.
    paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    unlisted = sorted(paths - _listed(folder))
    if unlisted:
        raise WriteError(
            f"{folder} holds what no set of vectors put there: {', '.join(unlisted[:5])}"
            f"{' and more' if len(unlisted) > 5 else ''}. Name another folder."
        )
    if paths and not force:
        raise WriteError(f"{folder} holds vectors already; --force replaces them")


def _listed(folder: Path) -> set[str]:
    try:
        manifest = read_json(folder / MANIFEST)
        if manifest["format"].partition("/")[0] != documents.FORMAT.partition("/")[0]:
            return set()
        return {MANIFEST, *(str(file["name"]) for file in manifest["files"])}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return set()


_WIDTH: Final = 400
"""Maximum width of an item on one line; longer ones are split."""

_STEP: Final = "  "


def written(data: object) -> bytes:
    r"""Plain data as canonical UTF-8 JSON with a final newline.

    Keys keep their order, and short items are on one line. Numbers are integers. Raises
    ``TypeError`` for a float, and for values without a JSON form.

    >>> written({"cases": [{"stake": 5}, {"stake": 10}]})
    b'{"cases": [{"stake": 5}, {"stake": 10}]}\n'
    """
    return (_text(data, "") + "\n").encode()


def _text(data: object, indent: str) -> str:
    if isinstance(data, str):
        return encode_basestring(data)
    deeper = indent + _STEP
    if isinstance(data, dict):
        items = [f"{_key(name)}: {_text(value, deeper)}" for name, value in data.items()]
        first, last = "{}"
    elif isinstance(data, list):
        items = [_text(value, deeper) for value in data]
        first, last = "[]"
    elif isinstance(data, float):
        raise TypeError(f"{data!r}: money and odds are integers")
    else:
        return repr(data) if type(data) is int else json.dumps(data)
    line = ", ".join(items)
    if len(indent) + len(line) + 2 <= _WIDTH and "\n" not in line:
        return f"{first}{line}{last}"
    lines = f",\n{deeper}".join(items)
    return f"{first}\n{deeper}{lines}\n{indent}{last}"


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{name!r}: the names of an object are text")
    return encode_basestring(name)
