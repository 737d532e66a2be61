"""Every format of a document contains the same figures, sentences, and clauses: each is read back."""

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.drills.documents import DrillPaper
from croupier.drills.paper_files import paper_tree
from croupier.reports.audit import audit_tree, rounds_verification_tree
from croupier.reports.check import check_tree, dossier_tree
from croupier.reports.comparisons import (
    comparison_tree,
    odds_table_tree,
    odds_tree,
    sweep_tree,
    vendor_tree,
)
from croupier.reports.counting import count_tree, design_tree
from croupier.reports.differences import law_diff_tree, submission_diff_tree
from croupier.reports.law import (
    law_comparison_tree,
    law_coverage_tree,
    law_elections_tree,
    law_history_tree,
    law_list_tree,
    register_tree,
)
from croupier.reports.par import par_tree
from croupier.reports.rounds import round_tree
from croupier.reports.session import session_tree
from croupier.reports.simulation import blackjack_simulation_tree, simulation_tree
from croupier.reports.tree import Tree
from croupier.reports.verification import ledger_tree, log_verification_tree
from croupier.verify.rounds.documents import KINDS
from support.formats import (
    cells_of_workbook,
    figures_of,
    missing_from_cells,
    missing_from_csv,
    missing_from_words,
    numbers_of,
    words_of_format,
)
from support.project import ROOT
from support.texts import dated

LAW: Final = ("--law", dated("us-nj/minibaccarat"))
EZ: Final = ("--submission", str(ROOT / "submissions" / "ma-ez.toml"))
NJ: Final = ("--submission", str(ROOT / "submissions" / "nj-minibaccarat.toml"))


class Report(NamedTuple):
    """A document: its JSON, its tree, and which numbers the tree derives.

    ``derived`` matches the paths of numbers that the tree shows in another form, such as a count
    as a share, or that are parameters of the law and no figures.
    """

    data: Callable[[Path], dict[str, Any]]
    tree: Callable[[Mapping[str, Any]], Tree]
    derived: str


def printed(*words: str) -> Callable[[Path], dict[str, Any]]:
    """Return what makes the JSON that a command prints."""

    def made(folder: Path) -> dict[str, Any]:
        log = table_log(folder)
        paths = {"LOG": log, "REPAIRED": folder / "repaired.csv"}
        named = [str(paths.get(word, word)) for word in words]
        done = CliRunner().invoke(main, [*named, "--format", "json"])
        assert done.exit_code in {0, 1}, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return made


def filed(option: str, *words: str) -> Callable[[Path], dict[str, Any]]:
    """Return what makes the JSON that a command writes to a file."""

    def made(folder: Path) -> dict[str, Any]:
        path = folder / "document.json"
        named = [str(table_log(folder)) if word == "LOG" else word for word in words]
        done = CliRunner().invoke(main, [*named, option, str(path), "--force"])
        assert done.exit_code in {0, 1}, done.output
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found

    return made


def table_log(folder: Path) -> Path:
    """Return the log of a shoe, dealt once."""
    path = folder / "table.jsonl"
    if not path.exists():
        words = ("deal", NJ[1], "--seed", "7", "--patrons", "4", "--log", str(path), "--quiet")
        assert CliRunner().invoke(main, words).exit_code == 0
    return path


REPORTS: Final = {
    "session": Report(
        printed(
            "session", *EZ, "--wager", "banker", "--wager", "tie", "--unit", "25", "--bankroll",
            "300", "--goal", "500", "--shoes", "1", "--sessions", "50", "--system", "paroli",
        ),
        session_tree,
        r"rounds_per_hour|min_cents|max_cents|step_cents|_asked$|by_length|cut_off|expected_net"
        r"|dealt\.(rounds|player|banker|ties)|by_shoe\..*quantiles\.0\.(01|25|75|99)|mean_hours",
    ),
    "simulation": Report(
        printed("simulate", *EZ, "--rounds", "2000", "--threads", "1"),
        simulation_tree,
        r"by_rank|_percent$|_asked$|most$|least$|total_ways",
    ),
    "blackjack simulation": Report(
        printed(
            "blackjack", "--submission", str(ROOT / "submissions" / "nj-blackjack-streak.toml"),
            "--simulate", "--rounds", "1e5", "--seed", "7", "--threads", "1",
        ),
        blackjack_simulation_tree,
        r"naturals|(house_edge|expected_value)\.z$|above_\w+\.(standard_error|interval_99)|won\.z$",
    ),
    "blackjack bonus simulation": Report(
        printed(
            "blackjack", "--submission", str(ROOT / "submissions" / "nj-blackjack-bonus.toml"),
            "--simulate", "--rounds", "1e5", "--seed", "7", "--threads", "1",
        ),
        blackjack_simulation_tree,
        r"runs|^won\.|z$|(share|above_\w+)\.(value|standard_error|interval_99)",
    ),
    "count": Report(
        printed("count", *EZ, "--wager", "dragon_7", "--shoes", "20", "--threads", "1"),
        count_tree,
        r"by_rank|gain_per_100|bins|thresholds|^seed$|^shoe\.",
    ),
    "design": Report(
        printed(
            "design", str(ROOT / "docs/examples/lucky-6.toml"), *LAW, "--edge", "5%..20%",
            "--pays", "three_cards=18..22",
        ),
        design_tree,
        r"by_rank|pays\.|variance|effects_of_removal|within_bounds|^shoe\.",
    ),
    "par": Report(
        printed("par", "--submission", str(ROOT / "submissions" / "ma-royal-9.toml")),
        par_tree,
        r"^shoe\.|_percent$|max_win_meters|packages\..*(figures|id$)",
    ),
    "par with parts": Report(
        printed(
            "par", *NJ, "--wager", "banker", "--wager", "tie", "--rounds", "1e3,1e4",
            "--confidence", "95", "--stakes", "25..40/0.50", "--ticket", "player=100,tie=10",
            "--ticket", "banker=50,four_cards=50", "--rounds-per-hour", "70", "--seats", "7",
            "--rounds-per-shoe", "81", "--bankroll", "500", "--goal", "1000", "--within", "30",
        ),
        par_tree,
        # Covariances are shown in square dollars, the variance as its root.
        r"^shoe\.|_percent$|stakes_cents|square_cents|packages\..*figures",
    ),
    "par of blackjack": Report(
        printed(
            "par", "blackjack", str(ROOT / "submissions" / "nj-blackjack-streak.toml"),
            "--results", "win=433,push=87,lose=480",
        ),
        par_tree,
        r"^shoe\.|_percent$|packages\..*figures",
    ),
    "dossier": Report(
        filed("--report", "check", NJ[1]),
        dossier_tree,
        r"variance|exact|bytes|elections|hit_cycle|wagers\..*push|minutes|lines",
    ),
    "check": Report(
        printed(
            "check", "--facility", str(ROOT / "submissions" / "ny-mini.toml"),
            str(ROOT / "submissions" / "ny-mini-4-percent.toml"),
        ),
        partial(check_tree, together="facility", readings=True, checklist=True),
        r"vigorish\.|cites|elections|departures",
    ),
    "check of errors": Report(
        printed("check", str(ROOT / "docs/examples/refused.toml")), check_tree, r"line|column"
    ),
    "audit": Report(printed("audit", "LOG"), audit_tree, r"board|bytes|census\.|spot|roads"),
    "audit of errors": Report(
        printed("audit", str(ROOT / "docs/examples/audited-rounds.csv"), *NJ),
        audit_tree,
        r"board|bytes|census\.|roads",
    ),
    "verification of rounds": Report(
        printed(
            "verify", str(ROOT / "docs/examples/audited-rounds.csv"), *NJ, "--repair", "REPAIRED",
        ),
        partial(rounds_verification_tree, record="rounds.csv", kinds=KINDS),
        r"census\.|\.(expected|found)$|by_wager|by_clause|parts",
    ),
    "round": Report(
        filed("--report", "explain", "LOG", "--round", "12"),
        round_tree,
        r"layout|steps|^round|seats|record",
    ),
    "ledger": Report(printed("ledger", "LOG"), ledger_tree, r"record"),
    "comparison": Report(
        printed("par", "compare", NJ[1], str(ROOT / "submissions" / "ma-royal-9.toml")),
        comparison_tree,
        r"packages",
    ),
    "sweep": Report(
        printed("par", "sweep", dated("us-nj/minibaccarat"), "--wager", "banker"),
        sweep_tree,
        r"_percent$|packages",
    ),
    "vendor check": Report(
        printed(
            "par", "check", str(ROOT / "docs/examples/vendor-par.csv"), *NJ,
            "--map", "Dragon Bonus (Player)=bonus_player",
        ),
        vendor_tree,
        r"counts|figures\..*(exact|stated)$|^shoe\.",
    ),
    "vendor check of a folder": Report(
        printed(
            "par", "check", str(ROOT / "tests/data/vendor-sheets"), *NJ,
        ),
        vendor_tree,
        r"counts|figures\..*(exact|stated)$|^shoe\.|columns",
    ),
    "odds": Report(printed("odds", *NJ, "--player", "9h,2c"), odds_tree, r"^shoe\.|_percent$|total_ways|unseen"),
    "odds by total": Report(
        printed("odds", *NJ, "--by", "player-total"),
        odds_table_tree,
        r"^shoe\.|_percent$|lines|total_ways|unseen",
    ),
    "submission diff": Report(
        printed("submission", "diff", NJ[1], str(ROOT / "submissions" / "nj-minibaccarat-4-percent.toml")),
        submission_diff_tree,
        r"_percent$|minutes",
    ),
    "law list": Report(printed("law", "list"), law_list_tree, r"NOTHING"),
    "law history": Report(
        printed("law", "history", "us-nj/minibaccarat"), law_history_tree, r"NOTHING"
    ),
    "law elections": Report(
        printed("law", "elections", dated("us-nj/minibaccarat")),
        law_elections_tree,
        r"value|minimum|maximum|sections",
    ),
    "law comparison": Report(
        printed("law", "compare", dated("us-nj/minibaccarat"), dated("us-ma/minibaccarat")),
        law_comparison_tree,
        r"\.(value|applies_when)",
    ),
    "law comparison of all": Report(
        printed("law", "compare"), law_comparison_tree, r"\.(value|applies_when)"
    ),
    "law coverage": Report(
        printed("law", "coverage", "--law", "us-nj/blackjack-wagers"), law_coverage_tree, r"totals"
    ),
    "law interpretations": Report(
        printed("law", "interpretations", "--law", "us-nj/minibaccarat"),
        partial(register_tree, clauses=True),
        r"NOTHING",
    ),
    "law diff": Report(
        printed("law", "diff", dated("us-nj/minibaccarat"), dated("us-ma/minibaccarat")),
        law_diff_tree,
        r"NOTHING",
    ),
    "verification": Report(printed("verify", "LOG"), log_verification_tree, r"head\."),
    "exam paper": Report(
        filed("--out", "drill", "paper", "--submission", NJ[1], "--seed", "3", "--questions", "12"),
        lambda paper: paper_tree(cast("DrillPaper", paper)),
        r"questions|level",
    ),
}  # fmt: skip

every_report = pytest.mark.parametrize("name", REPORTS)


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("documents")
    return {name: report.data(folder) for name, report in REPORTS.items()}


@pytest.fixture
def tree(name: str, documents: dict[str, dict[str, Any]]) -> Tree:
    return REPORTS[name].tree(documents[name])


@pytest.mark.parametrize("form", ["text", "html", "pdf"])
@every_report
def test_a_format_for_people_has_every_figure(
    name: str, form: str, tree: Tree, tmp_path: Path
) -> None:
    del name
    assert missing_from_words(tree, words_of_format(tree, form, tmp_path)) == []


@every_report
def test_a_workbook_has_every_figure_as_a_number(name: str, tree: Tree, tmp_path: Path) -> None:
    del name
    assert missing_from_cells(tree, *cells_of_workbook(tree, tmp_path)) == []


@every_report
def test_csv_has_every_figure_exactly(name: str, tree: Tree) -> None:
    del name
    assert missing_from_csv(tree) == []


@every_report
def test_the_tree_has_every_number_of_its_document(
    name: str, tree: Tree, documents: dict[str, dict[str, Any]]
) -> None:
    known = [value for _, value in figures_of(tree)]
    numbers = {Fraction(one) for one in known if isinstance(one, int | float | Fraction)}
    texts = " ".join(str(one) for one in known if isinstance(one, str))
    lost = [
        f"{path} {float(number)}"
        for path, number in numbers_of(documents[name])
        if number not in numbers
        and not re.search(REPORTS[name].derived, path)
        and not re.search(rf"(?<!\d){number}(?!\d)", texts)
    ]
    assert lost == []


@pytest.mark.parametrize("form", ["html", "pdf"])
@pytest.mark.parametrize("name", ["par"])
def test_a_page_has_its_fractions_in_an_annex(
    name: str, form: str, tree: Tree, documents: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    words = words_of_format(tree, form, tmp_path)
    body, _, annex = words.rpartition("Annex:exactfractions")
    assert ",exactly" not in body
    wager = documents[name]["wagers"][0]
    win = wager["lines"][0]
    assert win["outcome"] == "win"
    # The fraction of the document, not of a figure that was rounded.
    assert f"{wager['title']}Houseedge{wager['house_edge']}" in annex
    assert f"{wager['title']}win:Probability{win['probability']}" in annex
    for one in documents[name]["wagers"]:
        for key in ("house_edge", "hit_frequency", "variance", "kurtosis"):
            fraction = Fraction(one[key])
            assert f"{fraction.numerator}/{fraction.denominator}" in annex

        assert str(Fraction(one["variance"])) not in body
    # A sheet as text has no annex, and a document without fractions neither.
    assert "Annex" not in words_of_format(tree, "text", tmp_path)
