"""Logs that were kept are verified for ever, whatever versions and editions came since.

``tests/data/logs`` has a log of every format, and of every version of an event and edition of a law
file that changed since. They are never made anew.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.acts import CardDealt, Event
from croupier.law.interpretations import Edition
from croupier.law.model import Correction, Instrument
from croupier.law.resolve import resolve
from croupier.law.values import Odds
from croupier.records import codec, entry
from support.forged_logs import Line, event_of, forged, has, read, where
from support.project import ROOT
from support.verified import verify_log

LOGS = ROOT / "tests" / "data" / "logs"
KEPT = sorted(LOGS.glob("*.gz"))
OLD = LOGS / "nj-minibaccarat.format-2.jsonl.gz"

LAW, DAY = "us-nj/minibaccarat", date(2011, 2, 22)
OLD_FILE = "98cbb570a397a97fa8b93977dec55f878336b635ca71f6adac81b345fe6b94db"


def test_there_are_kept_logs() -> None:
    assert len(KEPT) >= 4


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_a_kept_log_is_verified_for_ever(path: Path) -> None:
    verdict = verify_log(path)
    assert verdict.divergence is None
    assert verdict.is_open is False
    assert verdict.rounds >= 50


def test_a_corrected_procedure_excuses_what_it_decides_and_only_there() -> None:
    # Void rounds were counted when the last hand had been called, and are no more.
    verdict = verify_log(LOGS / "ma-royal-9.format-2.jsonl.gz")
    assert verdict.header.binding_sha256 == verdict.header.rules.sha256
    assert verdict.is_other_edition
    assert {one.found.message for one in verdict.differences} == {
        "LayoutCleared: counted is True but should be False"
    }
    assert {one.corrections for one in verdict.differences} == {("shoe.hands_after_call",)}
    # Every void round, not only the first.
    lines = read(gzip.decompress((LOGS / "ma-royal-9.format-2.jsonl.gz").read_bytes()))
    void = list(_clearing_void_rounds(lines))
    assert len(void) > 5
    assert [one.found.line for one in verdict.differences] == void
    # In this one no round was void.
    assert not verify_log(OLD).is_other_edition


def _clearing_void_rounds(lines: list[Line]) -> Iterator[int]:
    """Yield the number of each line that clears the layout of a void round."""
    void = False
    for number, line in enumerate(lines, start=1):
        for event in line.get("events", ()):
            void |= event["type"] == "RoundVoided"
            if event["type"] == "LayoutCleared" and not event["simulated"]:
                if void:
                    yield number
                void = False


# --- an event gets a field -----------------------------------------------------------------------


@pytest.fixture
def newer_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a dealt card say how many cards are left: version 2 of the event."""
    monkeypatch.setattr(CardDealt, "VERSION", 2)
    head = b'{"type":"CardDealt"'
    types: dict[type[Event], tuple[bytes, int]] = {
        **entry._TYPES,  # noqa: SLF001
        CardDealt: (head + b',"v":2', len(head)),
    }
    monkeypatch.setattr(entry, "_TYPES", types)
    true = CardDealt.to_dict
    monkeypatch.setattr(CardDealt, "to_dict", lambda dealt: true(dealt) | {"left": 405})


# Other events got fields since, and the kept logs lack them too.
def of_cards(unrecorded: set[str]) -> set[str]:
    return {name for name in unrecorded if name.startswith("CardDealt.")}


def upcaster(left: int | None) -> Any:
    def second(fields: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**fields, "left": left}

    return second


@pytest.mark.usefixtures("newer_card")
def test_a_log_from_before_an_event_had_a_field_is_clean_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(codec.UPCASTERS, ("CardDealt", 1), upcaster(None))
    verdict = verify_log(OLD)
    assert verdict.divergence is None
    assert of_cards(verdict.unrecorded) == {"CardDealt.left"}


@pytest.mark.usefixtures("newer_card")
def test_a_field_that_is_what_the_old_version_implies_goes_without_saying(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(codec.UPCASTERS, ("CardDealt", 1), upcaster(405))
    verdict = verify_log(OLD)
    assert (verdict.divergence, of_cards(verdict.unrecorded)) == (None, set())


@pytest.mark.usefixtures("newer_card")
def test_a_wrong_field_of_an_old_event_still_diverges(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(codec.UPCASTERS, ("CardDealt", 1), upcaster(None))
    lines = read(gzip.decompress(OLD.read_bytes()))
    at_line = where(lines, has("CardDealt"))
    dealt = event_of(lines[at_line], "CardDealt")
    dealt["ordinal"] += 1
    path = tmp_path / "forged.jsonl"
    path.write_bytes(forged(lines))
    found = verify_log(path).divergence
    assert found is not None
    assert (found.line, found.kind) == (at_line + 1, "event")
    assert "CardDealt: ordinal is" in found.message


# --- the law file is corrected --------------------------------------------------------------------


def corrected(
    monkeypatch: pytest.MonkeyPatch,
    law: Instrument,
    *,
    binds: bool,
    of: str = "wagers.player.pays",
    before: Mapping[str, Any] | None = None,
) -> None:
    """Have the shelf hold a corrected edition of the law, and the values of edition 1."""
    one = Correction(date(2026, 12, 1), (of,), "It was the wrong one.", binds)
    edition = replace(law, corrections=(one,))
    monkeypatch.setattr("croupier.rules.build.resolve", lambda *_, **__: edition)
    first = Edition(law.key, 1, (OLD_FILE,), values=before or {})
    monkeypatch.setattr("croupier.law.interpretations.editions", lambda: (first,))


def tie_pays(law: Instrument, **changes: Any) -> Instrument:
    rule = replace(law.rules["wagers.tie.pays"], **changes)
    return replace(law, rules={**law.rules, rule.id: rule})


def test_a_corrected_citation_leaves_old_logs_clean_and_is_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    law = resolve(LAW, on=DAY)
    cites = (*law.rules["wagers.tie.pays"].cites, "NJ-MINI:7.3(a)")
    corrected(monkeypatch, tie_pays(law, cites=cites), binds=False, of="wagers.tie.pays")
    verdict = verify_log(OLD)
    assert verdict.divergence is None
    assert verdict.is_cited_otherwise
    assert not verdict.is_other_edition
    assert (verdict.header.edition, verdict.header.rules.law.edition) == (1, 2)


def player_pays_double(law: Instrument) -> Instrument:
    rule = replace(law.rules["wagers.player.pays"], value=Odds(2, 1))
    return replace(law, rules={**law.rules, rule.id: rule})


def test_a_corrected_value_gives_another_edition_apart_from_a_divergence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    double = player_pays_double(resolve(LAW, on=DAY))
    corrected(monkeypatch, double, binds=True, before={"wagers.player.pays": "1:1"})
    verdict = verify_log(OLD)
    assert verdict.divergence is None
    assert verdict.is_other_edition
    paid = [
        at
        for at, line in enumerate(read(gzip.decompress(OLD.read_bytes())), start=1)
        if "command" in line and has("WagerPaid", wager="player")(line)
    ]
    assert [one.found.line for one in verdict.differences] == paid
    first = verdict.differences[0]
    assert (first.found.kind, first.corrections) == ("event", ("wagers.player.pays",))
    assert "WagerPaid: odds is '1:1' but should be '2:1'" in first.found.message
    # Everything after it is followed as it was recorded.
    assert verdict.rounds > 60
    assert verdict.ledger.in_balance


def test_a_correction_excuses_only_what_depends_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # The Player wager is paid otherwise today, and the correction says nothing of that.
    changed = player_pays_double(resolve(LAW, on=DAY))
    corrected(monkeypatch, changed, binds=True, of="announce.no_more_bets")
    found = verify_log(OLD).divergence
    assert found is not None
    assert (found.line, found.kind) == (1, "header")
    assert "elections do not give the rules" in found.message


FORGERIES: dict[str, Callable[[list[Line]], int]] = {}


def forgery(name: str) -> Callable[[Callable[[list[Line]], int]], None]:
    return lambda function: FORGERIES.update({name: function})


@forgery("the other hand gets a card")
def _(lines: list[Line]) -> int:
    at_line = where(lines, has("CardDealt", hand="banker"))
    event_of(lines[at_line], "CardDealt")["hand"] = "player"
    return at_line


@forgery("a third card is not ruled as it should be")
def _(lines: list[Line]) -> int:
    at_line = where(lines, has("ThirdCardRuled"))
    ruled = event_of(lines[at_line], "ThirdCardRuled")
    ruled["draws"] = not ruled["draws"]
    return at_line


@forgery("a result is not that of the cards")
def _(lines: list[Line]) -> int:
    at_line = where(lines, has("ResultAnnounced"))
    event_of(lines[at_line], "ResultAnnounced")["player_count"] += 1
    return at_line


@forgery("a Banker wager is paid too much")
def _(lines: list[Line]) -> int:
    at_line = where(lines, has("WagerPaid", wager="banker"))
    event_of(lines[at_line], "WagerPaid")["cents"] += 500
    return at_line


@forgery("a losing stake is given back in part")
def _(lines: list[Line]) -> int:
    at_line = where(lines, has("LosingWagersCollected"))
    event_of(lines[at_line], "LosingWagersCollected")["stakes"][0]["cents"] -= 100
    return at_line


@forgery("vigorish is forgotten in part")
def _(lines: list[Line]) -> int:
    at_line = where(lines, has("VigorishMarked"))
    marked = event_of(lines[at_line], "VigorishMarked")
    marked["cents"] -= 1
    return at_line


@pytest.mark.parametrize("name", FORGERIES)
def test_under_another_edition_drawing_and_settlement_are_judged_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    # A corrected announcement changes nothing of either.
    before = {"announce.no_more_bets": "No More Bets"}
    of = "announce.no_more_bets"
    corrected(monkeypatch, announced(resolve(LAW, on=DAY)), binds=True, of=of, before=before)
    verdict = verify_log(OLD)
    assert (verdict.divergence, verdict.is_other_edition) == (None, True)
    assert len(verdict.differences) == verdict.rounds
    lines = read(gzip.decompress(OLD.read_bytes()))
    at_line = FORGERIES[name](lines)
    path = tmp_path / "table.jsonl"
    path.write_bytes(forged(lines))
    found = verify_log(path).divergence
    assert found is not None
    assert (found.line, found.kind) == (at_line + 1, "event")


def announced(law: Instrument) -> Instrument:
    """Return the law with other words to be said when betting ends."""
    rule = replace(law.rules["announce.no_more_bets"], value="Rien ne va plus")
    return replace(law, rules={**law.rules, rule.id: rule})


def test_under_another_edition_a_broken_seal_still_diverges(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    double = player_pays_double(resolve(LAW, on=DAY))
    corrected(monkeypatch, double, binds=True, before={"wagers.player.pays": "1:1"})
    lines = gzip.decompress(OLD.read_bytes()).splitlines(keepends=True)
    lines[200] = lines[200].replace(b'"seq":200', b'"seq":201')
    path = tmp_path / "table.jsonl"
    path.write_bytes(b"".join(lines))
    found = verify_log(path).divergence
    assert found is not None
    assert (found.line, found.kind) == (201, "chain")


def test_a_value_that_was_changed_in_silence_diverges(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = replace(player_pays_double(resolve(LAW, on=DAY)), corrections=())
    monkeypatch.setattr("croupier.rules.build.resolve", lambda *_, **__: changed)
    found = verify_log(OLD).divergence
    assert found is not None
    assert (found.line, found.kind) == (1, "header")


@pytest.mark.parametrize("edition", [0, -1, 2])
def test_an_edition_that_never_was_excuses_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, edition: int
) -> None:
    double = player_pays_double(resolve(LAW, on=DAY))
    corrected(monkeypatch, double, binds=True, before={"wagers.player.pays": "1:1"})
    lines = read(gzip.decompress(OLD.read_bytes()))
    lines[0]["edition"] = edition
    path = tmp_path / "table.jsonl"
    path.write_bytes(forged(lines))
    found = verify_log(path).divergence
    assert found is not None
    assert (found.line, found.kind) == (1, "edition")


def test_every_event_has_a_version() -> None:
    assert all(event.VERSION >= 1 for event in codec.EVENTS.values())
    assert Event.VERSION == 1
