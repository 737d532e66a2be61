"""Holds every test that names clauses to the text that it says it runs under.

``@pytest.mark.under("us-nj/minibaccarat@2011-02-22")`` names the text, and the test must use it:
read its rules or clauses, or play by rules that were made of it, in the test or in a fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from datetime import date
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.law.interpretations import acknowledged
from croupier.law.model import Instrument
from croupier.law.resolve import resolve
from croupier.rules import TableRules, default_submission, table_rules

_READ: Final = frozenset(
    {"rules", "clauses", "constraints", "elections", "cites", "implemented_by"}
)
"""What of a text is used. Its id and its days are read of every text, to find the one in force."""

_BY_FIXTURE: Final[dict[tuple[str, str], set[str]]] = {}
"""The texts that each fixture used when it was last set up."""

_OF_CLAUSES: Final = pytest.StashKey[AbstractSet[tuple[str, str]]]()

_plain: Final[Callable[[object, str], Any]] = object.__getattribute__


class _Notes:
    """The texts that are used, noted until all that are wanted are; ``None`` wants them all."""

    def __init__(self, wanted: AbstractSet[str] | None) -> None:
        self.used: dict[int, Instrument] = {}
        self.missing = None if wanted is None else set(wanted)
        kinds = (TableRules, Instrument)
        self.before = [(kind, kind.__dict__.get("__getattribute__")) for kind in kinds]

    def begin(self) -> None:
        """Look at every attribute that is read of rules, and of texts."""

        def of_rules(rules: TableRules, name: str) -> Any:
            self.note(_plain(rules, "law"))
            return _plain(rules, name)

        def of_text(text: Instrument, name: str) -> Any:
            if name in _READ:
                self.note(text)
            return _plain(text, name)

        type.__setattr__(TableRules, "__getattribute__", of_rules)
        type.__setattr__(Instrument, "__getattribute__", of_text)

    def note(self, law: Instrument) -> None:
        """Note a text, and look no further if no other is missing: looking makes a test slow."""
        if id(law) in self.used:
            return
        self.used[id(law)] = law
        if self.missing is not None:
            self.missing -= _keys((law,))
            if not self.missing:
                self.end()

    def end(self) -> None:
        """Leave rules and texts as they were."""
        while self.before:
            kind, old = self.before.pop()
            if old is None:
                type.__delattr__(kind, "__getattribute__")
            else:
                type.__setattr__(kind, "__getattribute__", old)


@contextmanager
def _noted(wanted: AbstractSet[str] | None) -> Iterator[set[str]]:
    """Note the texts that are used, and give their keys at the end."""
    notes, keys = _Notes(wanted), set[str]()
    notes.begin()
    try:
        yield keys
    finally:
        notes.end()
        keys |= _keys(notes.used.values())


def _keys(texts: Iterable[Instrument]) -> set[str]:
    return {f"{_plain(text, 'id')}@{_plain(text, 'in_force_from')}" for text in texts}


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any],
    request: pytest.FixtureRequest,
) -> Generator[None, object, object]:
    """Note the texts that a fixture uses, if a test that names clauses may be given it."""
    texts = None
    if fixturedef.scope == "function":
        if request.node.get_closest_marker("clause") is None:
            return (yield)
        texts = _texts(request.node)
    elif (fixturedef.baseid, fixturedef.argname) not in _of_clauses(request.session):
        return (yield)
    with _noted(texts) as used:
        result = yield
    _BY_FIXTURE[fixturedef.baseid, fixturedef.argname] = used
    return result


def _of_clauses(session: pytest.Session) -> AbstractSet[tuple[str, str]]:
    """Return the fixtures of all tests that name clauses: to note what others use makes them slow."""
    if _OF_CLAUSES not in session.stash:
        session.stash[_OF_CLAUSES] = {
            (one.baseid, one.argname)
            for item in session.items
            if item.get_closest_marker("clause") is not None
            for fixtures in item._fixtureinfo.name2fixturedefs.values()  # type: ignore[attr-defined]  # noqa: SLF001
            for one in fixtures
        }
    return session.stash[_OF_CLAUSES]


def _texts(node: pytest.Item) -> set[str]:
    return {text for mark in node.iter_markers("under") for text in mark.args}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that names clauses, and no text or one that it does not use."""
    clauses = [clause for mark in item.iter_markers("clause") for clause in mark.args]
    texts = _texts(item)
    if not clauses:
        return (yield)
    with _noted(texts) as used:
        result = yield
    for fixtures in item._fixtureinfo.name2fixturedefs.values():  # type: ignore[attr-defined]  # noqa: SLF001
        used |= _BY_FIXTURE.get((fixtures[-1].baseid, fixtures[-1].argname), set())
    if not texts:
        pytest.fail("names clauses, and not the text that it runs under: mark it `under`")
    if idle := texts - used:
        pytest.fail(
            f"is marked as run under {', '.join(idle)}, and uses {', '.join(used) or 'none'}"
        )
    return result


@pytest.fixture
def rules_under_the_text(request: pytest.FixtureRequest) -> TableRules:
    """Default rules of the text that a test runs under, for a test of the game alone.

    No rules are made of a text that values cards otherwise than the game does.
    """
    (key,) = {text for mark in request.node.iter_markers("under") for text in mark.args}
    law_id, _, day = key.partition("@")
    plain = default_submission(law_id, date.fromisoformat(day))
    text = resolve(law_id, on=plain.on)
    return table_rules(replace(plain, readings=acknowledged(text)))
