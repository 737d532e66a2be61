"""A vendor's figures against the exact ones: published figures agree, and each slip is told once."""

import csv
import io
import json
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.odds.stated import compared, stated_number, stated_pays
from support.project import ROOT, SUBMISSIONS
from support.spreadsheet import saved_as_workbook
from support.volume import spread

PLAIN: Final = ("--submission", str(ROOT / "submissions" / "nj-minibaccarat.toml"))
EZ: Final = ("--submission", str(ROOT / "submissions" / "ma-ez.toml"))
SCHEMA: Final = Draft202012Validator(SCHEMAS["par-check"]())
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "vendor.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def check(path: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["par", "check", str(path), *(words or PLAIN)])


def data(path: Path, *words: str) -> dict[str, Any]:
    done = check(path, *(words or PLAIN), "--format", "json")
    assert done.exit_code in {0, 1}, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    SCHEMA.validate(found)
    assert done.exit_code == (0 if found["agrees"] else 1)
    return found


def verdicts(found: dict[str, Any]) -> list[tuple[str, str | None, str, str]]:
    return [
        (one["wager"], one["outcome"], one["figure"], one["verdict"]) for one in found["figures"]
    ]


# Digits.


@pytest.mark.parametrize(
    ("text", "exact", "verdict"),
    [
        # The edge of Banker, published as 1.0579%: 1.05790578...%.
        ("1.0579%", "114753351728/10847218479825", "equal"),
        ("1.06%", "114753351728/10847218479825", "equal"),
        ("1.058%", "114753351728/10847218479825", "equal"),
        ("1.05%", "114753351728/10847218479825", "rounded_otherwise"),
        ("1.0580%", "114753351728/10847218479825", "rounded_otherwise"),
        ("1.0581%", "114753351728/10847218479825", "wrong"),
        ("1.17%", "114753351728/10847218479825", "wrong"),
        ("0.010579", "114753351728/10847218479825", "equal"),
        ("1,0579%", "114753351728/10847218479825", "equal"),
        ("114753351728/10847218479825", "114753351728/10847218479825", "equal"),
        ("114753351729/10847218479825", "114753351728/10847218479825", "wrong"),
        ("-1.2e-2", "-16/1250", "rounded_otherwise"),
        ("-1.25E-02", "-1/80", "equal"),
        # A share of 0 or 1 without decimals is meant exactly.
        ("0", "1/100", "wrong"),
        ("0", "0", "equal"),
        ("1", "99/100", "wrong"),
        ("1.0", "99/100", "equal"),
    ],
)
def test_a_figure_is_compared_at_the_digits_given(text: str, exact: str, verdict: str) -> None:
    assert compared(stated_number(text, "share"), Fraction(exact)) == verdict


@pytest.mark.parametrize(
    "text",
    ["2230518282592256", "2,230,518,282,592,256", "2.230.518.282.592.256", "2 230 518 282 592 256"],
)
def test_counts_are_read_to_the_last_digit(text: str) -> None:
    stated = stated_number(text, "count")
    assert compared(stated, Fraction(2230518282592256)) == "equal"
    assert compared(stated, Fraction(2230518282592255)) == "wrong"


@pytest.mark.parametrize(
    ("text", "net"),
    [
        ("8:1", "8"), ("8 to 1", "8"), ("19/20", "19/20"), ("0.95", "19/20"), ("9 for 1", "8"),
        ("loses", "-1"), ("Push", "0"), ("-1", "-1"), ("1", "1"),
    ],
)  # fmt: skip
def test_a_pay_is_exact_however_it_is_written(text: str, net: str) -> None:
    assert compared(stated_pays(text), Fraction(net)) == "equal"
    assert compared(stated_pays(text), Fraction(net) + Fraction(1, 20)) == "wrong"


@pytest.mark.parametrize(
    "text", ["", "n/a", "1/0", "12,345", "1.2.3", "9" * 65, "∞", "nan", "1e9999"]
)
def test_what_is_not_a_number_or_could_be_two_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        stated_number(text)


# Files.


def test_published_figures_of_an_ez_table_agree(write: Write) -> None:
    # As published for eight decks.
    path = write(
        "wager,house edge %\nbanker,1.0183\ndragon 7,7.6113\npanda_8,10.1876\nPLAYER,1.2351\n"
    )
    found = data(path, *EZ)
    assert verdicts(found) == [
        (wager, None, "house_edge", "equal")
        for wager in ("banker", "dragon_7", "panda_8", "player")
    ]
    assert [one["wager"] for one in found["not_stated"]][:1] == ["tie"]


def test_every_figure_has_the_clauses_that_it_rests_on(write: Write) -> None:
    found = data(write("wager,outcome,pays,edge\ntie,win,8:1,14.36%\n"))
    pays, edge = found["figures"]
    assert pays["cites"] == ["NJ-MINI:7.2(a)3", "NJ-MINI:7.3(b)"]
    assert set(pays["cites"]) <= set(edge["cites"])


@pytest.mark.parametrize(
    ("head", "cell", "figure", "note"),
    [
        ("edge", "1.0579", "house_edge", "equal as a percentage"),
        ("edge %", "0.010579", "house_edge", "equal as a fraction of 1"),
        ("edge", "-1.0579%", "house_edge", "equal with the sign reversed"),
        ("edge", "1.1692%", "house_edge", "equal to the edge per resolved"),
        ("edge", "1.3%", "house_edge", ""),
    ],
)
def test_a_wrong_figure_says_what_it_would_be_right_as(
    head: str, cell: str, figure: str, note: str, write: Write
) -> None:
    (one,) = data(write(f"bet,{head}\nBanker,{cell}\n"))["figures"]
    assert (one["figure"], one["verdict"], one["note"]) == (figure, "wrong", note)


def test_a_pay_with_the_stake_is_told(write: Write) -> None:
    (one,) = data(write("bet,result,payout\nTie,wins,9\n"))["figures"]
    assert (one["verdict"], one["note"]) == ("wrong", "equal as paid for one, with the stake")
    (one,) = data(write("bet,result,payout for 1\nTie,wins,9\n"))["figures"]
    assert one["verdict"] == "equal"


@pytest.mark.parametrize("head", ["EV", "Return", "Expected value", "Expectation"])
def test_the_ev_of_an_outcome_is_its_contribution(head: str, write: Write) -> None:
    # As published for eight decks: the rows of Player add up to minus its edge.
    rows = f"Bet,Result,{head}\nPlayer,Win,0.446247\n,Tie,0\n,Lose,-0.458597\n,Total,-0.012351\n"
    found = data(write(rows))
    assert verdicts(found) == [
        ("player", "win", "contribution", "equal"),
        ("player", "push", "contribution", "equal"),
        ("player", "lose", "contribution", "equal"),
        ("player", None, "expectation", "equal"),
    ]
    wrong = data(write(rows.replace("-0.458597", "-0.448597")))
    assert [one["line"] for one in wrong["figures"] if one["verdict"] == "wrong"] == [4]


def test_a_return_of_an_outcome_may_have_the_stake_in_it(write: Write) -> None:
    # Eight to one on 9.5156%, and the stake: nine times as much is the RTP of the wager.
    rows = "Bet,Result,Return\nTie,Win,85.6404%\n,Lose,0%\n,Total,85.6404%\n"
    # 44.6247% twice; a tie brings the stake alone.
    rows += "Player,Win,0.892493\n,Tie,0.095156\n,Lose,0\n,Total,0.987649\n"
    # Another wager of the same file has it without the stake.
    rows += "Banker,Win,0.435668\n,Lose,-0.446247\n,Total,-0.010579\n"
    found = data(write(rows))
    assert verdicts(found) == [
        ("tie", "win", "returned", "equal"),
        ("tie", "lose", "returned", "equal"),
        ("tie", None, "return_to_player", "equal"),
        ("player", "win", "returned", "equal"),
        ("player", "push", "returned", "equal"),
        ("player", "lose", "returned", "equal"),
        ("player", None, "return_to_player", "equal"),
        ("banker", "win", "contribution", "equal"),
        ("banker", "lose", "contribution", "equal"),
        ("banker", None, "expectation", "equal"),
    ]
    # A wrong digit is found, and one wrong row changes no other.
    wrong = data(write(rows.replace("0.892493", "0.882493").replace("Win,85.6404", "Win,85.6504")))
    assert [one["line"] for one in wrong["figures"] if one["verdict"] == "wrong"] == [2, 5]


def test_one_wrong_return_does_not_change_how_the_others_are_read(write: Write) -> None:
    # Banker wins more often than it loses: 43.5668 as a fraction is nearer to the RTP by more than
    # the lost stake is to its contribution.
    found = data(write("Bet,Result,Return\nBanker,Win,43.5668\n,Lose,-0.446247\n"))
    assert verdicts(found) == [
        ("banker", "win", "contribution", "wrong"), ("banker", "lose", "contribution", "equal"),
    ]  # fmt: skip
    found = data(write("Bet,Result,Return\nTie,Win,75%\n,Lose,0%\n"))
    assert verdicts(found) == [
        ("tie", "win", "returned", "wrong"),
        ("tie", "lose", "returned", "equal"),
    ]


def test_a_return_of_a_whole_wager_is_its_expectation_or_its_rtp(write: Write) -> None:
    found = data(write("Bet,Return\nPlayer,-0.012351\nTie,85.64%\nBanker,-1.0579%\n"))
    assert verdicts(found) == [
        ("player", None, "expectation", "equal"),
        ("tie", None, "return_to_player", "equal"),
        ("banker", None, "expectation", "equal"),
    ]


def test_a_figure_of_the_wager_may_be_repeated_in_each_row(write: Write) -> None:
    rows = "Bet,Result,EV,Cycle,Hit freq\nTie,Win,-0.143596,10.509,9.5156%\nTie,Lose,-0.143596,"
    found = data(write(f"{rows}10.509,9.5156%\n"))
    assert verdicts(found) == [
        ("tie", None, "expectation", "equal"),
        ("tie", None, "hit_cycle", "equal"),
        ("tie", None, "hit_frequency", "equal"),
    ]
    by_row = data(write(f"{rows}1.105,90.4844%\n"))
    assert verdicts(by_row)[1:3] + verdicts(by_row)[-2:] == [
        ("tie", "win", "cycle", "equal"),
        ("tie", "win", "probability", "equal"),
        ("tie", "lose", "cycle", "equal"),
        ("tie", "lose", "probability", "equal"),
    ]


def test_a_name_stands_for_the_rows_below_it_and_a_title_above_the_header_is_no_matter(
    write: Write,
) -> None:
    text = "Math report,,\n,,\nBet;Result;Prob\n".replace(",", ";")
    found = data(write(f"{text}Player;Win;0,446247\n;Tie;0,095156\n;total;1\nTie;win;0,095156\n"))
    assert verdicts(found) == [
        ("player", "win", "probability", "equal"),
        ("player", "push", "probability", "equal"),
        ("player", "all", "probability", "equal"),
        ("tie", "win", "probability", "equal"),
    ]


def test_all_errors_of_a_file_come_at_once_and_say_what_may_be_meant(write: Write) -> None:
    text = (
        "wager,outcome,probabilty,edge,pays\n"
        "bankr,win,0.4,1%,\n"
        "Banker,wn,,,\n"
        "Banker,winn,,,1:1\n"
        "Tie,win,,x,8:1\n"
        "Tie,,,,8:1\n"
    )
    done = check(write(text))
    assert done.exit_code == 2
    assert done.stdout == ""
    told = done.stderr
    assert "vendor.csv:1: column 'probabilty' is not known; did you mean probability" in told
    assert "vendor.csv:2: wager: 'bankr' is not known; did you mean banker?" in told
    assert "vendor.csv:4: outcome of Banker: 'winn' is not known; did you mean win" in told
    assert "vendor.csv:5: house_edge: x: not a number" in told
    assert "vendor.csv:6: pays: of which outcome?" in told
    assert told.count("vendor.csv:") == 5


def test_names_can_be_mapped_and_columns_left_out(write: Write) -> None:
    path = write("Spot,HA,Probabilty\nTable Tie,14.36%,x\n")
    assert check(path).exit_code == 2
    words = ("--map", "Spot=wager", "--map", "Table Tie=tie", "--map", "Probabilty=")
    found = data(path, *PLAIN, *words)
    assert verdicts(found) == [("tie", None, "house_edge", "equal")]
    assert {one["column"]: one["read_as"] for one in found["files"][0]["columns"]} == {
        "Spot": "wager", "HA": "house_edge", "Probabilty": None,
    }  # fmt: skip


def test_a_file_without_a_header_names_what_is_needed(write: Write) -> None:
    done = check(write("a,b\n1,2\n"))
    assert done.exit_code == 2
    assert "no header: a row with a column 'wager'" in done.stderr


@pytest.mark.parametrize("path", spread(SUBMISSIONS, 5), ids=lambda path: path.stem)
def test_our_own_sheets_agree_with_themselves(path: Path, tmp_path: Path) -> None:
    words = ("--submission", str(path))
    for suffix, pages in (("csv", (None,)), ("xlsx", ("Summary", "Lines"))):
        sheet = tmp_path / f"sheet.{suffix}"
        assert CliRunner().invoke(main, ["par", *words, "-o", str(sheet)]).exit_code == 0
        for page in pages:
            of_page = () if page is None else ("--sheet", page)
            found = data(sheet, *words, *of_page)
            assert found["counts"]["equal"] == len(found["figures"]) > 0
            assert found["files"][0]["page"] == page


@pytest.mark.parametrize(
    "figure", ["house_edge", "ways", "probability", "contribution", "variance"]
)
def test_a_digit_changed_in_our_own_sheet_is_wrong_and_nothing_else(
    figure: str, tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.csv"
    CliRunner().invoke(main, ["par", *PLAIN, "-o", str(sheet)])
    rows = list(csv.reader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    at = rows[0].index(figure)
    line = next(number for number, row in enumerate(rows[1:], 1) if row[at])
    whole, slash, rest = rows[line][at].partition("/")
    rows[line][at] = f"{int(whole) + 1}{slash}{rest}"
    changed = io.StringIO()
    csv.writer(changed).writerows(rows)
    sheet.write_text(changed.getvalue(), encoding="utf-8")
    found = data(sheet)
    (wrong,) = (one for one in found["figures"] if one["verdict"] != "equal")
    assert (wrong["line"], wrong["figure"], wrong["verdict"]) == (
        line + 1,
        figure,
        "wrong",
    )
    assert found["counts"]["wrong"] == 1


# Workbooks.


def test_a_workbook_is_read_with_its_whole_numbers_and_doubles(tmp_path: Path) -> None:
    rows: list[Sequence[object]] = [
        ["Vendor", "", "", ""],
        ["Wager", "Outcome", "Combinations", "House edge", "Pays"],
        ["Tie", "win", 475627426473216, 0.143596287787238, 8],
        ["Tie", "lose", 4522770849030144, 1 - 0.856403712212762, -1],
        ["Banker", "win", 2292252566437889, 0.0105790578, 1],
    ]
    path = tmp_path / "vendor.xlsx"
    path.write_bytes(saved_as_workbook({"Cover": [["PAR"]], "Math": rows, "Notes": [["x"]]}))
    found = data(path)
    (file,) = found["files"]
    assert (file["page"], file["other_pages"]) == ("Math", ["Cover", "Notes"])
    assert [one for one in verdicts(found) if one[0] == "tie" and one[3] != "equal"] == []
    assert [one for one in verdicts(found) if one[0] == "banker"] == [
        ("banker", "win", "ways", "wrong"),
        ("banker", None, "house_edge", "equal"),
        ("banker", "win", "pays", "wrong"),
    ]


@pytest.mark.parametrize(
    ("number", "verdict"),
    [
        # The edge of Player: 0.012350813289...
        (0.012350813, "equal"), (0.0124, "equal"), (0.012351, "equal"), (0.01235081, "equal"),
        (0.012350814, "rounded_otherwise"), (0.0125, "wrong"),
        # As calculated, with 15 digits.
        (241149546272 / 19524993263685, "equal"), (0.012350813289 + 1 / 3 - 1 / 3, "equal"),
        (0.0123508133 + 1e-13 / 3, "wrong"),
    ],
)  # fmt: skip
def test_a_typed_number_of_a_workbook_has_its_digits_and_a_calculated_one_twelve(
    number: float, verdict: str, tmp_path: Path
) -> None:
    path = tmp_path / "vendor.xlsx"
    path.write_bytes(saved_as_workbook({"Math": [["Wager", "Edge"], ["Player", number]]}))
    assert verdicts(data(path)) == [("player", None, "house_edge", verdict)]


def test_pays_of_a_workbook_are_exact_as_typed(tmp_path: Path) -> None:
    path = tmp_path / "vendor.xlsx"
    rows: list[Sequence[object]] = [
        ["Wager", "Outcome", "Pays", "EV"], ["Banker", "Win", 1, 0.4357], ["Tie", "Win", 8, ""],
    ]  # fmt: skip
    path.write_bytes(saved_as_workbook({"Math": rows}))
    found = verdicts(data(path))
    assert [one[2:] for one in found] == [
        ("pays", "wrong"), ("contribution", "equal"), ("pays", "equal"),
    ]  # fmt: skip


# One cell with a wager and an outcome; folders.


@pytest.mark.parametrize("column", ["Event", "Wager"])
def test_a_cell_with_wager_and_outcome_is_split_or_mapped(column: str, write: Write) -> None:
    # As published for eight decks: an edge of 7.6113%, so 40/41 of the rest is won.
    path = write(
        f"{column},Probability,Return\nDragon 7 Win,2.2534%,0.901353\n"
        "Dragon 7: lose,97.7466%,-0.977466\nD7 altogether,,-0.076113\nPlayer Bonus - Push,,0\n"
    )
    refused = check(path, *EZ)
    assert refused.exit_code == 2
    assert "--map 'D7 altogether=WAGER or WAGER/OUTCOME'" in refused.stderr
    found = data(path, *EZ, "--map", "D7 altogether=dragon_7/all")
    assert verdicts(found) == [
        ("dragon_7", "win", "probability", "equal"),
        ("dragon_7", "win", "contribution", "equal"),
        ("dragon_7", "lose", "probability", "equal"),
        ("dragon_7", "lose", "contribution", "equal"),
        ("dragon_7", None, "expectation", "equal"),
        ("bonus_player", "push", "contribution", "equal"),
    ]


def test_known_names_are_listed_once(write: Write) -> None:
    rows = "".join(f"Spot {one},1%\n" for one in range(12))
    told = check(write(f"wager,edge\n{rows}")).stderr
    assert told.count("is not known") == 12
    assert told.count("known: player, banker") == 1


def test_a_folder_of_sheets_gives_one_report(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("Bet,EV\nPlayer,-1.2351%\nTie,-14.3%\n", encoding="utf-8")
    book = saved_as_workbook({"Cover": [["x"]], "Math": [["Bet", "RTP"], ["Tie", 0.89]]})
    (tmp_path / "a.xlsx").write_bytes(book)
    (tmp_path / "notes.txt").write_text("no sheet", encoding="utf-8")
    found = data(tmp_path)
    assert [(one["file"], one["page"]) for one in found["files"]] == [
        ("a.xlsx", "Math"), ("b.csv", None),
    ]  # fmt: skip
    assert found["other_files"] == ["notes.txt"]
    assert [(one["file"], one["line"], one["verdict"]) for one in found["figures"]] == [
        ("a.xlsx", 2, "wrong"), ("b.csv", 2, "equal"), ("b.csv", 3, "rounded_otherwise"),
    ]  # fmt: skip
    assert "banker" in {one["wager"] for one in found["not_stated"]}
    text = check(tmp_path).stdout
    assert f"FAIL: {tmp_path.name}, 2 files: 1 of 3 figures are wrong." in text
    assert "Files not read" in text
    # Faults of all files come at once, and nothing is judged.
    (tmp_path / "b.csv").write_text("Bet,EV\nPlayr,1%\n", encoding="utf-8")
    (tmp_path / "c.csv").write_text("x\n", encoding="utf-8")
    refused = check(tmp_path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "b.csv:2: wager: 'Playr'" in refused.stderr
    assert "c.csv: no header" in refused.stderr


def test_a_folder_without_sheets_is_refused(tmp_path: Path) -> None:
    refused = check(tmp_path)
    assert refused.exit_code == 2
    assert "no sheets; a name ends with .csv, .ods" in refused.stderr


def test_odds_that_a_spreadsheet_took_for_a_time_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "vendor.csv"
    path.write_text("wager,outcome,pays\ntie,win,08:01:00\n", encoding="utf-8")
    done = check(path)
    assert done.exit_code == 2
    assert "a time of day" in done.stderr


def test_an_unknown_page_and_a_broken_workbook_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "vendor.xlsx"
    path.write_bytes(saved_as_workbook({"Math": [["Wager", "RTP"], ["Tie", 0.8564]]}))
    done = check(path, *PLAIN, "--sheet", "Maths")
    assert done.exit_code == 2
    assert "no page 'Maths'; it has Math" in done.stderr
    path.write_bytes(b"PK\x03\x04 nothing")
    done = check(path)
    assert done.exit_code == 2
    assert "not a workbook that can be read" in done.stderr


def test_without_the_extra_a_workbook_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vendor.xlsx"
    path.write_bytes(saved_as_workbook({"Math": [["Wager", "RTP"], ["Tie", 0.8564]]}))
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    done = check(path)
    assert done.exit_code == 2
    assert "pip install 'croupier[vendors]'" in done.stderr


def test_nothing_is_written_for_a_file_that_cannot_be_read(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "verdict.json"
    assert check(write("wager,edge\nbankr,1%\n"), *PLAIN, "-o", str(out)).exit_code == 2
    assert not out.exists()
    assert check(write("wager,edge\nbanker,3%\n"), *PLAIN, "-o", str(out)).exit_code == 1
    assert json.loads(out.read_text(encoding="utf-8"))["agrees"] is False


# Packages: what a wager is worth by its meters, or with another one.

ROYAL: Final = ("--submission", str(ROOT / "submissions" / "ma-royal-9.toml"))
# The star comes once in 12,909,299/5 wagers of $5, and 3% of each go into it: it begins with
# $10,000, and each of the 2,581,859.8 wagers to a hit adds 15 cents.
METERS: Final = """wager,row,chance,seed,mean,deviation,bets to hit,contribution rate,edge
Royal 9: the edge as a function of the meters,star,1/2581859.8,"$10,000",,,,,
royal_9_hits,star,,,"$397,278.97","387,278.89","2581859.8",,
royal_9_long_run,star,,,,,,-3%,
royal_9_long_run,long run,,,,,,,10.0648%
"""


def test_the_figures_of_packages_are_checked_too(write: Write) -> None:
    text = METERS.replace("1/2581859.8", "5/12909299").replace("wager,row", "wager,outcome")
    found = data(write(text), *ROYAL)
    assert verdicts(found) == [
        ("royal_9_meters", "star", "probability", "equal"),
        ("royal_9_meters", "star", "seed", "equal"),
        ("royal_9_hits", "star", "mean_at_hit", "equal"),
        ("royal_9_hits", "star", "deviation_at_hit", "equal"),
        ("royal_9_hits", "star", "wagers_to_hit", "equal"),
        ("royal_9_long_run", "star", "increment", "equal"),
        ("royal_9_long_run", "long_run", "house_edge", "equal"),
    ]
    assert all(one["cites"] for one in found["figures"])
    wrong = data(write(text.replace("397,278.97", "397,278.98")), *ROYAL)
    (one,) = (figure for figure in wrong["figures"] if figure["verdict"] != "equal")
    assert (one["figure"], one["expected"], one["verdict"]) == (
        "mean_at_hit", "397,278.97", "wrong",
    )  # fmt: skip


def test_a_figure_of_a_package_is_of_one_row_and_of_no_wager(write: Write) -> None:
    refused = check(write("wager,seed\nPlayer,100\n"))
    assert (refused.exit_code, "has no such figure" in refused.stderr) == (2, True)
    refused = check(write("wager,edge\nroyal_9_long_run,10%\n"), *ROYAL)
    assert (refused.exit_code, "of which outcome" in refused.stderr) == (2, True)


def test_what_house_money_comes_to_beside_each_hand_is_checked(write: Write) -> None:
    house = ("--submission", str(ROOT / "submissions" / "ma-house-money.toml"))
    # Taking the payout: the same beside either hand.
    text = "wager,outcome,with player,with banker\nhouse_money_package,take it,35.7764%,35.7764%\n"
    found = data(write(text), *house)
    assert [one["verdict"] for one in found["figures"]] == ["equal", "equal"]
    assert {"wager": "house_money_package", "outcome": "add"} in found["not_stated"]
