"""Custom wagers on the layout: dealt, run, recorded, verified, and explained from the log alone."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from croupier.baccarat.wagers import Wager
from croupier.cli import main
from croupier.files.toml import read_toml
from croupier.law.values import Odds
from croupier.records.codec import dump, from_json
from croupier.records.entry import seal, unseal
from croupier.records.header import LogError, new_header
from croupier.rules import (
    CustomWagerError,
    read_rules,
    rules_with,
    table_rules,
    wager_of,
)
from support.function_wagers import custom_offer
from support.project import ROOT

SUBMISSION = ROOT / "submissions" / "nj-minibaccarat.toml"
FOLDER = ROOT / "docs" / "examples" / "side-bets"
PAIR = ("--own", FOLDER / "perfect-pair.toml", "--own-limits", "perfect_pair=5,500")
JACKPOT = ("--own", FOLDER / "jackpot.toml")


def run(status: int, *arguments: object, stdin: str | None = None) -> str:
    done = CliRunner().invoke(main, [str(one) for one in arguments], input=stdin)
    assert done.exit_code == status, done.output
    return " ".join(done.output.split())


@cache
def shoe(*own: object) -> bytes:
    """Return the log of a shoe with these wagers."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "table.jsonl"
        run(0, "deal", SUBMISSION, *own, "--seed", 3, "--quiet", "--log", log)
        return log.read_bytes()


def dealt(log: Path, *own: object) -> list[dict[str, Any]]:
    log.write_bytes(shoe(*own))
    return [json.loads(line) for line in log.read_text().splitlines()]


def rounds(entries: list[dict[str, Any]]) -> Iterator[tuple[dict[str, list[Any]], list[Any]]]:
    """Yield the events of each round by type, and its cards: Player's, then Banker's."""
    found: dict[str, list[Any]] = {}
    for entry in entries:
        for event in entry.get("events", ()):
            found.setdefault(event["type"], []).append(event)
            if event["type"] == "LayoutCleared":
                yield found, [event["player"], event["banker"]]
                found = {}


def rewritten(log: Path, change: Callable[[int, dict[str, Any]], None]) -> None:
    """Change a log and seal every line again, as whoever forges one would."""
    lines, prev = [], None
    for number, line in enumerate(log.read_bytes().splitlines(keepends=True), start=1):
        body = unseal(line)
        assert body is not None
        data = from_json(body[0])
        if prev is not None:
            data["prev"] = prev
        change(number, data)
        sealed, prev = seal(dump(data))
        lines.append(sealed)
    log.write_bytes(b"".join(lines))


def test_a_wager_on_cards_is_settled_by_the_cards_dealt(tmp_path: Path) -> None:
    entries = dealt(tmp_path / "table.jsonl", *PAIR)
    won = lost = 0
    for events, (player, banker) in rounds(entries):
        staked = {
            one["seat"]: one["stakes"]["perfect_pair"]
            for one in events["WagersPlaced"]
            if "perfect_pair" in one["stakes"]
        }
        hit = player[0] == player[1] or banker[0] == banker[1]
        paid = {
            one["seat"]: one["cents"]
            for one in events.get("WagerPaid", ())
            if one["wager"] == "perfect_pair"
        }
        assert paid == ({seat: 25 * cents for seat, cents in staked.items()} if hit else {})
        won, lost = won + hit, lost + (not hit)
        assert all(500 <= cents <= 50_000 for cents in staked.values())
    assert won
    assert lost


def test_a_log_with_a_custom_wager_is_verified_with_nothing_else(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    entries = dealt(log, *PAIR, *JACKPOT)
    assert [one["wager"]["id"] for one in entries[0]["own"]] == ["perfect_pair", "suited_jackpot"]
    assert "PASS" in run(0, "verify", log)
    run(0, "audit", log)
    assert "Perfect Pair" in run(0, "explain", log, "--round", "1")
    assert "Perfect Pair" in run(0, "layout", SUBMISSION, *PAIR)
    assert "Perfect Pair" not in run(0, "layout", SUBMISSION)


def test_a_meter_grows_by_its_share_and_begins_again_when_it_is_paid(tmp_path: Path) -> None:
    """Of a stake of $5, ten percent: 50 cents for each wager, from a seed of $10,000."""
    shows, hits = 1_000_000, 0
    easy = tmp_path / "easy.toml"
    easy.write_text(
        (FOLDER / "jackpot.toml")
        .read_text()
        .replace("{ player_of_a_rank = 3, player_of_a_suit = 3 }", "{ player_pair = true }")
        .replace("{ player_of_a_rank = 3 }", "{ banker_pair = true }")
    )
    for events, (player, _) in rounds(dealt(tmp_path / "table.jsonl", "--own", easy)):
        seats = [one["seat"] for one in events["WagersPlaced"] if "suited_jackpot" in one["stakes"]]
        shows += 50 * len(seats)
        (advanced,) = events["MetersAdvanced"]
        assert advanced["meters"] == {"jackpot": shows}
        if player[0][0] == player[1][0]:
            paid = [one for one in events["AwardPaid"] if one["line"] == "jackpot"]
            # The second seat that hits it is paid what it shows once it has begun again.
            assert [one["cents"] for one in paid] == [shows, *[1_000_000] * (len(paid) - 1)]
            shows, hits = 1_000_000, hits + (len(paid) > 1)
    assert hits


def test_a_wrong_payment_is_told_with_its_line(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    dealt(log, *PAIR)
    at: list[int] = []

    def overpaid(number: int, data: dict[str, Any]) -> None:
        for event in data.get("events", ()):
            if event["type"] == "WagerPaid" and event["wager"] == "perfect_pair" and not at:
                event["cents"] += 100
                at.append(number)

    rewritten(log, overpaid)
    assert f"line {at[0]}," in run(1, "verify", log)


@pytest.mark.parametrize("paid", ["24:1", "26:1"])
def test_a_changed_definition_is_another_hash_and_diverges(tmp_path: Path, paid: str) -> None:
    log = tmp_path / "table.jsonl"
    dealt(log, *PAIR)

    def changed(_: int, data: dict[str, Any]) -> None:
        if "own" in data:
            data["own"][0]["line"][0]["pays"] = paid

    rewritten(log, changed)
    assert "FAIL" in run(1, "verify", log)
    rules = read_rules(SUBMISSION)
    offers = [wager_of(read_toml(FOLDER / name)) for name in ("perfect-pair.toml", "tiger.toml")]
    hashes = {rules.with_offers(one).sha256 for one in offers} | {rules.sha256}
    assert len(hashes) == 3


def test_a_definition_in_a_header_that_is_none_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    dealt(log, *PAIR)

    def changed(_: int, data: dict[str, Any]) -> None:
        if "own" in data:
            data["own"][0]["line"][0]["when"] = {"player_count": 17}

    rewritten(log, changed)
    assert "17: write an integer from 0 to 9" in run(2, "verify", log)


def test_limits_come_from_the_file_or_from_the_option(tmp_path: Path) -> None:
    deal = ("deal", SUBMISSION, "--seed", "3", "--quiet")
    told = run(2, *deal, *PAIR[:2])
    assert "perfect_pair: the minimum and maximum are missing" in told
    assert "no --own has that id" in run(2, *deal, *PAIR, "--own-limits", "tiger=5,500")
    told = run(2, *deal, *JACKPOT, "--own-limits", "suited_jackpot=5,500")
    assert "this wager has a fixed stake" in told
    own = tmp_path / "pair.toml"
    text = (FOLDER / "perfect-pair.toml").read_text()
    own.write_text(text.replace("[wager]", '[wager]\nlimits = ["10.00", "20.00"]'))
    stakes = [
        one["stakes"]["perfect_pair"]
        for events, _ in rounds(dealt(tmp_path / "table.jsonl", "--own", own))
        for one in events["WagersPlaced"]
        if "perfect_pair" in one["stakes"]
    ]
    assert {1000, 2000} >= {min(stakes), max(stakes)}
    own.write_text(text.replace("[wager]", '[wager]\nlimits = ["20.00", "10.00"]'))
    assert ":2:1: [wager] limits: the minimum must be" in run(2, *deal, "--own", own)


def test_run_takes_places_and_refuses_it(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    commands = [
        entry["command"] for entry in dealt(tmp_path / "dealt.jsonl", *PAIR) if "command" in entry
    ]
    script = "\n".join(map(json.dumps, commands)) + "\n"
    told = run(0, "run", SUBMISSION, "-", *PAIR, "--log", log, "--quiet", stdin=script)
    assert told == ""
    assert "PASS" in run(0, "verify", log)
    assert "perfect_pair: this table offers" in run(
        2, "run", SUBMISSION, "-", "--log", tmp_path / "without.jsonl", stdin=script
    )


def test_an_open_log_goes_on_with_the_same_wagers_alone(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    dealt(log, *PAIR)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:400]))
    deal = ("deal", SUBMISSION, "--seed", "3", "--quiet", "--resume", log)
    assert "begun under different rules" in run(2, *deal)
    run(0, *deal, *PAIR)
    assert log.read_bytes().splitlines()[-1] == lines[-1].strip()


def test_an_adopted_election_keeps_the_wager() -> None:
    rules = read_rules(SUBMISSION)
    offer = wager_of(read_toml(FOLDER / "jackpot.toml"))
    after = rules_with(rules.with_offers(offer), {"wagers.tie.pays": "9:1"})
    assert "suited_jackpot" in after.offers
    assert str(after.offers["tie"].pays["win"]) == "9:1"


def test_what_cannot_lie_on_a_layout_is_refused() -> None:
    rules = read_rules(SUBMISSION)
    jackpot = wager_of(read_toml(FOLDER / "jackpot.toml"))
    other = replace(jackpot, wager=replace(jackpot.wager, id="other"))
    with pytest.raises(CustomWagerError, match="other: another wager of this table has a meter"):
        rules.with_offers(jackpot, other)
    with pytest.raises(CustomWagerError, match="suited_jackpot: another wager of this table has"):
        rules.with_offers(jackpot).with_offers(jackpot)
    definition = {**jackpot.definition, "meter": {"jackpot": {"seed": "1.00", "increment": "0.1%"}}}
    submission = replace(rules.submission, own=(definition,))
    with pytest.raises(ValueError, match="this share of a stake is not in whole cents"):
        table_rules(submission)
    by_function = custom_offer(Wager("it", "It", ("win",), lambda _: "win"), {"win": Odds(1, 1)})
    with pytest.raises(LogError, match="it: a table log holds the definition of a wager"):
        new_header(rules.with_offers(by_function), "none")
