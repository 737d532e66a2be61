"""``croupier deal``, ``run``, ``verify`` and ``explain``: what they print, keep and exit with.

Wrong input exits with status 2 and a reason, never with a traceback, and leaves no log behind.
"""

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from click.testing import Result

from croupier.acts import ResultAnnounced, RoundVoided
from croupier.records.codec import dump
from support.command_line import croupier
from support.forged_logs import altered, does, event_of, forged, has, play, read, where
from support.project import PLAIN, ROOT, SUBMISSIONS
from support.volume import spread

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

OPENING: Final = """\
{"type": "OpenTable", "inventory_cents": 10000000, "dealer": "Dana", "floorperson": "Flo", "gaming_date": "2011-02-22"}
{"type": "SeatPatron", "seat": 3, "patron": "Pat"}
{"type": "BuyChips", "seat": 3, "cents": 100000}
{"type": "ReceiveCards", "decks": 8, "preshuffled": true}
{"type": "VerifyCards", "floorperson": "Flo"}
{"type": "AcceptCut", "seat": 3, "position": 120}
{"type": "InsertCuttingCards", "from_back": 14}
{"type": "LoadShoe"}
{"type": "DrawCard", "card": "As"}
{"type": "DrawCard", "card": "2s"}
"""
WAGERS: Final = """\
{"type": "PlaceWager", "seat": 3, "wager": "banker", "cents": 10000}
{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": 2500}
{"type": "PlaceWager", "seat": 3, "wager": "six_cards", "cents": 2500}
"""
# Player has 5 and draws a 6: 1. Banker has 6, draws an ace against the 6, and wins with 7.
SIX_CARDS: Final = """\
{"type": "CallNoMoreBets"}
{"type": "DrawCard", "card": "Kd"}
{"type": "DrawCard", "card": "4c"}
{"type": "DrawCard", "card": "5h"}
{"type": "DrawCard", "card": "2s"}
{"type": "DrawCard", "card": "6c"}
{"type": "DrawCard", "card": "Ah"}
{"type": "SettleWagers"}
{"type": "ClearLayout"}
"""
# Nine each with two cards.
TIE: Final = """\
{"type": "PlaceWager", "seat": 3, "wager": "player", "cents": 5000}
{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": 2500}
{"type": "CallNoMoreBets"}
{"type": "DrawCard", "card": "Kd"}
{"type": "DrawCard", "card": "9c"}
{"type": "DrawCard", "card": "9h"}
{"type": "DrawCard", "card": "10h"}
{"type": "SettleWagers"}
{"type": "ClearLayout"}
"""
CLOSING: Final = """\
{"type": "CollectVigorish", "seat": 3}
{"type": "LeaveTable", "seat": 3}
{"type": "CloseTable"}
"""
TWO_ROUNDS: Final = OPENING + WAGERS + SIX_CARDS + TIE + CLOSING


run = partial(croupier, columns=120)


def words(result: Result) -> str:
    return " ".join(result.output.split())


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "table.jsonl"


def left(log: Path) -> list[str]:
    """Return what stands in the log's folder."""
    return sorted(path.name for path in log.parent.iterdir())


# --- deal --------------------------------------------------------------------------------------


@pytest.mark.parametrize("submission", spread(SUBMISSIONS, 8, 14), ids=lambda path: path.stem)
def test_a_shoe_with_dealer_errors_is_dealt_and_verified(log: Path, submission: Path) -> None:
    dealt = run(
        "deal", submission, "--log", log, "--dealer-errors", 20, "--seed", 1, "--patrons", 2
    )
    assert dealt.exit_code == 0, dealt.output
    assert "all events recomputed; no differences" in words(dealt)
    assert "in balance" in words(dealt)
    assert left(log) == [log.name]
    assert run("verify", log).exit_code == 0


def test_rounds_without_a_result_are_counted_as_such(log: Path) -> None:
    options = ("--log", log, "--dealer-errors", 40, "--seed", 9, "--patrons", 1, "--quiet")
    dealt = run("deal", ROOT / "submissions" / "ma.toml", *options)
    told = [event for entry in read(log.read_bytes())[1:-1] for event in entry["events"]]
    called = sum(event["type"] == "NoMoreBetsCalled" for event in told)
    counts = Counter(
        event["winner"] or "tie" for event in told if event["type"] == "ResultAnnounced"
    )
    void = sum(event["type"] == "RoundVoided" and not event["simulated"] for event in told)
    assert void
    assert called == counts.total() + void
    results = f"Player {counts['player']}, Banker {counts['banker']}, Tie {counts['tie']}, No result {void}"
    assert f"rounds {called} ({results})" in words(dealt)
    assert f"Rounds without a result {void}" in words(run("verify", log))
    as_data = json.loads(run("verify", log, "--format", "json").stdout)
    assert as_data["results"] == {**counts, "no_result": void}


def test_a_seed_deals_the_same_again(tmp_path: Path) -> None:
    first, again, other = (tmp_path / name for name in ("first", "again", "other"))
    for path, seed in ((first, 5), (again, 5), (other, 6)):
        run("deal", PLAIN, "--log", path, "--seed", seed, "--patrons", 1, "--quiet")
    assert [entry["command"] for entry in read(first.read_bytes())[1:-1]] == [
        entry["command"] for entry in read(again.read_bytes())[1:-1]
    ]
    assert first.read_bytes() != other.read_bytes()
    # It depends on no clock: the gaming day is the first one of the law.
    assert read(first.read_bytes())[1]["command"]["gaming_date"] == "2011-02-22"


def test_the_summary_in_json_says_what_the_log_holds(log: Path) -> None:
    arguments = ("--log", log, "--seed", 2, "--shoes", 2, "--patrons", 1, "--format", "json")
    summary = json.loads(run("deal", PLAIN, *arguments).stdout)
    told = [event for entry in read(log.read_bytes())[1:-1] for event in entry["events"]]
    results = [event["winner"] or "tie" for event in told if event["type"] == "ResultAnnounced"]
    bought = sum(event["cents"] for event in told if event["type"] == "ChipsBought")
    carried = sum(event["chips_cents"] for event in told if event["type"] == "PatronLeft")
    taken = sum(event["cents"] for event in told if event["type"] == "VigorishCollected")
    documented = sum(event["cents"] for event in told if event["type"] == "VigorishDocumented")
    assert summary["law"] == "us-nj/minibaccarat"
    assert summary["shuffle"] == "seed 2"
    assert summary["shoes"] == 2
    assert summary["rounds"] == sum(event["type"] == "NoMoreBetsCalled" for event in told)
    assert summary["results"] == {
        name: results.count(name) for name in ("player", "banker", "tie")
    } | {"no_result": 0}
    assert summary["drop_cents"] == bought
    assert summary["table_win_cents"] == bought - carried + documented
    assert summary["vigorish_collected_cents"] == taken
    assert summary["vigorish_documented_cents"] == documented
    assert summary["vigorish_outstanding_cents"] == 0
    assert summary["ledger_in_balance"] is True
    assert summary["log"] == str(log)
    assert summary["entries"] == len(read(log.read_bytes())) - 2
    assert summary["clean"] is True
    assert summary["divergence"] is None
    assert summary["rules_hash"] == read(log.read_bytes())[0]["binding_sha256"]
    assert summary["readings"]["T03"] == "none"


def test_without_a_log_none_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    dealt = run("deal", PLAIN, "--seed", 1, "--patrons", 1, "--quiet")
    assert dealt.exit_code == 0
    assert "not kept" in words(dealt)
    assert list(tmp_path.iterdir()) == []


def test_quiet_prints_the_summary_alone_and_cite_shows_the_clauses() -> None:
    arguments = ("deal", PLAIN, "--seed", 1, "--patrons", 1)
    quiet, plain, cited = (run(*arguments, *more) for more in (("--quiet",), (), ("--cite",)))
    assert "No More Bets" not in quiet.output
    assert "Round 1" in plain.output
    assert "[7.7(b)]" not in plain.output
    assert "“No More Bets” [7.7(b)]" in words(cited)
    assert "Clauses are those of NJ-MINI" in words(cited)


@pytest.mark.parametrize("name", ["table.jsonl", "pit.sqlite"])
def test_a_folder_that_was_missing_is_named(tmp_path: Path, name: str) -> None:
    log = tmp_path / "nwe" / "deep" / name
    arguments = ("deal", PLAIN, "--log", log, "--patrons", 1, "--quiet")
    assert f"{log}: created the folder {tmp_path / 'nwe'}\n" in run(*arguments).stderr
    assert (
        "created"
        not in run(
            *arguments, "--force", *(("--table", "B") if name == "pit.sqlite" else ())
        ).stderr
    )


def test_a_log_is_not_overwritten_without_force(log: Path) -> None:
    log.write_text("precious")
    refused = run("deal", PLAIN, "--log", log, "--seed", 1, "--patrons", 1, "--quiet")
    assert refused.exit_code == 2
    assert "the file exists; use --force to replace it" in words(refused)
    assert log.read_text() == "precious"
    forced = run("deal", PLAIN, "--log", log, "--seed", 1, "--patrons", 1, "--quiet", "--force")
    assert forced.exit_code == 0
    assert run("verify", log).exit_code == 0


def no_log_of(tmp_path: Path, submission: Path) -> list[Result]:
    """Return what deal and run made of a submission, neither of which left a log."""
    log = tmp_path / "logs" / "table.jsonl"
    commands = tmp_path / "commands.jsonl"
    commands.write_text(OPENING)
    results = [
        run("deal", submission, "--log", log),
        run("run", submission, commands, "--log", log),
    ]
    assert not log.parent.exists()
    return results


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("decks = 8", "decks = 5", "NJ-MINI:7.1(a)#1"),
        ("decks = 8", "decks = 300", "the maximum is 64"),
        ("decks = 8", f"decks = {10**30}", "is above the maximum count of 999,999,999"),
        ("decks = 8", "decks = -8", "is not a count"),
        ("decks = 8", "decks = nan", "is not a count"),
        ("decks = 8", "", "a choice is missing"),
        ('wagers.tie.pays = "8:1"', 'wagers.tie.pays = "7:1"', "NJ-MINI:7.3(b)"),
        ('law = "us-nj/minibaccarat"', 'law = "us-xx/minibaccarat"', "us-xx/minibaccarat"),
        ("on = 2011-02-22", "on = 2031-02-22", "2031-02-22"),
    ],
)
def test_a_submission_that_the_law_refuses_exits_with_two_and_leaves_no_log(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    for result in no_log_of(tmp_path, altered(tmp_path, (old, new))):
        assert result.exit_code == 2
        assert "is refused" in result.output
        assert told in words(result)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('vigorish.scheme = "5%"', "vigorish = 5", "not TOML"),
        ("seats = 7", "seats = 7.5", "table.seats"),
        ("seats = 7", "seats = 1000000", "table.seats"),
        ("player = [25, 5000]", "player = [0, 0]", "limits.player"),
        ("player = [25, 5000]", "player = [25.5, 5000]", "limits.player"),
        ("[submission]", "[submission", "not TOML"),
    ],
)
def test_a_file_that_is_no_submission_exits_with_two_and_leaves_no_log(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    for result in no_log_of(tmp_path, altered(tmp_path, (old, new))):
        assert result.exit_code == 2
        assert "is not a valid rules submission" in result.output
        assert told in words(result)


def test_the_largest_limit_is_no_reason_to_fail(tmp_path: Path, log: Path) -> None:
    limitless = altered(tmp_path, ("player = [25, 5000]", "player = [25, 999_999_999_999]"))
    dealt = run("deal", limitless, "--log", log, "--seed", 1, "--patrons", 1, "--quiet")
    assert dealt.exit_code == 0
    assert run("verify", log).exit_code == 0


NASTY: Final = {
    "nothing": b"",
    "zeros": b"\x00" * 100,
    "garbage": bytes(range(255, -1, -1)) * 20,
    "deep": b"[" * 100_000,
    "marked": b"\xef\xbb\xbf{}\n",
    "wide": "{}\n".encode("utf-16"),
    "number": b"9" * 10_000 + b"\n",
}


@pytest.mark.parametrize("name", NASTY)
def test_files_of_anything_else_are_told(tmp_path: Path, log: Path, name: str) -> None:
    path = tmp_path / "nasty"
    path.write_bytes(NASTY[name])
    results = [
        run("deal", path, "--log", log),
        run("run", path, path, "--log", log),
        run("verify", path),
        run("explain", path, "--round", 1),
    ]
    # A file without commands is a table that nobody opened.
    if name != "nothing":
        results.append(run("run", PLAIN, path, "--log", log))
    for result in results:
        assert result.exit_code == 2
        assert str(path) in words(result)
    assert left(log) == [path.name]


@pytest.mark.parametrize("path", ["folder", "nowhere", "folder/nowhere"])
def test_a_folder_or_nothing_in_a_file_s_place_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    for arguments in (
        ("deal", path),
        ("run", path, PLAIN, "--log", "log"),
        ("run", PLAIN, path, "--log", "log"),
        ("verify", path),
        ("explain", path, "--round", "1"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert path in result.output
    assert not Path("log").exists()


def test_a_log_in_a_missing_folder_makes_the_folder(tmp_path: Path) -> None:
    log = tmp_path / "pit 1" / "table" / "log.jsonl"
    assert run("deal", PLAIN, "--log", log, "--seed", 1, "--patrons", 1, "--quiet").exit_code == 0
    assert run("verify", log).exit_code == 0


@pytest.mark.parametrize(
    "path", ["folder", ".", "/", "", "..", "file/log", "/proc/croupier", "a" * 300, "new/.."]
)
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_log_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, force: Sequence[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("a file")
    Path("commands").write_text(OPENING)
    for arguments in (("deal", PLAIN, "--seed", 1, "--patrons", 1), ("run", PLAIN, "commands")):
        result = run(*arguments, "--quiet", "--log", path, *force)
        assert result.exit_code == 2
        assert "croupier: " in result.output
    left_over = sorted(one.name for one in tmp_path.rglob("*") if one.is_file())
    assert left_over == ["commands", "file"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--patrons", 0),
        ("--patrons", -1),
        ("--shoes", 0),
        ("--dealer-errors", 1001),
        ("--dealer-errors", -1),
        ("--seed", "one"),
        ("--seed", "9" * 5000),
        ("--format", "xml"),
    ],
)
def test_options_out_of_range_are_wrong_use(arguments: tuple[object, ...]) -> None:
    assert run("deal", PLAIN, *arguments).exit_code == 2


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_a_seed_of_64_bits_deals(seed: int) -> None:
    assert run("deal", PLAIN, "--seed", seed, "--patrons", 1, "--quiet").exit_code == 0


# --- run ---------------------------------------------------------------------------------------


def carried_out(log: Path, commands: str, *options: str) -> Result:
    path = log.parent / "commands.jsonl"
    path.write_text(commands, encoding="utf-8")
    return run("run", PLAIN, path, "--log", log, *options)


def test_two_rounds_are_played_and_paid_by_the_book(log: Path) -> None:
    played = carried_out(log, TWO_ROUNDS, "--cite")
    assert played.exit_code == 0, played.output
    told = words(played)
    assert "The table opens with $100,000 in chips" in told
    assert " Flo verifies the cards" in told
    assert "“Player 1, Banker 7, Banker wins, six cards” [7.10(a)#1" in told
    assert "seat 3 Banker $100 pays $100 (1 to 1), Six cards $25 pays $50 (2 to 1)" in told
    # Five percent of 100 dollars won.
    assert "seat 3 $5, owing $5" in told
    assert "seat 3 Tie $25 pays $200 (8 to 1)" in told
    verified = json.loads(run("verify", log, "--format", "json").stdout)
    assert verified["clean"] is True
    assert verified["rounds"] == 2
    assert verified["results"] == {"player": 0, "banker": 1, "tie": 1, "no_result": 0}
    # Banker and six cards won 150, the ties lost 25 and won 200, vigorish took 5.
    assert verified["table_win_cents"] == -(15_000 - 2_500 + 20_000 - 500)


def test_blank_lines_between_commands_do_not_matter(log: Path) -> None:
    assert carried_out(log, TWO_ROUNDS.replace("\n", "\n\n"), "--quiet").output == ""
    assert run("verify", log).exit_code == 0


LINES_BEFORE: Final = (OPENING + WAGERS).count("{")
NINES: Final = '{"type": "DrawCard", "card": "9h"}\n' * 8


def told_and_unwritten(log: Path, line: str, told: str) -> int:
    """Carry out a round with that line in it, which is told; return the exit status."""
    result = carried_out(log, OPENING + WAGERS + line + "\n" + SIX_CARDS, "--quiet")
    assert f"{log.parent / 'commands.jsonl'}:{LINES_BEFORE + 1}: " in words(result)
    assert told in words(result)
    assert left(log) == ["commands.jsonl"]
    return result.exit_code


def test_of_a_file_without_commands_ten_lines_are_shown_and_the_others_counted(log: Path) -> None:
    result = carried_out(log, "nonsense\n" * 250, "--quiet")
    assert result.exit_code == 2
    assert result.stderr.count("not JSON") == 10
    assert "240 more lines are no commands" in words(result)


def test_a_file_of_rounds_is_explained_under_a_submission(tmp_path: Path) -> None:
    (path := tmp_path / "r.csv").write_text("shoe,round,player,banker\n1,1,9h 4c,Kd 2s\n")
    result = croupier("explain", path, "--round", "1")
    assert result.exit_code == 2
    assert "To explain external rounds, add --submission FILE." in result.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not JSON"),
        ("PlaceWager", "not JSON"),
        ("[]", "is not a command"),
        ('{"type": "PlaceBet"}', "'PlaceBet' is not a type of command"),
        ('{"type": "DrawCard"}', "missing required field `card`"),
        ('{"type": "DrawCard", "card": "1h"}', "'1h' is not a card"),
        ('{"type": "DrawCard", "card": "9h", "deck": 1}', "unknown field deck"),
        ('{"type": "TurnHand", "hand": "dealer"}', "$.hand"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": 500.5}', "$.cents"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": 500.0}', "$.cents"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": "500"}', "$.cents"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": 1e3}', "$.cents"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_command_exits_with_two_and_no_log_is_written(
    log: Path, line: str, told: str
) -> None:
    assert told_and_unwritten(log, line, told) == 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": 0}', "[NJ-MINI:7.2(c)#1]"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": -500}', "[NJ-MINI:7.2(c)#1]"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "dragon_7", "cents": 500}', "[NJ-MINI:7.2(b)#1]"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "four_cards", "cents": 501}', "[NJ-MINI:7.3(g)#1]"),
        ('{"type": "PlaceWager", "seat": 4, "wager": "tie", "cents": 500}', "seat 4 is empty"),
        ('{"type": "PlaceWager", "seat": 3, "wager": "player", "cents": 400000}', "NJ-MINI:7.2(c)#1"),
        (f'{{"type": "PlaceWager", "seat": 3, "wager": "player", "cents": {10**40}}}', "is outside the limits"),
        (f'{{"type": "PlaceWager", "seat": {10**40}, "wager": "player", "cents": 2500}}', "is empty"),
        ('{"type": "BuyChips", "seat": 3, "cents": 0}', "0 cents cannot buy chips"),
        ('{"type": "SeatPatron", "seat": 3, "patron": "Pete"}', "seat 3"),
        ('{"type": "SeatPatron", "seat": 8, "patron": "Pete"}', "8"),
        ('{"type": "SeatPatron", "seat": 0, "patron": "Pete"}', "0"),
        ('{"type": "DrawCard", "card": "9h"}', "[NJ-MINI:7.7(b)]"),
        ('{"type": "SettleWagers"}', "not at this moment: the table is open for wagers"),
        ('{"type": "OpenTable", "inventory_cents": 1, "dealer": "", "floorperson": "", "gaming_date": "2011-02-22"}', "not at this moment"),
    ],
)  # fmt: skip
def test_a_command_that_is_refused_exits_with_two_and_no_log_is_written(
    log: Path, line: str, told: str
) -> None:
    assert told_and_unwritten(log, line, told) == 2


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#1")
def test_a_series_of_more_forms_than_can_be_accounted_for_is_told(log: Path) -> None:
    forms = '{"type": "ReceiveForms", "pit_clerk": "Clark", "first": 101, "last": LAST}\n'
    day = '{"type": "EndGamingDay", "pit_clerk": "Clark"}\n'
    many = carried_out(log, OPENING + forms.replace("LAST", str(10**12)) + day, "--quiet")
    assert many.exit_code == 2
    assert "NJ-MINI:7.3(c)3.ii" in words(many)
    assert left(log) == ["commands.jsonl"]
    assert (
        carried_out(log, OPENING + forms.replace("LAST", "10100") + day, "--quiet").exit_code == 0
    )


def test_a_wager_after_no_more_bets_is_told_with_its_clause(log: Path) -> None:
    late = '{"type": "CallNoMoreBets"}\n{"type": "PlaceWager", "seat": 3, "wager": "tie", "cents": 500}'
    result = carried_out(log, OPENING + WAGERS + late, "--quiet")
    assert result.exit_code == 2
    assert f":{LINES_BEFORE + 2}: PlaceWager: no more bets has been called" in words(result)
    assert "NJ-MINI:7.2(d)" in words(result)
    assert left(log) == ["commands.jsonl"]


def test_a_ninth_nine_of_hearts_in_eight_decks_is_told(log: Path) -> None:
    # The first nine burns nine cards more; the eighth of those would be the ninth nine.
    opened = OPENING[: OPENING.index('{"type": "DrawCard"')]
    result = carried_out(log, opened + NINES + NINES, "--quiet")
    assert result.exit_code == 2
    assert f":{opened.count('{') + 9}: DrawCard: " in words(result)
    assert "9♥ has been drawn 8 times: the shoe has 8 decks" in words(result)
    assert left(log) == ["commands.jsonl"]


def test_a_table_of_nothing_but_an_opening_is_a_log_that_verifies(log: Path) -> None:
    assert carried_out(log, OPENING, "--quiet").exit_code == 0
    assert run("verify", log).exit_code == 0
    assert "there is no round 1" in words(run("explain", log, "--round", 1))


@pytest.mark.parametrize("digits", [20, 400, 4000, 5000])
def test_sums_beyond_all_money_are_carried_out_or_told(log: Path, digits: int) -> None:
    buy = '{"type": "BuyChips", "seat": 3, "cents": ' + "9" * digits + "}\n"
    # The rack must have the chips that are bought.
    opened = OPENING.replace("10000000", "1" + "0" * (digits + 1))
    result = carried_out(log, opened + buy + buy, "--quiet")
    if result.exit_code == 0:
        assert run("verify", log).exit_code == 0
    else:
        # A sum with more digits than are read is no command; any other may be refused.
        assert result.exit_code == (2 if digits > 4300 else 1)
        assert left(log) == ["commands.jsonl"]


def test_a_name_does_not_steer_the_terminal(log: Path) -> None:
    played = carried_out(log, TWO_ROUNDS.replace('"Pat"', '"Pat\\u001b[2J\\u0007"'))
    assert played.exit_code == 0
    assert "\x1b" not in played.output
    assert r"Pat\x1b[2J\x07 takes seat 3" in words(played)
    explained = run("explain", log, "--round", 1)
    assert "\x1b" not in explained.output
    seated = '{"type": "SeatPatron", "seat": 3, "patron": "Pete\\u001b[2J"}\n'
    assert "\x1b" not in carried_out(log, OPENING + seated + seated, "--force").output


# --- verify ------------------------------------------------------------------------------------


def test_a_true_log_exits_with_zero(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    verified = run("verify", log)
    assert verified.exit_code == 0
    assert f"PASS: {log} conforms to the rules." in words(verified)
    assert "Entries recomputed 34 Events recomputed 50 Rounds recomputed 2" in words(verified)
    assert "Table win -$320.00 Ledger in balance" in words(verified)


def wrongly_paid(log: Path) -> int:
    """Pay the tie of the second round at nine to one; return the line."""
    lines = read(log.read_bytes())
    at_line = where(lines, lambda line: has("ResultAnnounced")(line) and line["seq"] > 25)
    at_line = at_line + where(lines[at_line:], does("SettleWagers"))
    event_of(lines[at_line], "WagerPaid")["cents"] = 22_500
    log.write_bytes(forged(lines))
    return at_line + 1


def test_a_divergence_exits_with_one_and_tells_line_and_clause(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    line = wrongly_paid(log)
    verified = run("verify", log)
    assert verified.exit_code == 1
    told = words(verified)
    assert f"FAIL: {log} does not conform to the rules." in told
    assert f"line {line}, round 2: WagerPaid: cents is 22500 but should be 20000" in told
    assert "NJ-MINI:7.3(b)" in told
    # Two results were announced; that of the second round stands, though it was not paid right.
    assert "rounds that conform" not in told
    before = told.partition("Before it")[2]
    assert before.startswith(f" Entries recomputed {line - 2} ")
    assert "Rounds recomputed 2 " in before


def test_a_divergence_in_json_has_what_is_expected_and_what_is_found(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    line = wrongly_paid(log)
    verified = run("verify", log, "--format", "json")
    assert verified.exit_code == 1
    found = json.loads(verified.stdout)
    assert found["clean"] is False
    divergence = found["divergence"]
    assert (divergence["line"], divergence["round"], divergence["kind"]) == (line, 2, "event")
    assert "NJ-MINI:7.3(b)" in divergence["clauses"]
    assert divergence["expected"]["cents"] == 20_000
    assert divergence["found"]["cents"] == 22_500


def test_a_log_that_cannot_be_read_exits_with_two(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    whole = log.read_bytes()
    for broken, told in (
        (whole[:20], "truncated in its header"),
        (whole + b"{}\n", "there are lines after the one that closes the log"),
        (b"", "the log is empty"),
        (b"{}\n", "not a table log header"),
    ):
        log.write_bytes(broken)
        for output in ("text", "json"):
            verified = run("verify", log, "--format", output)
            assert verified.exit_code == 2
            assert verified.stdout == ""
            assert told in words(verified)


# --- explain -----------------------------------------------------------------------------------


def test_a_round_with_third_cards_is_explained(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    told = words(run("explain", log, "--round", 1))
    for part in (
        "Player draws on 5 [7.9(b)#1 (reading T10)]",
        "Banker draws on 6 against a third card worth 6 [7.9(c), 7.9_Table_2#5]",
        "Seat 3, Banker $100 pays $100 (1 to 1), for Banker has 7 with 3 cards, Player 1;",
        "vigorish $5 (upward to 5 cents) [7.2(a)1.i, 7.3(c)#1, 7.3(c)#2, 7.3(c)1 (reading T11)]",
        "Seat 3, Tie $25: lost, for Player has 1, Banker 7 [7.2(a)3]",
        "Seat 3, Six cards $25 pays $50 (2 to 1), for 6 cards were required",
        "Clauses are those of NJ-MINI.",
    ):
        assert part in told


def test_a_tie_is_explained(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    told = words(run("explain", log, "--round", 2))
    assert "Seat 3, Player $50: void, for Player has 9, Banker 9 [7.2(a)2.iii" in told
    assert "Seat 3, Tie $25 pays $200 (8 to 1), for Player has 9, Banker 9" in told
    assert "natural 9" in told


def test_a_bonus_wager_that_is_ahead_by_too_little_is_told_so(log: Path) -> None:
    # Player has 2 and draws a 5: 7. Banker has 6 and stays against a 5: one point behind.
    bonus = """\
{"type": "PlaceWager", "seat": 3, "wager": "player", "cents": 2500}
{"type": "PlaceWager", "seat": 3, "wager": "bonus_player", "cents": 500}
{"type": "PlaceWager", "seat": 3, "wager": "bonus_banker", "cents": 500}
{"type": "CallNoMoreBets"}
{"type": "DrawCard", "card": "Kd"}
{"type": "DrawCard", "card": "4c"}
{"type": "DrawCard", "card": "2h"}
{"type": "DrawCard", "card": "2s"}
{"type": "DrawCard", "card": "5c"}
{"type": "SettleWagers"}
{"type": "ClearLayout"}
"""
    assert carried_out(log, OPENING + bonus, "--quiet").exit_code == 0
    explained = json.loads(run("explain", log, "--round", 1, "--format", "json").stdout)
    told = {line["text"].partition(":")[0]: line for line in explained["wagers"]}
    ahead, cards_behind = told["Seat 3, Player bonus $5"], told["Seat 3, Banker bonus $5"]
    # Ahead without a natural and by less than four; behind, which is another sentence of the law.
    assert "lost" in ahead["text"]
    assert ahead["text"].endswith(": ahead by less than four, without a natural")
    assert ahead["clauses"] == ["NJ-MINI:7.2(a)5.ii#3"]
    assert "ahead" not in cards_behind["text"]
    assert cards_behind["clauses"] == ["NJ-MINI:7.2(a)5.ii#2"]


def test_a_round_is_explained_to_a_program(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    explained = json.loads(run("explain", log, "--round", 2, "--format", "json").stdout)
    assert explained["round"] == 2
    assert explained["law"] == "us-nj/minibaccarat"
    assert [line["text"].partition(", for")[0] for line in explained["wagers"]] == [
        "Seat 3, Player $50: void",
        "Seat 3, Tie $25 pays $200 (8 to 1)",
    ]
    assert explained["wagers"][1]["clauses"] == ["NJ-MINI:7.2(a)3", "NJ-MINI:7.3(b)"]
    spoken = [line["text"] for line in explained["narration"] if line["kind"] == "spoken"]
    assert spoken[0] == "“No More Bets”"


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_a_void_round_is_explained(log: Path) -> None:
    for seed in range(1, 40):
        voided = [
            one for one in play(log, seed=seed, dealer_errors=40) if isinstance(one, RoundVoided)
        ]
        if voided:
            break
    told = run("explain", log, "--round", voided[0].round)
    assert told.exit_code == 0
    assert f"Round {voided[0].round} is void" in words(told)
    assert "void, like the whole round; the stake is returned" in words(told)
    assert "7.11(e)" in words(told)
    assert "won" not in words(told).partition("Settlement of each wager")[2]


def test_every_round_of_a_shoe_with_dealer_errors_is_explained(log: Path) -> None:
    for submission in spread(SUBMISSIONS, 6):
        events = play(log, submission, dealer_errors=40, rounds=12)
        for number in range(1, sum(isinstance(one, ResultAnnounced) for one in events) // 2):
            assert run("explain", log, "--round", number).exit_code == 0


@pytest.mark.parametrize("number", [3, 10**9])
def test_an_unknown_round_exits_with_two(log: Path, number: int) -> None:
    carried_out(log, TWO_ROUNDS)
    unknown = run("explain", log, "--round", number)
    assert unknown.exit_code == 2
    assert f"there is no round {number}; the last one recorded is round 2" in words(unknown)


@pytest.mark.parametrize("number", ["0", "-1", "one", "1.5"])
def test_a_round_that_is_no_number_is_wrong_use(log: Path, number: str) -> None:
    carried_out(log, TWO_ROUNDS)
    assert run("explain", log, "--round", number).exit_code == 2


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        ("WagerPlaced", {"wager": "insurance"}),
        ("WagerPlaced", {"wager": "dragon_7"}),
        ("CardDealt", {"ordinal": 4}),
        ("CardDealt", {"source": "sleeve"}),
        ("LayoutCleared", {"player": []}),
        ("LayoutCleared", {"player": ["9h"], "banker": ["9h"]}),
        ("WagerPaid", {"wager": "insurance"}),
    ],
)
def test_a_round_that_makes_no_sense_is_told_to_be_so(
    log: Path, event: str, changes: dict[str, object]
) -> None:
    carried_out(log, TWO_ROUNDS)
    lines = read(log.read_bytes())
    event_of(lines[where(lines, has(event))], event).update(changes)
    log.write_bytes(forged(lines))
    explained = run("explain", log, "--round", 1)
    assert explained.exit_code == 2
    assert "round 1 is not a possible round" in words(explained)


def test_an_entry_that_is_none_is_told_with_its_line(log: Path) -> None:
    carried_out(log, TWO_ROUNDS)
    whole = log.read_bytes().splitlines(keepends=True)
    for entry in (
        b"nonsense\n",
        b"[]\n",
        b"{}\n",
        dump({"events": 5}) + b"\n",
        b'{"events":[{}]}\n',
    ):
        log.write_bytes(b"".join([whole[0], entry, *whole[1:]]))
        explained = run("explain", log, "--round", 1)
        assert explained.exit_code == 1
        assert words(explained).startswith("WARNING: line 2: this record was changed: ")
