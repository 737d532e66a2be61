"""Files of an engine with pairs, Tiger, and a progressive: settled by its own rules, judged by ours."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from croupier.odds.custom_wagers import read_wager
from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from support.external_rounds import House, Round, shoes
from support.project import ROOT

NJ = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
BETS = ("player-pair", "banker-pair", "tiger", "tiger-pair", "perfect-pair", "jackpot")
SEED, PART = 1_000_000, 50
"""The jackpot begins at $10,000, and 10% of a stake of $5 goes to it; all in cents."""


def rules() -> TableRules:
    folder = ROOT / "docs" / "examples" / "side-bets"
    return NJ.with_offers(*(read_wager(folder / f"{name}.toml", NJ) for name in BETS))


def settled(one: Round) -> dict[str, int]:
    """Return what each side bet brings to one, by what this engine's maker was told."""
    pairs = [hand[0][0] == hand[1][0] for hand in (one.player, one.banker)]
    perfect = [hand[0] == hand[1] for hand in (one.player, one.banker)]
    ranks = [sorted(card[0] for card in hand[:2]) for hand in (one.player, one.banker)]
    tiger = one.winner == "banker" and one.banker_total == 6
    both = {0: -1, 1: 4, 2: 20}[sum(pairs)]
    return {
        "own_player_pair": 11 if pairs[0] else -1,
        "own_banker_pair": 11 if pairs[1] else -1,
        "tiger": (20 if len(one.banker) == 3 else 12) if tiger else -1,
        "tiger_pair": 100 if all(pairs) and ranks[0] == ranks[1] else both,
        "perfect_pair": 25 if any(perfect) else -1,
    }


def jackpot(one: Round, meter: int) -> int:
    """Return what $5 on the jackpot brings, in cents."""
    ranks, suits = {card[0] for card in one.player}, {card[1] for card in one.player}
    if len(one.player) < 3 or len(ranks) > 1 < len(suits):
        return -500
    if len(ranks) == 1:
        return meter if len(suits) == 1 else 25_000
    return 6_000


def engine(number: int, seed: int) -> Iterator[dict[str, object]]:
    """Deal shoes and write each round as this engine does, wagers and meter and all."""
    meter = SEED
    for one in shoes(House(("player",)), number, seed):
        meter += PART
        won = jackpot(one, meter)
        wagers = [
            {"wager": name, "stake": 10, "net": 10 * net} for name, net in settled(one).items()
        ]
        wagers.append({"wager": "suited_jackpot", "stake": 5, "net": won / 100})
        yield {
            "shoe": one.shoe, "round": one.number, "player": one.player, "banker": one.banker,
            "winner": one.winner, "wagers": wagers, "meter:jackpot": meter / 100,
        }  # fmt: skip
        if won == meter:
            meter = SEED


def told(path: Path, rows: list[dict[str, object]]) -> list[tuple[str, str | None]]:
    path.write_text("\n".join(map(json.dumps, rows)))
    report = verify_file(path, rules())
    assert not report.unverified, report.unverified
    return [(one.kind, one.wager) for one in report.divergences]


def of(row: dict[str, object], name: str) -> dict[str, float]:
    wagers = row["wagers"]
    assert isinstance(wagers, list)
    return next(one for one in wagers if one["wager"] == name)


@pytest.mark.slow
def test_every_side_bet_of_a_right_file_is_right_and_a_cent_off_is_not(tmp_path: Path) -> None:
    rows = list(engine(6, seed=77))
    assert told(tmp_path / "right.jsonl", rows) == []
    names = [one["wager"] for one in rows[0]["wagers"]]  # type: ignore[attr-defined]
    wrong = json.loads(json.dumps(rows))
    for place, name in enumerate(names):
        of(wrong[20 * place + 3], name)["net"] += 0.01
    assert told(tmp_path / "wrong.jsonl", wrong) == [("settlement", name) for name in names]


@pytest.mark.slow
def test_a_jackpot_is_paid_what_its_meter_shows(tmp_path: Path) -> None:
    row = next(iter(engine(1, seed=1)))
    row |= {"player": ["5h", "5h", "5h"], "banker": ["7c", "Ks"], "winner": "banker"}
    row["wagers"] = [{"wager": "suited_jackpot", "stake": 5, "net": 12_345.5}]
    row["meter:jackpot"] = 12_345.5
    assert told(tmp_path / "r.jsonl", [row]) == []
    row["meter:jackpot"] = 12_346
    assert told(tmp_path / "r.jsonl", [row]) == [("settlement", "suited_jackpot")]


def test_shoes_of_the_engine_hold_each_line_that_is_tested() -> None:
    rounds = [
        one
        for _, shoe in groupby(shoes(House(("player",)), 6, 77), lambda one: one.shoe)
        for one in shoe
    ]
    hit = {name: {settled(one)[name] for one in rounds} for name in settled(rounds[0])}
    assert {name: lines - {-1} for name, lines in hit.items() if not lines - {-1}} == {}
