"""What programs may rely on is fixed: a name or a shape that changes fails here first."""

import ast
import inspect
import json
import re
import subprocess
import sys
import warnings
from importlib import import_module

import pytest

import croupier
from support.kept import assert_as_made
from support.sources import PACKAGE, PUBLIC, source_of
from support.surface import _INNER, KEPT, Line, lines_of, public, shapes, surface

FUNCTIONS = [name for name in croupier.__all__ if inspect.isfunction(getattr(croupier, name))]
RECORDS = [
    name for name in croupier.__all__ if getattr(getattr(croupier, name), "__struct_fields__", ())
]
HEAD = "name\tshape\tsince\tdeprecated\n"


def test_the_public_names_have_the_shapes_that_are_kept() -> None:
    kept = KEPT.read_text(encoding="utf-8")
    made = surface(kept, shapes(), croupier.__version__)
    assert_as_made(kept, made, "the public surface")
    assert set(dir(croupier)) == {*croupier.__all__, "__version__", "client"}


def file_of(*lines: Line) -> str:
    return HEAD + "".join("\t".join(line) + "\n" for line in lines)


def test_what_no_released_version_has_may_change_and_go() -> None:
    kept = file_of(Line("a", "(x)", "0.2.0"), Line("b", "(y)", "0.2.0"))
    assert surface(kept, {"a": "(x, z)"}, "0.2.0") == file_of(Line("a", "(x, z)", "0.2.0"))


def test_a_new_name_has_the_version_that_brings_it() -> None:
    kept = file_of(Line("a", "(x)", "0.1.0"))
    made = surface(kept, {"a": "(x)", "b": "(y)"}, "0.2.0")
    assert made == file_of(Line("a", "(x)", "0.1.0"), Line("b", "(y)", "0.2.0"))


@pytest.mark.parametrize("found", [{}, {"a": "(x, z)"}])
@pytest.mark.parametrize(
    ("deprecated", "version"), [("", "0.2.0"), ("0.2.0", "0.2.0"), ("0.10.0", "0.9.0")]
)
def test_what_was_released_stays_until_a_version_after_its_deprecation(
    found: dict[str, str], deprecated: str, version: str
) -> None:
    kept = file_of(Line("a", "(x)", "0.1.0", deprecated))
    with pytest.raises(ValueError, match="deprecate it first"):
        surface(kept, found, version)
    assert surface(kept, {"a": "(x)"}, version) == kept
    if deprecated:
        assert "(x)" not in surface(kept, found, "0.11.0")


def test_an_event_may_have_more_fields_and_no_other() -> None:
    kept = file_of(Line("croupier.events.Dealt", "(card, clauses)", "0.1.0"))
    more = surface(kept, {"croupier.events.Dealt": "(card, seat, clauses)"}, "0.2.0")
    assert more == file_of(Line("croupier.events.Dealt", "(card, seat, clauses)", "0.1.0"))
    for shape in ("(seat, clauses)", "(clauses, card)"):
        with pytest.raises(ValueError, match="deprecate it first"):
            surface(kept, {"croupier.events.Dealt": shape}, "0.2.0")


def test_a_deprecated_name_warns() -> None:
    for line in lines_of(KEPT.read_text(encoding="utf-8")).values():
        if line.deprecated:
            with warnings.catch_warnings(record=True) as warned:
                croupier.__getattr__(line.name.split(".")[1])
            assert [one.category for one in warned] == [DeprecationWarning], line


def test_type_checkers_are_told_of_the_same_names() -> None:
    told: set[str] = set()
    for node in source_of(PACKAGE / "__init__.py").nodes:
        for alias in getattr(node, "names", ()):
            if alias.name == "*" and isinstance(node, ast.ImportFrom):
                told.update(import_module(str(node.module)).__all__)
            elif alias.name == alias.asname:
                told.add(alias.asname)
    assert told == {*croupier.__all__, "__version__", "client"}
    assert {"client", "commands", "events"} == PUBLIC


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_raises(name: str) -> None:
    assert "Raises" in getattr(croupier, name).__doc__


def test_every_public_name_says_what_it_is() -> None:
    named = public()
    members = {name: name.rpartition(".") for name in shapes().keys() - named.keys()}
    documented = named | {
        name: member
        for name, (owner, _, last) in members.items()
        if inspect.isroutine(member := inspect.getattr_static(named[owner], last))
    }
    assert [name for name, value in documented.items() if not value.__doc__] == []


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_does_not_change(name: str) -> None:
    record = getattr(croupier, name)
    fields = record.__struct_fields__
    with pytest.raises(AttributeError, match="immutable type"):
        setattr(record(*fields), fields[0], 0)


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="settel_round"):
        _ = croupier.settel_round  # type: ignore[attr-defined]


@pytest.mark.parametrize("how", ["import croupier", "import croupier; croupier.__version__"])
def test_to_import_the_package_imports_nothing_of_it(how: str) -> None:
    script = f"import sys; before = set(sys.modules); {how}; import json\n"
    script += "print(json.dumps(sorted(m for m in set(sys.modules) - before if 'croupier' in m)))"
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    files = ["croupier.files", "croupier.files.version"]
    assert json.loads(done.stdout) == ["croupier", *(files if "version" in how else [])]


def test_every_class_in_a_public_signature_can_be_named() -> None:
    named, unnamed = [*public().values()], set()
    for name in ("LiveTable", "GameRules", "RoundsVerdict", "LogVerdict", *FUNCTIONS):
        value = getattr(croupier, name)
        functions = [one for _, one in inspect.getmembers(value, inspect.isfunction)]
        for function in (value,) if inspect.isfunction(value) else functions:
            inner = inspect.unwrap(function)
            words = re.findall(r"[A-Za-z]+", " ".join(map(str, inner.__annotations__.values())))
            # Members that begin with an underscore, or that only the project uses, are not public.
            if function.__name__[0] == "_" or function.__name__ in _INNER:
                continue
            types = [inner.__globals__.get(word) for word in words]
            unnamed |= {
                f"{name}.{function.__name__}: {one.__name__}"
                for one in types
                if inspect.isclass(one) and one.__module__[:8] == "croupier" and one not in named
            }
    assert unnamed == set()
