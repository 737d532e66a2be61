"""A log is judged by the edition that it names only if there is such an edition, and by all of it.

Four forgeries that no correction of any regulation excuses are sealed again under each edition.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from croupier.law.interpretations import editions, interpretations
from croupier.law.resolve import instruments
from croupier.records.entry import seal, unseal
from croupier.records.pit_log import new_pit_header, pit_header_body, sealed_pit_entry
from croupier.records.reader import LogReader
from croupier.rules import read_submission, table_rules
from croupier.table.pit import AdmitTable, PitPosition, PitProposal, propose_in_pit
from croupier.verify import corrected
from croupier.verify.log import Verdict, verify_log
from croupier.verify.pit_log import verify_pit_log
from support.command_line import croupier
from support.forged_logs import (
    Line,
    bodies,
    chained,
    does,
    event_of,
    forged,
    has,
    play,
    read,
    where,
)
from support.project import ROOT

Forgery = Callable[[list[Line]], int]
"""Changes the lines of a log and returns the index of the line at which it must be caught."""

Claim = tuple[str, int, str, dict[str, object]]
"""A law, an edition of it, a law file of that, and the values that were corrected since."""

SUBMISSIONS: Final = {
    "us-ma/minibaccarat@2026-11-20": "ma",
    "us-nj/minibaccarat@2011-02-22": "nj-minibaccarat",
    "us-nj/punto-banco@2011-02-22": "nj-punto-banco",
    "us-ny/mini-midi-baccarat@2021-06-02": "ny-mini",
}
COMPLETE: Final = tuple(law.key for law in instruments() if not law.partial)
ZEROS: Final = "0" * 64


@cache
def log_of(law: str) -> bytes:
    """Return the true log of some rounds."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        play(path, ROOT / "submissions" / f"{SUBMISSIONS[law]}.toml", seed=3, rounds=6)
        return path.read_bytes()


def judged(tmp_path: Path, lines: list[Line]) -> Verdict:
    path = tmp_path / "table.jsonl"
    path.write_bytes(forged(lines))
    return verify_log(path)


def a_wager_behind_the_last_card(lines: list[Line]) -> int:
    times = [line["at"] for line in lines[1:-1]]
    called = where(lines, has("NoMoreBetsCalled", round=3))
    first = next(at for at in range(called - 1, 0, -1) if does("PlaceWagers")(lines[at]))
    settled = next(at for at in range(called, len(lines)) if does("SettleWagers")(lines[at]))
    last = next(at for at in range(settled, 0, -1) if has("CardDealt")(lines[at]))
    lines.insert(last, lines.pop(first))
    for line, at in zip(lines[1:-1], times, strict=True):
        line["at"] = at
    return last


def chips_that_nobody_bought(lines: list[Line]) -> int:
    bought = dict(event_of(lines[where(lines, has("ChipsBought"))], "ChipsBought"))
    cleared = where(lines, does("ClearLayout"))
    lines[cleared]["events"].append(bought | {"cents": 500_000})
    return cleared


def no_shuffle(lines: list[Line]) -> int:
    preparing = {
        "InspectCards", "VerifyCards", "SpreadCards", "ViewSpread", "WashCards", "ShuffleCards",
        "PerformShuffleStep", "FeatherStack", "VerifyFeather", "LaceStack", "DeclineCut",
        "CutStack",
    }  # fmt: skip
    at_line = where(lines, does("InspectCards"))
    lines[1:-1] = [line for line in lines[1:-1] if line["command"]["type"] not in preparing]
    return at_line


def less_bought_than_paid_for(lines: list[Line]) -> int:
    at_line = where(lines, does("BuyChips"))
    event_of(lines[at_line], "ChipsBought")["cents"] -= 100_000
    return at_line


FORGERIES: Final[tuple[Forgery, ...]] = (
    a_wager_behind_the_last_card,
    chips_that_nobody_bought,
    no_shuffle,
    less_bought_than_paid_for,
)
CLAIMS: Final[tuple[Claim, ...]] = tuple(
    (one.law, one.edition, one.files[0], dict(one.values))
    for one in editions()
    if one.law in COMPLETE
)


def claim(lines: list[Line], law: str, edition: int, file: str, values: dict[str, object]) -> None:
    """Have a header name an edition, its law file, and the hash of these rules under it."""
    lines[0] |= {"edition": edition, "law_sha256": file}
    if values:
        # Punto banco alone: the word of 3.11(a)2 for the floorperson was left out.
        rules = table_rules(read_submission(ROOT / "submissions" / f"{SUBMISSIONS[law]}.toml"))
        settled = {**rules.settled, "curator.ordered.by": ("dealer", "floorperson")}
        lines[0]["binding_sha256"] = type(rules)(
            rules.submission, rules.law, settled, rules.in_force, rules.readings
        ).sha256


def test_every_complete_text_is_forged() -> None:
    assert set(COMPLETE) == set(SUBMISSIONS)
    assert {law for law, *_ in CLAIMS} == set(COMPLETE)


@pytest.mark.parametrize("claimed", CLAIMS)
def test_a_log_of_today_conforms_under_an_older_edition_too(tmp_path: Path, claimed: Claim) -> None:
    lines = read(log_of(claimed[0]))
    claim(lines, *claimed)
    verdict = judged(tmp_path, lines)
    assert (verdict.divergence, verdict.differences, verdict.is_clean) == (None, [], True)


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("claimed", CLAIMS)
def test_no_edition_excuses_a_forgery(tmp_path: Path, claimed: Claim, forgery: Forgery) -> None:
    lines = read(log_of(claimed[0]))
    at_line = forgery(lines)
    claim(lines, *claimed)
    verdict = judged(tmp_path, lines)
    assert verdict.divergence is not None
    assert verdict.divergence.line == at_line + 1
    assert verdict.divergence.kind in {"refused", "event"}
    assert not verdict.is_clean


UNKNOWN: Final = ((99, ""), (0, ""), (-1, ""), (1, ""), (1, ZEROS), (5, ZEROS), (99, ZEROS))
"""Editions and law files that were never together; the file of today where none is named."""


@pytest.mark.parametrize(("law", "claimed"), list(product(COMPLETE, UNKNOWN)))
@pytest.mark.parametrize("binding", ["", "1" * 64])
def test_an_unknown_edition_cannot_be_judged(
    tmp_path: Path, law: str, claimed: tuple[int, str], binding: str
) -> None:
    lines = read(log_of(law))
    header = lines[0]
    header |= {"edition": claimed[0], "law_sha256": claimed[1] or header["law_sha256"]}
    header["binding_sha256"] = binding or header["binding_sha256"]
    verdict = judged(tmp_path, lines)
    assert verdict.divergence is not None
    assert (verdict.divergence.line, verdict.divergence.kind) == (1, "edition")
    assert "cannot be judged" in verdict.divergence.message
    assert (verdict.is_judged, verdict.is_clean, verdict.entries) == (False, False, 0)


@pytest.mark.parametrize("claimed", CLAIMS)
def test_an_edition_gives_one_hash_for_the_elections_of_a_table(
    tmp_path: Path, claimed: Claim
) -> None:
    lines = read(log_of(claimed[0]))
    claim(lines, *claimed)
    lines[0]["binding_sha256"] = "1" * 64
    found = judged(tmp_path, lines).divergence
    assert found is not None
    assert (found.line, found.kind) == (1, "header")


def test_the_values_of_one_edition_are_not_those_of_another(tmp_path: Path) -> None:
    law = "us-nj/punto-banco@2011-02-22"
    first = next(one for one in CLAIMS if one[0] == law and one[3])
    today = next(one for one in instruments() if one.key == law)
    lines = read(log_of(law))
    claim(lines, *first)
    lines[0] |= {"edition": today.edition, "law_sha256": today.sha256}
    found = judged(tmp_path, lines).divergence
    assert found is not None
    assert (found.line, found.kind) == (1, "header")


def test_citations_are_compared_whatever_hash_of_them_is_named(tmp_path: Path) -> None:
    lines = read(log_of("us-nj/minibaccarat@2011-02-22"))
    lines[0]["cited_sha256"] = "1" * 64
    event_of(lines[where(lines, has("NoMoreBetsCalled"))], "NoMoreBetsCalled")["clauses"] = []
    found = judged(tmp_path, lines).divergence
    assert found is not None
    assert (found.line, found.kind) == (1, "header")
    assert "cited_sha256" in found.message


def test_a_harmless_difference_hides_none_behind_it(tmp_path: Path) -> None:
    """The kept log has void rounds that were counted; behind them chips appear from nowhere."""
    kept = ROOT / "tests" / "data" / "logs" / "ma-royal-9.format-2.jsonl.gz"
    lines = read(gzip.decompress(kept.read_bytes()))
    bought = dict(event_of(lines[where(lines, has("ChipsBought"))], "ChipsBought"))
    cleared = [at for at, line in enumerate(lines[:-1]) if at and does("ClearLayout")(line)]
    lines[cleared[-2]]["events"].append(bought | {"cents": 500_000})
    verdict = judged(tmp_path, lines)
    assert len(verdict.differences) > 5
    assert verdict.divergence is not None
    assert (verdict.divergence.line, verdict.divergence.kind) == (cleared[-2] + 1, "event")
    assert not verdict.is_clean


def test_a_correction_excuses_only_what_it_decides(tmp_path: Path) -> None:
    """Under edition 1 a void round is a hand, but a round that is not void is not left out."""
    kept = ROOT / "tests" / "data" / "logs" / "ma-royal-9.format-2.jsonl.gz"
    lines = read(gzip.decompress(kept.read_bytes()))
    at_line = where(lines, has("LayoutCleared", counted=True))
    event_of(lines[at_line], "LayoutCleared")["counted"] = False
    found = judged(tmp_path, lines).divergence
    assert found is not None
    assert (found.line, found.kind) == (at_line + 1, "event")


def test_every_difference_is_shown(tmp_path: Path) -> None:
    kept = ROOT / "tests" / "data" / "logs" / "ma-royal-9.format-2.jsonl.gz"
    shown = croupier("verify", kept, "--format", "json")
    verdict = verify_log(kept)
    data = json.loads(shown.stdout)
    assert shown.exit_code == 0
    assert (data["clean"], data["judged"], data["other_edition"]) == (True, True, True)
    assert len(data["differences"]) == len(verdict.differences) > 5
    assert {one["corrections"][0] for one in data["differences"]} == {"shoe.hands_after_call"}
    text = croupier("verify", kept).stdout
    assert f"{len(verdict.differences)} entries would differ" in text
    assert all(f"line {one.found.line}, " in text for one in verdict.differences)
    forged_log = tmp_path / "table.jsonl"
    lines = read(log_of("us-ma/minibaccarat@2026-11-20"))
    lines[0]["edition"] = 99
    forged_log.write_bytes(forged(lines))
    refused = croupier("verify", forged_log)
    assert refused.exit_code == 1
    assert "cannot be judged" in refused.stdout


OTHERWISE: Final = {
    "true for 1": (b'"v":1', b'"v":true'),
    "a fraction": (b'"v":1', b'"v":1.0'),
    "a space": (b'"events":', b'"events": '),
    "an escape": (b'"type":"C', b'"type":"\\u0043'),
    "a key twice": (b'"v":1', b'"v":1,"v":1'),
}
"""The same values in other text than the canonical one."""


@pytest.mark.parametrize("change", OTHERWISE)
def test_an_entry_of_an_older_edition_has_one_text_as_well(tmp_path: Path, change: str) -> None:
    kept = ROOT / "tests" / "data" / "logs" / "ma-royal-9.format-2.jsonl.gz"
    torn = bodies(gzip.decompress(kept.read_bytes()))
    at, end = 40, torn[40].index(b'"events":')
    old, new = OTHERWISE[change]
    assert old in torn[at][end:]
    torn[at] = torn[at][:end] + torn[at][end:].replace(old, new, 1)
    path = tmp_path / "table.jsonl"
    path.write_bytes(chained(torn))
    found = verify_log(path).divergence
    assert found is not None
    assert found.line == LogReader(path).data()["faults"][0]["line"] == at + 1


# --- the log of a pit ----------------------------------------------------------------------------


def test_a_pit_names_the_hash_of_a_table_as_some_edition_gave_it(tmp_path: Path) -> None:
    """C78 was counted in the hash of rules with House Money before it had a day."""
    rules = table_rules(read_submission(ROOT / "submissions" / "ma-house-money.toml"))
    noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    admitted = propose_in_pit(PitPosition(), AdmitTable("T1", rules, noon, noon), at=noon)
    assert isinstance(admitted, PitProposal)
    header, head = seal(pit_header_body(new_pit_header("1")))
    entry, _ = sealed_pit_entry(head, admitted)
    counted = {**rules.binding_readings, "C78": "handed"}
    text = json.dumps(
        {**rules.canonical, "readings": counted}, sort_keys=True, separators=(",", ":")
    )
    older = hashlib.sha256(text.encode()).hexdigest()
    assert older != rules.sha256
    path = tmp_path / "pit.jsonl"
    for other, clean in ((rules.sha256, True), (older, True), ("1" * 64, False)):
        sealed = unseal(entry)
        assert sealed is not None
        body = sealed[0].replace(rules.sha256.encode(), other.encode())
        path.write_bytes(header + seal(body)[0])
        assert verify_pit_log(path).is_clean is clean
        # The same values with a space are not the canonical text.
        path.write_bytes(header + seal(body.replace(b'"events":', b'"events": '))[0])
        assert not verify_pit_log(path).is_clean


# --- the table of editions -----------------------------------------------------------------------


def test_every_correction_of_what_binds_has_the_procedure_or_the_values_before_it() -> None:
    for law in instruments():
        rows = [one for one in editions() if one.law == law.key]
        assert rows, law.key
        for one in law.corrections:
            if one.binds:
                values = {name for row in rows for name in row.values}
                assert one.of[0] in corrected._FORMER or not values.isdisjoint(one.of)  # noqa: SLF001


def test_entries_that_were_counted_have_a_day_on_which_they_were_added() -> None:
    for row in editions():
        for name in (name for state in row.counted for name in state):
            entry = interpretations()[name]
            assert entry.added is not None or entry.named is not None
