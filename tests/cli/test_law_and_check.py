"""``croupier law`` and ``croupier check``: what they print, for whom, and with which exit status."""

import json
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from croupier.cli import main
from croupier.files.version import program_version
from croupier.law.resolve import resolve
from croupier.rules import read_submission, table_rules
from support.command_line import croupier
from support.forged_logs import altered
from support.project import PLAIN, ROOT
from support.texts import NJ_MINI, dated
from support.volume import spread

LAW = "us-nj/minibaccarat"
DATED = dated(LAW)


run = partial(croupier, columns=80)


def run_json(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--format", "json").stdout)


def words(result: Result) -> str:
    """Return what was printed with its line breaks undone."""
    return " ".join(result.stdout.split())


# The command itself.


def test_help_names_every_command_without_importing_any() -> None:
    script = (
        "import sys; from croupier.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "below = [name for name in sys.modules if name.startswith('croupier.cli.')]\n"
        "names = ('', '.helping', '.terminal')\n"
        "assert set(below) == {f'croupier.cli.common{one}' for one in names}"
    )
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    commands = done.stdout.partition("Commands")[2]
    listed = [words[0] for line in commands.splitlines() if (words := line.split())]
    assert {"law", "check", "deal", "run", "verify", "explain", "schema"} <= set(listed)


@pytest.mark.parametrize("name", main.list_commands(click.Context(main)))
def test_every_command_that_is_listed_can_be_loaded(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Usage: main {name} " in result.stdout


def test_the_version_is_that_of_the_package() -> None:
    assert program_version() in run("--version").stdout


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("check",), ("law", "show"), ("law", "list", "--format", "xml")]
)
def test_wrong_use_exits_with_two(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


@pytest.mark.parametrize("columns", spread([80, 120], 1))
@pytest.mark.parametrize(
    "arguments",
    [
        ("law", "list"),
        ("law", "show", DATED),
        ("law", "show", DATED, "7.3"),
        ("law", "coverage"),
        ("check", "--pit", PLAIN, PLAIN),
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_output_fits_its_width_and_carries_no_colour_into_a_pipe(
    arguments: tuple[object, ...], columns: int
) -> None:
    lines = run(*arguments, columns=columns).stdout.splitlines()
    assert lines
    # The file's own path may be longer than the line.
    assert all(len(line) <= columns for line in lines if str(ROOT) not in line)
    assert not any("\x1b" in line or line.endswith(" ") for line in lines)


# croupier law list


def test_law_list_tells_every_text_and_the_span_it_is_known_for() -> None:
    result = run("law", "list")
    assert result.exit_code == 0
    assert f"{LAW}@2011-02-22 New Jersey minibaccarat" in words(result)
    assert "In force from 2011-02-22, known to 2011-02-22" in words(result)
    assert "207 clauses, complete" in words(result)


def test_law_list_for_a_program() -> None:
    laws = run_json("law", "list")["laws"]
    (text,) = (each for each in laws if each["law_hash"] == resolve(LAW, on=NJ_MINI).sha256)
    assert (text["clauses"], text["partial"]) == (207, False)
    assert (text["in_force_from"], text["in_force_known"]) == ("2011-02-22", "2011-02-22")


# croupier law show


def test_law_show_tells_every_clause_and_every_rule() -> None:
    result = run("law", "show", DATED, columns=200)
    assert result.exit_code == 0
    law = resolve(LAW, on=NJ_MINI)
    lines = {line.split()[0] for line in result.stdout.splitlines() if line.strip()}
    assert set(law.clauses) <= lines
    assert set(law.rules) <= lines
    assert "licensee elects: at least 6" in result.stdout
    assert "cutter elects: at least 10" in result.stdout
    assert "5% (when vigorish.scheme = 5%)" in result.stdout


def test_law_show_of_a_clause_tells_its_rule_its_function_and_its_reading() -> None:
    result = run("law", "show", DATED, "NJ-MINI:7.3(c)1", "--code")
    assert result.exit_code == 0
    assert "NJ-MINI:7.3(c)1 (N.J.A.C. 19:47-7.3(c)1)" in result.stdout
    assert "rule vigorish.5_percent.rounds_to" in result.stdout
    assert "money.settlement.vigorish_cents" in result.stdout
    assert "reading T11: Rounding of vigorish" in result.stdout
    assert "Up to the unit, never to the nearest" in words(result)


@pytest.mark.parametrize("wanted", ["7.3(c)", "NJ-MINI:7.3(c)", "N.J.A.C. 19:47-7.3(c)"])
def test_law_show_lists_the_clauses_below_and_shows_them_in_full_if_asked(wanted: str) -> None:
    """The paragraph has two statements of its own; 7.3(c)1 and the others are below it."""
    short, full = (
        run("law", "show", DATED, wanted, *options).stdout for options in ((), ("--all",))
    )
    own = "NJ-MINI:7.3(c)#2 (N.J.A.C. 19:47-7.3(c))"
    below = "NJ-MINI:7.3(c)1 (N.J.A.C. 19:47-7.3(c)1)"
    assert own in short
    assert own in full
    assert below not in short
    assert below in full
    assert "NJ-MINI:7.3(c)1 " in short
    assert "--all shows them in full." in short
    assert "--all shows them in full." not in full


def test_a_paragraph_that_says_nothing_itself_is_shown_with_all_below_it() -> None:
    told = run("law", "show", DATED, "7.1").stdout
    assert "NJ-MINI:7.1(c)1 (N.J.A.C. 19:47-7.1(c)1)" in told


def test_law_show_names_the_functions_and_tests_only_if_asked() -> None:
    for options in ((), ("--code",)):
        told = run("law", "show", DATED, "NJ-MINI:7.3(c)1", *options).stdout
        for shown in ("money.settlement.vigorish_cents", "Commands", "Events", "Tests"):
            assert (shown in told) == bool(options)


def test_the_clauses_that_a_rule_cites_are_shown_in_full() -> None:
    told = run("law", "show", DATED, "vigorish.5_percent.rounds_to").stdout
    assert "NJ-MINI:7.3(c)1 (N.J.A.C. 19:47-7.3(c)1)" in told


@pytest.mark.parametrize(
    ("wanted", "first", "number"),
    [
        ("7.5(f)", "NJ-MINI:7.5(f)#1", 8),
        ("7.1", "NJ-MINI:7.1(a)#1", 16),
        ("7.3(c)3.i", "NJ-MINI:7.3(c)3.i#1", 7),
        ("7.9_Table_2", "NJ-MINI:7.9_Table_2#1", 6),
        ("NJ-MINI:7.5(f)#1", "NJ-MINI:7.5(f)#1", 1),
        ("7.5(f)#1", "NJ-MINI:7.5(f)#1", 1),
    ],
)
def test_law_show_takes_the_beginning_of_a_clause_id(wanted: str, first: str, number: int) -> None:
    clauses = run_json("law", "show", DATED, wanted)["clauses"]
    assert (clauses[0]["id"], len(clauses)) == (first, number)


def test_a_law_file_that_is_not_there_has_no_count_of_faults() -> None:
    result = croupier("law", "check", "nosuch.toml")
    assert result.exit_code == 2
    assert "nosuch.toml: cannot be read" in result.stderr
    assert "fault" not in result.output


def test_law_show_for_a_program() -> None:
    shown = run_json("law", "show", DATED, "7.1(c)1")
    (clause,) = shown["clauses"]
    assert clause["class"] == "A"
    assert clause["disposition"] == "procedure"
    assert clause["implemented_by"] == ["point_count"]
    assert clause["functions"] == ["baccarat.coup.point_count"]
    (rule,) = shown["rules"]
    assert (rule["id"], rule["kind"], rule["value"]) == ("point_count", "procedure", None)


@pytest.mark.parametrize(
    ("law", "wanted", "commands", "events"),
    [
        (
            "us-ma/minibaccarat@2026-11-20",
            "13(e)#1",
            {"FindShoeEmpty", "ClearLayout", "VoidRound"},
            {"RoundVoided", "StakesReleased"},
        ),
        (DATED, "7.5(h)2#2", {"RequestInspection", "WashCards"}, {"InspectionRequested"}),
        (DATED, "7.9(b)#1", {"DrawCard"}, {"ThirdCardRuled"}),
        (DATED, "7.10(b)1", {"SettleWagers"}, {"WagerPaid"}),
    ],
)
def test_law_show_names_the_commands_and_events_of_a_clause(
    law: str, wanted: str, commands: set[str], events: set[str]
) -> None:
    (clause,) = run_json("law", "show", law, wanted)["clauses"]
    assert commands <= {*clause["commands"]}
    assert events <= {*clause["events"]}
    assert clause["outside"] is None


def test_law_show_says_what_people_check_outside_the_table() -> None:
    law = "us-ma/minibaccarat@2026-11-20"
    (plate,) = run_json("law", "show", law, "12(i)#3")["clauses"]
    assert (plate["disposition"], plate["outside"].split()[:2]) == ("rule", ["The", "plate"])
    (stored,) = run_json("law", "show", law, "5(g)(2)(i)")["clauses"]
    assert stored["outside"] == stored["reason"]
    assert "Outside the table" in run("law", "show", law, "12(i)#3").stdout


def test_law_show_on_a_day_that_is_known() -> None:
    dated = run("law", "show", LAW, "--as-of", "2011-02-22")
    assert dated.exit_code == 0
    plain = run("law", "show", f"{LAW}@2011-02-22").stdout
    assert plain.partition("Reproduce")[0] == dated.stdout.partition("Reproduce")[0]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("nowhere/game",), "no regulation has the id 'nowhere/game'"),
        ((DATED, "7.99"), "has no clause '7.99'"),
        ((LAW, "--as-of", "2026-01-01"), "is not known here"),
        ((LAW, "--as-of", "today"), "is not a date"),
    ],
)
def test_law_show_of_what_is_not_held_exits_with_two(
    arguments: tuple[str, ...], reason: str
) -> None:
    result = run("law", "show", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


# croupier check


def test_check_tells_what_an_accepted_submission_makes_of_the_game() -> None:
    result = run("check", PLAIN)
    told = words(result)
    assert result.exit_code == 0
    assert "accepted" in told
    assert "wagers.total_cards.offered = true" in told
    assert f"Rules SHA-256 {table_rules(read_submission(PLAIN)).sha256}" in told
    assert "Banker 1:1 $25.00 $5,000.00" in told
    assert "Four cards 3:2 $5.00 $1,000.00 $0.02" in told
    assert "win by 9: 30:1" in told
    assert (
        "Vigorish (commission): 5% of Banker wager winnings, rounded up to $0.05, deferred" in told
    )
    assert "T03 A ten or face card found face up in the shoe (none)" in told


def test_check_tells_every_reading_where_it_is_asked_to() -> None:
    short, whole = (words(run("check", PLAIN, *more)) for more in ((), ("--readings",)))
    # T11 offers nothing to elect.
    assert "T11 Rounding of vigorish: Up to the unit" not in short
    assert "T11" in short
    assert "T11 Rounding of vigorish: Up to the unit" in whole
    assert "T03 A ten or face card found face up in the shoe (none)" in whole


@pytest.mark.parametrize(
    ("name", "vigorish"),
    [
        ("4-percent", "4% of Banker wager winnings, not rounded, collected immediately"),
        ("tie-vigorish", "25% of the Banker wager on a tie, none on wins"),
        ("six-pays-half", "none (six-pays-half)"),
        ("total-cards", "deferred; waived where the patron's total cards wagers reach"),
        ("dragon-7", "none (dragon-7)"),
    ],
)
def test_check_tells_the_terms_of_the_vigorish(name: str, vigorish: str) -> None:
    result = run("check", ROOT / "submissions" / f"nj-minibaccarat-{name}.toml")
    assert vigorish in words(result).partition("Vigorish (commission): ")[2]


def test_check_tells_a_push_among_the_lines_of_a_wager() -> None:
    result = run("check", ROOT / "submissions" / "nj-minibaccarat-dragon-7.toml")
    assert "dragon 7: push" in result.stdout


def test_check_names_no_way_to_win_that_the_text_does_not_know() -> None:
    result = run("check", ROOT / "submissions" / "ma-ez.toml")
    assert "dragon 7: push" in result.stdout
    assert "with six" not in result.stdout


def test_check_lists_every_error_with_its_clauses_and_exits_with_one(tmp_path: Path) -> None:
    path = altered(
        tmp_path, ("decks = 8", "decks = 5"), ('wagers.tie.pays = "8:1"', 'wagers.tie.pays = "7:1"')
    )
    result = run("check", path)
    assert result.exit_code == 1
    assert "refused, 2 errors" in words(result)
    assert "decks: 5 is below the minimum of 6 [NJ-MINI:7.1(a)#1]" in words(result)
    assert "wagers.tie.pays: 7:1 is below the minimum of 8:1 [NJ-MINI:7.3(b)]" in words(result)


def test_check_lets_no_file_steer_the_terminal(tmp_path: Path) -> None:
    result = run(
        "check", altered(tmp_path, ('"8:1"', '"8:1\\u001b[2J"'), ("decks = 8", '"d\\u001bc" = 8'))
    )
    assert result.exit_code == 1
    assert "\\x1b" in result.stdout
    assert "\x1b" not in result.stdout


def test_check_of_a_day_whose_law_is_not_known_is_a_refusal(tmp_path: Path) -> None:
    result = run("check", altered(tmp_path, ("on = 2011-02-22", "on = 2026-01-01")))
    assert result.exit_code == 1
    assert "on 2026-01-01 is not known here" in words(result)


def test_check_of_a_file_that_is_not_toml_exits_with_two_and_names_the_line(tmp_path: Path) -> None:
    path = altered(tmp_path, ("decks = 8", "decks = = 8"))
    line = path.read_text(encoding="utf-8").splitlines().index("decks = = 8") + 1
    result = run("check", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert str(path) in result.stderr
    assert f"{path}:{line}:9: not TOML" in result.stderr


def test_check_of_a_file_that_is_not_there_exits_with_two(tmp_path: Path) -> None:
    result = run("check", tmp_path / "nothing.toml")
    assert result.exit_code == 2
    assert "nothing.toml: No such file or directory" in result.stderr


def test_check_lists_every_error_of_shape_and_exits_with_two(tmp_path: Path) -> None:
    path = altered(tmp_path, ("seats = 7", "seats = 70"), ("player = [25", "player = [25.0"))
    result = run("check", path)
    assert result.exit_code == 2
    assert "table.seats: 70" in result.stderr
    assert "limits.player: 25.0 is not an amount of money" in result.stderr


def test_check_judges_every_file_though_one_cannot_be_read(tmp_path: Path) -> None:
    refused = altered(tmp_path, ("decks = 8", "decks = 5"))
    result = run("check", tmp_path / "nothing.toml", refused, PLAIN)
    assert result.exit_code == 2
    assert "refused, 1 error" in words(result)
    assert "accepted" in words(result)


def test_check_for_a_program(tmp_path: Path) -> None:
    refused = altered(tmp_path, ("decks = 8", "decks = 5"))
    report = run_json("check", PLAIN, refused)
    good, bad = report["submissions"]
    assert report["pit"] is None
    assert (good["accepted"], good["law"], len(good["rules_hash"])) == (True, LAW, 64)
    wagers = {wager["wager"]: wager for wager in good["wagers"]}
    assert wagers["tie"] == {
        "wager": "tie",
        "title": "Tie",
        "pays": {"win": "8:1"},
        "min_cents": 500,
        "max_cents": 50000,
        "unit_cents": 1,
        "cites": ["NJ-MINI:7.3(b)"],
    }
    assert good["vigorish"]["win_rate"] == "1/20"
    assert {"T03", "T11"} <= {entry["id"] for entry in good["interpretations"]}
    assert good["readings"] == {entry["id"]: entry["reading"] for entry in good["interpretations"]}
    assert bad == {
        "file": str(refused),
        "accepted": False,
        "errors": [
            {
                "where": "decks",
                "line": 12,
                "column": 1,
                "message": "5 is below the minimum of 6",
                "clauses": ["NJ-MINI:7.1(a)#1"],
            }
        ],
        "unreadable": [],
    }


def test_check_takes_several_submissions_as_one_pit(tmp_path: Path) -> None:
    assert run("check", "--pit", PLAIN, PLAIN).exit_code == 0
    other = altered(tmp_path, ('"payment-then-vigorish"', '"payments-first"'))
    result = run("check", "--pit", PLAIN, other)
    assert result.exit_code == 1
    assert "pit: refused, 1 error" in result.stdout
    assert "settlement.order" in result.stdout
    assert "[NJ-MINI:7.10(c)1]" in result.stdout
    assert run("check", PLAIN, other).exit_code == 0


def test_check_of_a_pit_for_a_program(tmp_path: Path) -> None:
    lace = ('shuffle.finish = "lace"\nshuffle.reshuffle = false', 'shuffle.finish = "feather"')
    pit = run_json("check", "--pit", PLAIN, altered(tmp_path, lace))["pit"]
    assert pit["accepted"] is False
    assert [detail["clauses"] for detail in pit["errors"]] == [["NJ-MINI:7.5(c)"]]


def test_check_judges_no_pit_in_which_a_table_is_refused(tmp_path: Path) -> None:
    refused = altered(tmp_path, ("decks = 8", "decks = 5"))
    result = run("check", "--pit", PLAIN, refused)
    assert result.exit_code == 1
    assert "pit: not checked" in result.stdout


def test_check_of_a_pit_tells_how_many_tables_it_has() -> None:
    assert run_json("check", "--pit", PLAIN, PLAIN)["pit"] == {
        "name": None,
        "tables": 2,
        "accepted": True,
        "errors": [],
    }


# croupier check --facility


FIVE_PERCENT = ROOT / "submissions" / "ny-mini.toml"
FOUR_PERCENT = ROOT / "submissions" / "ny-mini-4-percent.toml"


def test_check_holds_each_pit_of_a_facility_by_the_pit_that_its_tables_name(tmp_path: Path) -> None:
    order = ('"payment-then-vigorish"', '"payments-first"')
    pit = tomllib.loads(PLAIN.read_text(encoding="utf-8"))["table"]["pit"]
    elsewhere = altered(tmp_path, order, (f'pit = "{pit}"', 'pit = "99"'))
    told = run("check", "--facility", PLAIN, elsewhere)
    assert told.exit_code == 0, told.stdout
    assert f"pit {pit}: accepted, 1 table\n" in told.stdout
    assert "pit 99: accepted, 1 table\n" in told.stdout
    assert "facility: accepted, 2 tables\n" in told.stdout
    told = run("check", "--facility", PLAIN, altered(tmp_path, order))
    assert told.exit_code == 1
    assert f"pit {pit}: refused, 1 error\n  settlement.order: " in told.stdout
    assert "facility: accepted, 2 tables\n" in told.stdout


def test_check_holds_all_tables_of_a_facility_to_what_is_alike_everywhere() -> None:
    told = run("check", "--facility", FIVE_PERCENT, FOUR_PERCENT)
    assert told.exit_code == 1
    assert "facility: refused, 1 error\n  vigorish.scheme: " in told.stdout
    assert "pit 1: accepted, 1 table\n" in told.stdout
    assert run("check", "--facility", FIVE_PERCENT, FIVE_PERCENT).exit_code == 0


def test_what_is_alike_everywhere_is_told_once_of_a_facility_in_one_pit(tmp_path: Path) -> None:
    text = FOUR_PERCENT.read_text(encoding="utf-8").replace('pit = "2"', 'pit = "1"')
    beside = tmp_path / "beside.toml"
    beside.write_text(text, encoding="utf-8")
    report = run_json("check", "--facility", FIVE_PERCENT, beside)
    assert report["pit"] is None
    facility = report["facility"]
    assert [detail["where"] for detail in facility["errors"]] == ["vigorish.scheme"]
    assert (facility["tables"], facility["accepted"]) == (2, False)
    (pit,) = facility["pits"]
    assert (pit["name"], pit["tables"], pit["accepted"]) == ("1", 2, False)
    assert [detail["where"] for detail in pit["errors"]] == ["settlement.order"]


def test_check_judges_no_facility_in_which_a_table_is_refused(tmp_path: Path) -> None:
    refused = altered(tmp_path, ("decks = 8", "decks = 5"))
    result = run("check", "--facility", PLAIN, refused)
    assert result.exit_code == 1
    assert "facility: not checked, because not every table was accepted" in result.stdout
    assert run_json("check", "--facility", PLAIN, refused)["facility"] is None


def test_tables_are_one_pit_or_a_facility() -> None:
    result = run("check", "--pit", "--facility", PLAIN)
    assert result.exit_code == 2
    assert "--pit and --facility cannot be combined" in " ".join(result.stderr.split())


# What everybody must be told.


def test_check_shows_each_warning_on_a_line_of_its_own() -> None:
    literal = ROOT / "submissions" / "ny-mini-literal-row.toml"
    lines = run("check", literal, columns=200).stdout.splitlines()
    marked = [line for line in lines if line.startswith("WARNING ")]
    # That row also gives Player the advantage.
    assert [line.split()[1] for line in marked] == ["T36:", "T41:", "Player:"]
    assert "the damaged row of the drawing table is taken literally" in marked[1]
    (submission,) = run_json("check", literal)["submissions"]
    assert [f"WARNING {one}" for one in submission["warnings"]] == marked
    assert "WARNING" not in run("check", PLAIN).stdout


def test_check_of_a_law_without_a_coup_tells_what_was_elected() -> None:
    streak = ROOT / "submissions" / "nj-blackjack-streak.toml"
    told = words(run("check", streak))
    assert "Election Elected" in told
    assert "streak.pays.2 3:1" in told
    assert "Vigorish" not in told
    (submission,) = run_json("check", streak)["submissions"]
    assert (submission["wagers"], submission["vigorish"]) == ([], None)


@pytest.mark.shipped
def test_latest_is_said_which_it_is_and_the_same_again_names_the_day() -> None:
    result = run("par", "--law", f"{LAW}@latest", "--wager", "tie", "--format", "json")
    assert result.stderr == f"latest: {DATED}\n"
    assert (
        json.loads(result.stdout)["reproduce"]
        == f"croupier par --law {DATED} --wager tie --format json"
    )


def test_a_text_without_a_day_is_refused_with_those_that_are_held() -> None:
    result = run("law", "show", LAW)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{LAW}@latest; included: {LAW}@1999-07-06, {DATED}" in result.stderr
