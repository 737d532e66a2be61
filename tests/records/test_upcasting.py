"""An event of an older version means today what its upcaster says, and nothing is guessed."""

from collections.abc import Mapping
from typing import Any

import pytest

from croupier.acts import CardBurned
from croupier.records.codec import UPCASTERS, CodecError, decode_event, upcast, upcasts


@pytest.fixture
def upcasters(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, int], Any]:
    made: dict[tuple[str, int], Any] = {}
    monkeypatch.setattr("croupier.records.codec.UPCASTERS", made)
    return made


def test_every_version_between_is_gone_through(upcasters: dict[tuple[str, int], Any]) -> None:
    @upcasts("Made", 1)
    def second(fields: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**fields, "left": None}

    @upcasts("Made", 2)
    def third(fields: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"cards_left": fields["left"]}

    assert upcast("Made", 1, 3, {}) == {"cards_left": None}
    assert upcast("Made", 2, 3, {"left": 7}) == {"cards_left": 7}
    assert upcast("Made", 3, 3, {"cards_left": 7}) == {"cards_left": 7}
    assert set(upcasters) == {("Made", 1), ("Made", 2)}
    assert second({}) == {"left": None}
    assert third({"left": 1}) == {"cards_left": 1}


@pytest.mark.parametrize("version", [None, 0, -1, "1", True, 1.0])
def test_what_is_no_version_is_refused(version: object) -> None:
    with pytest.raises(CodecError, match="CardBurned: 'v' must be its version"):
        decode_event({"type": "CardBurned", "v": version, "card": "9h", "clauses": []})


def test_a_newer_version_than_this_program_knows_is_refused() -> None:
    newer = CardBurned.VERSION + 1
    with pytest.raises(CodecError, match="a newer program wrote this log"):
        decode_event({"type": "CardBurned", "v": newer, "card": "9h", "clauses": []})


def test_no_upcaster_is_of_an_event_that_there_is_not() -> None:
    from croupier.records.codec import EVENTS  # noqa: PLC0415  (beside what it is held to)

    for name, version in UPCASTERS:
        assert 1 <= version < EVENTS[name].VERSION
    for event in EVENTS.values():
        for version in range(1, event.VERSION):
            assert (event.__name__, version) in UPCASTERS
