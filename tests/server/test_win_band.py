"""The band of a table's win: what it counts, and how pages show it."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier import acts
from croupier.cli import main
from croupier.odds.tickets import WinExpectation
from croupier.records.accounts import AccountReader
from croupier.rules import TableRules, read_rules
from croupier.server import rounds as index
from croupier.server.pages.looked import WinPoint
from croupier.server.pages.once import Once
from croupier.server.rounds import RoundIndex, WinBand, events_of
from support.project import ROOT

SUBMISSIONS = (
    *("nj-minibaccarat", "nj-minibaccarat-total-cards", "nj-punto-banco-4-percent", "ma-ez"),
    *("ma-royal-9-to-one", "ny-mini-tie-vigorish", "ny-midi-ez"),
)


def lines_of(submission: str, tmp_path: Path, *words: str) -> list[bytes]:
    log = tmp_path / "log.jsonl"
    source = str(ROOT / "submissions" / f"{submission}.toml")
    done = CliRunner().invoke(main, ["deal", source, "-o", str(log), "--quiet", *words])
    assert done.exit_code == 0, done.output
    return log.read_bytes().splitlines(keepends=True)[1:]


@pytest.mark.parametrize("submission", SUBMISSIONS)
def test_the_win_of_all_rounds_is_that_of_the_accounts(submission: str, tmp_path: Path) -> None:
    lines = lines_of(submission, tmp_path, "--seed", "7", "--dealer-errors", "20")
    band = WinBand(read_rules(ROOT / "submissions" / f"{submission}.toml"))
    accounts = AccountReader()
    for events in events_of(lines):
        for event in events:
            band.take(event)
            accounts.follow(event)
    points = asyncio.run(band.points())
    assert points[-1].win_cents == accounts.finish().days[-1].win_cents
    # A wrong variance would put most days far outside.
    assert abs(points[-1].deviations) < 4
    assert [one.variance for one in points] == sorted(one.variance for one in points)


def test_the_index_of_rounds_finds_the_same_in_the_lines_of_a_store(tmp_path: Path) -> None:
    rules = read_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    lines = lines_of("nj-minibaccarat", tmp_path, "--seed", "3")
    read, heard = RoundIndex(rules), RoundIndex(rules)
    read.follow(1, lines)
    for at, events in enumerate(events_of(lines), start=1):
        heard.take(at, "2026-01-01T00:00:00.000Z", events)

    async def points(index: RoundIndex) -> list[WinPoint]:
        return [*await index.band.points()]

    first = asyncio.run(points(read))
    assert len(first) == len(read.all) > 40
    assert first == asyncio.run(points(heard))


def test_house_money_is_not_predicted(tmp_path: Path) -> None:
    band = WinBand(read_rules(ROOT / "submissions" / "ma-house-money.toml"))
    for events in events_of(lines_of("ma-house-money", tmp_path, "--seed", "3")):
        for event in events:
            band.take(event)
    assert asyncio.run(band.points()) == ()


def band_of(*events: acts.Event, submission: str = "nj-minibaccarat") -> WinBand:
    band = WinBand(read_rules(ROOT / "submissions" / f"{submission}.toml"))
    for event in events:
        band.take(event)
    return band


PAID = (
    acts.LosingWagersCollected((acts.LostStake(1, "player", 10_000, 0),), ()),
    acts.LayoutCleared(1, (), (), simulated=False, counted=True, clauses=()),
)


def returned(line: str) -> acts.Event:
    return acts.StakesReleased((acts.Release(2, "banker", "push", line, 50_000, 0),), ())


def test_a_stake_of_a_void_round_is_not_predicted_in_the_next_one() -> None:
    voided = acts.RoundVoided(1, 4, simulated=False, reshuffle=True, clauses=())
    after = band_of(voided, returned("void"), *PAID)
    (alone,), (found,) = (asyncio.run(one.points()) for one in (band_of(*PAID), after))
    assert found == alone
    # One that is returned after a tie was at risk.
    (tied,) = asyncio.run(band_of(returned("push"), *PAID).points())
    assert tied.mean > alone.mean


def test_the_gaming_day_ends_without_a_closing() -> None:
    def forwarded(following: date | None) -> acts.Event:
        day = date(2026, 11, 26)
        return acts.DuplicatesForwarded(day, following, "Peg", (), (), (), ())

    tomorrow = date(2026, 11, 27)
    assert len(asyncio.run(band_of(*PAID, forwarded(None), *PAID).points())) == 2
    assert len(asyncio.run(band_of(*PAID, forwarded(tomorrow), *PAID).points())) == 1
    assert asyncio.run(band_of(*PAID, forwarded(tomorrow)).points()) == []
    assert acts.DuplicatesForwarded in index.OF_WIN, "else a store's lines lack it"


def test_tables_with_the_same_rules_and_two_pages_calculate_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = list[TableRules]()
    calculated = index._calculated  # noqa: SLF001

    def counted(rules: TableRules) -> WinExpectation | None:
        made.append(rules)
        return calculated(rules)

    monkeypatch.setattr(index, "_EXPECTATIONS", Once(4))
    monkeypatch.setattr(index, "_calculated", counted)
    bands = [band_of(*PAID) for _ in range(8)]

    async def pages() -> list[list[WinPoint]]:
        return [[*one] for one in await asyncio.gather(*(one.points() for one in bands * 2))]

    assert {len(one) for one in asyncio.run(pages())} == {1}
    assert len(made) == 1
