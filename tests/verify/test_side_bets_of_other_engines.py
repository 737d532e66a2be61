"""Files of an engine with pairs, Tiger, and a progressive: settled by its own rules, judged by ours."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from croupier.rules import read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from support.external_rounds import House, shoes
from support.project import ROOT
from support.side_bets import JACKPOT_PART, JACKPOT_SEED, jackpot, settled, with_bets

NJ = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))


def engine(number: int, seed: int) -> Iterator[dict[str, object]]:
    """Deal shoes and write each round as this engine does, wagers and meter and all."""
    meter = JACKPOT_SEED
    for one in shoes(House(("player",)), number, seed):
        meter += JACKPOT_PART
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
            meter = JACKPOT_SEED


def told(path: Path, rows: list[dict[str, object]]) -> list[tuple[str, str | None]]:
    path.write_text("\n".join(map(json.dumps, rows)))
    report = verify_file(path, with_bets(NJ))
    assert not report.unverified, report.unverified
    return [(one.kind, one.wager) for one in report.divergences]


def of(row: dict[str, object], name: str) -> dict[str, float]:
    wagers = row["wagers"]
    assert isinstance(wagers, list)
    return next(one for one in wagers if one["wager"] == name)


def test_every_side_bet_of_a_right_file_is_right_and_a_cent_off_is_not(tmp_path: Path) -> None:
    rows = list(engine(6, seed=77))
    assert told(tmp_path / "right.jsonl", rows) == []
    names = [one["wager"] for one in rows[0]["wagers"]]  # type: ignore[attr-defined]
    wrong = json.loads(json.dumps(rows))
    for place, name in enumerate(names):
        of(wrong[20 * place + 3], name)["net"] += 0.01
    assert told(tmp_path / "wrong.jsonl", wrong) == [("settlement", name) for name in names]


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
