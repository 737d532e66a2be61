"""An audit in every form: whole, the same each time, and safe whatever its texts say."""

import copy
from typing import Any

import pytest

from croupier.reports.audit import audit_tree
from croupier.reports.formats import written
from croupier.reports.tree import Picture, walk
from croupier.rules import default_submission, table_rules
from support.audits import audit_data
from support.html_pages import Page
from support.texts import NJ_MINI

RISKY = (
    '=HYPERLINK("http://x.example")<script src=x>&amp;]]> #panic() $a$ "q" [red]b[/red] \x1b[2J\x00'
)
"""A text that is a formula, markup of four kinds and a terminal's command at once."""

CENSUS: dict[str, Any] = {
    "rounds": 180,
    "shoe_cards": 416,
    "classes": [{"class": "tie, 4 cards", "expected": 6.25, "found": 9}],
    "chi_square": {"statistic": 3.5, "degrees_of_freedom": 7, "p": 0.835, "adjusted_p": 1.0},
    "runs": {"runs": 80, "expected": 85.25, "z": -0.9, "p": 0.368, "adjusted_p": 0.736},
    "wagers": [
        {
            "wager": "tie",
            "expected": -0.14,
            "found": 0.25,
            "low": None,
            "high": None,
            "z": None,
            "p": None,
            "adjusted_p": None,
        }
    ],
    "tests": 2,
    "warning": "Rounds of one shoe are not independent.",
}

MADE = audit_data(table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))) | {
    "census": CENSUS
}

FETCHING = ("src", "srcset", "href", "action", "data", "poster")


@pytest.fixture
def audit() -> dict[str, Any]:
    return copy.deepcopy(MADE)


@pytest.fixture
def risky(audit: dict[str, Any]) -> dict[str, Any]:
    """An audit with the risky text wherever a text of somebody else's stands."""
    for name in ("law", "law_title", "in_force_from", "title", "reproduce"):
        audit[name] = RISKY
    audit["rounds_file"]["name"] = audit["submission_file"]["name"] = RISKY
    audit["warnings"] = audit["hints"] = [RISKY]
    audit["unverified"] = {RISKY: 3}
    audit["columns"] = {"read": [RISKY], "unread": [RISKY]}
    audit["wagers"] = [{"wager": RISKY, "title": RISKY}]
    audit["mapping_file"] = audit["submission_file"]
    audit["custom_wager_files"] = [audit["submission_file"]]
    audit["scope"][0] |= {"kind": RISKY, "means": RISKY}
    audit["readings"] = {RISKY: RISKY}
    one = audit["divergences"][0]
    one |= {"shoe": RISKY, "round": RISKY, "kind": RISKY, "message": RISKY, "clause": RISKY}
    one["clauses"] = [RISKY]
    audit["by_kind"][0] |= {"kind": RISKY, "means": RISKY}
    audit["by_clause"][0] |= {"clause": RISKY, "says": RISKY}
    audit["by_clause"][0]["first"] |= {"shoe": RISKY, "round": RISKY}
    differences = audit["differences"]
    differences["unsettled"] = {RISKY: 1}
    differences["listed"][0] |= {"shoe": RISKY, "round": RISKY, "wager": RISKY}
    differences["by_seat"][0]["parts"][0] |= {"wager": RISKY, "clause": RISKY}
    audit["census"]["classes"][0]["class"] = audit["census"]["wagers"][0]["wager"] = RISKY
    audit["board"]["shown"][0]["shoe"] = RISKY
    return audit


@pytest.mark.parametrize("form", ["text", "csv", "html", "xlsx", "pdf"])
def test_the_same_data_give_the_same_bytes(form: str, audit: dict[str, Any]) -> None:
    before = copy.deepcopy(audit)
    assert written(audit_tree(audit), form) == written(audit_tree(copy.deepcopy(audit)), form)
    assert audit == before


@pytest.mark.parametrize("form", ["text", "csv", "html", "xlsx", "pdf"])
def test_any_text_can_stand_in_an_audit(form: str, risky: dict[str, Any]) -> None:
    assert written(audit_tree(risky), form)


def test_no_text_of_somebody_elses_is_markup(risky: dict[str, Any]) -> None:
    page = Page(written(audit_tree(risky), "html").decode())
    assert not page.all("script")
    assert "\x1b" not in "".join(page.words)
    assert any("<script src=x>" in words for words in page.words)


@pytest.mark.parametrize("form", ["text", "csv", "html", "xlsx", "pdf"])
def test_an_audit_of_a_clean_record_is_one(form: str, audit: dict[str, Any]) -> None:
    tally = {"wagers": 0, "owed_cents": 0, "overpaid_cents": 0, "net_cents": 0}
    audit |= {
        "clean": True, "divergences": [], "by_kind": [], "by_clause": [], "census": None,
        "submission_file": None, "readings": {}, "title": "",
    }  # fmt: skip
    audit["differences"] |= {"total": tally, "by_seat": [], "listed": [], "left_out": 0}
    audit["board"] = {"shown": [], "left_out": {"diverging": 0, "clean": 0}}
    content = written(audit_tree(audit), form)
    if form in {"text", "html"}:
        assert b"PASS: the record conforms to the rules: 180 rounds in 3 shoes checked" in content
        assert b"Amounts owed" not in content


def test_an_audit_says_how_many_divergences_it_lists_and_names_wagers_by_title(
    audit: dict[str, Any],
) -> None:
    listed = len(audit["divergences"])
    assert "All divergences" in written(audit_tree(audit), "text").decode()
    audit["divergences_left_out"] = 1_500 - listed
    audit["differences"]["unsettled"] = {"banker": 2, "four_cards": 1, "my_bet": 1, "tiger_2": 3}
    audit["wagers"] = [
        {"wager": "tiger_2", "title": "Tiger Twice"},
        {"wager": "four_cards", "title": "Four cards"},
    ]
    text = " ".join(written(audit_tree(audit), "text").decode().split())
    assert f"The first {listed} of 1,500 divergences" in text
    assert (
        "2 wagers on Banker, 1 wager on Four cards, 1 wager on My bet, 3 wagers on Tiger Twice."
    ) in text
    page = written(audit_tree(audit), "html").decode()
    assert f"The first {listed} of 1,500 divergences" in page
    assert "All divergences" not in page
    assert "Not settled, because a card is missing or the rules do not define how" in page


def test_the_readings_are_told_in_words(audit: dict[str, Any]) -> None:
    assert audit["reading_texts"].keys() == audit["readings"].keys() != set()
    assert ", ".join(audit["readings"]) in written(audit_tree(audit), "csv").decode()
    page = Page(written(audit_tree(audit), "html").decode())
    told = " ".join(page.words)
    assert all(says in told for says in audit["reading_texts"].values())


def test_a_page_fetches_nothing_and_runs_nothing(audit: dict[str, Any]) -> None:
    text = written(audit_tree(audit), "html").decode()
    page = Page(text)
    addresses = [one[name] for _, one in page.elements for name in FETCHING if name in one]
    assert all(address is not None and address.startswith("#") for address in addresses)
    assert addresses
    assert "url(" not in text
    assert "@import" not in text
    policy = [one["content"] for one in page.all("meta") if "http-equiv" in one]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]
    names = [one["id"] for _, one in page.elements if "id" in one]
    assert len(names) == len(set(names))
    # Nothing hangs on a style in an attribute, which a stricter policy would forbid.
    assert not [one for _, one in page.elements if "style" in one]


def test_what_an_audit_is_for_stands_in_the_page(audit: dict[str, Any]) -> None:
    words = " ".join(" ".join(Page(written(audit_tree(audit), "html").decode()).words).split())
    first = audit["divergences"][0]
    for told in (
        "FAIL: the record does not conform to the rules: 4 divergences; 180 rounds in 3 shoes",
        first["message"],
        audit["rounds_file"]["sha256"],
        audit["submission_file"]["sha256"],
        audit["rules_hash"],
        audit["law_hash"],
        audit["in_force_from"],
        "3.50 with 7 degrees of freedom",
        "80 runs, 85.2 expected, z -0.90",
        "Extent",
        "6. Limitations",
        "Tested by",
        CENSUS["warning"],
        "line 37, shoe 1, round 36",
    ):
        assert told in words
    for clause in audit["by_clause"]:
        assert clause["says"] in words
    # On top: nothing that was found comes before the first divergence.
    assert words.index(first["message"]) < words.index("By requirement")


def test_each_shoe_that_is_shown_has_its_roads_and_its_marks(audit: dict[str, Any]) -> None:
    nodes = [one for _, one in walk(audit_tree(audit).nodes)]
    assert [one.caption for one in nodes if isinstance(one, Picture)] == [
        "Shoe 1: 60 rounds; 1 divergence; marked: round 36",
        "Shoe 2: 60 rounds; 2 divergences; marked: rounds 13, 50",
        "Shoe 3: 60 rounds; 1 divergence; marked: round 27",
    ]
    page = Page(written(audit_tree(audit), "html").decode())
    roads = [one for one in page.all("svg") if "road" in (one["class"] or "")]
    assert len(roads) == 3
    assert sum("a finding in this round" in words for words in page.words) == 3


def test_what_is_left_out_is_said(audit: dict[str, Any]) -> None:
    audit["board"]["left_out"] = {"diverging": 1, "clean": 2_000}
    audit["divergences_left_out"] = 1
    audit["differences"]["left_out"] = 12_345
    audit["board"]["shown"][0] |= {"rounds": 70, "rounds_without_result": 2}
    for form in ("html", "text"):
        text = " ".join(written(audit_tree(audit), form).decode().split())
        assert "1 more divergence is counted and not listed." in text
        if form == "html":
            assert "Not shown here: 1 diverging shoe and 2,000 clean shoes." in text
            assert "12,345 more differences are counted and not listed." in text
            assert "2 without a result; the last 8 not shown" in text


def test_a_document_is_tagged_for_who_hears_it(audit: dict[str, Any]) -> None:
    content = written(audit_tree(audit), "pdf")
    assert content.startswith(b"%PDF-")
    assert b"/StructTreeRoot" in content
    assert b"/Alt" in content
