"""The JSON Schema of law files accepts and refuses what the loader does, as far as a schema can."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema_rs import Draft202012Validator, meta

from croupier.files.errors import FileError
from croupier.files.toml import parse_toml
from croupier.law.faults import LawError, LawFault
from croupier.law.load import load_instrument
from croupier.law.resolve import instruments
from croupier.law.schema import law_file
from support.own_law import own_law, own_text
from support.project import ROOT
from support.volume import volume

LAWS: Final = ROOT / "src/croupier/law/instruments"
SEEN: Final = {"shape", "contract"}
"""Codes of faults that a schema can find."""

_VALUES: Final = (
    "3", "-1", "1.5", "true", "false", '""', '" "', '"x"', "[]", "[1]", '["x"]', '[["x"]]', "{}", "{ a = 1 }", '{ a = "8:1" }',
    '"8:1"', '"0:1"', '"5%"', '"1/4"', '"0.50"', '"dealer"', '"odds"', '"word"', '"rule"', '"all"', '[{ a = "1:1" }]', "[1, 2]", '["5%", "4%"]',
)  # fmt: skip
_ADDED: Final = (
    "by", "standing", "value", "choices", "at_least", "between", "applies_when", "does", "terms", "cites_by", "may_be_left_out",
    "reason", "disposition", "interpretations", "class", "moment", "across", "minutes", "rules", "when", "to", "kind", "colour",
)  # fmt: skip


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = law_file({})
    meta.validate(schema)
    return Draft202012Validator(schema)


def as_json(raw: Any) -> Any:
    return json.loads(json.dumps(raw, default=lambda one: one.isoformat()))


@pytest.mark.parametrize("key", [law.key for law in instruments()])
def test_included_laws_are_valid(key: str, validator: Draft202012Validator) -> None:
    tables = tomllib.loads((LAWS / f"{key}.toml").read_text(encoding="utf-8"))
    assert [one.message for one in validator.iter_errors(as_json(tables))] == []


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("examples/laws/*/*@*.toml")), ids=lambda one: one.stem
)
def test_the_examples_are_valid(path: Path, validator: Draft202012Validator) -> None:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    assert [one.message for one in validator.iter_errors(as_json(tables))] == []


def mutant(blocks: list[str], choose: random.Random) -> str:
    """Return the head of a law and some of its tables, with one line changed."""
    head, *others = blocks
    # A table that is not in a list comes once.
    chosen = [head, *dict.fromkeys(choose.sample(others, 12))]
    at = choose.randrange(len(chosen))
    lines = chosen[at].strip().split("\n")
    line = choose.randrange(1, len(lines))
    key, equals, _ = lines[line].partition(" = ")
    match choose.randrange(4):
        case 0:
            del lines[line]
        case 1:
            lines.insert(line, f"{choose.choice(_ADDED)} = {choose.choice(_VALUES)}")
        case 2 if key:
            lines[line] = f"{key}x{equals}{choose.choice(_VALUES)}"
        case _ if equals and "in_force" not in key:
            lines[line] = f"{key} = {choose.choice(_VALUES)}"
    chosen[at] = "\n".join(lines)
    return "\n\n".join(chosen) + "\n"


def faults_in(path: Path) -> tuple[LawFault, ...]:
    try:
        load_instrument(path)
    except LawError as error:
        return error.faults
    return ()


def test_schema_and_loader_agree_on_mutated_files(
    tmp_path: Path, validator: Draft202012Validator
) -> None:
    path, choose = own_law(tmp_path), random.Random(31)
    blocks = ["[instrument]" + own_text().partition("[instrument]")[2].partition("\n\n")[0]]
    blocks += [f"[[{one}".strip() for one in own_text().split("\n[[")[1:]]
    blocks += ['[currency]\ncode = "HKD"\nsign = "HK$"\ndecimals = 2\nchips = ["0.50", 5]'] * 20
    agreed = {True: 0, False: 0}
    while sum(agreed.values()) < volume(1000, 300):
        text = mutant(blocks, choose)
        try:
            tables = parse_toml(text, path).tables
        except FileError:
            continue
        path.write_text(text, encoding="utf-8")
        found = [fault for fault in faults_in(path) if fault.code in SEEN]
        refused = [one.message for one in validator.iter_errors(as_json(tables))]
        assert bool(found) == bool(refused), (list(map(str, found)), refused, text)
        agreed[not found] += 1
    assert min(agreed.values()) > 30
