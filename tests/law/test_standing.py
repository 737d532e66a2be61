"""Every rule and clause has one standing, and what a text does not say is never shown as its law."""

import json
import re

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.law.compare import ChangeKind, compare_texts
from croupier.law.interpretations import interpretations
from croupier.law.model import Disposition, Instrument, Rule, Standing, is_entry
from croupier.law.resolve import instruments, resolve
from croupier.law.standing import (
    cited_standing,
    clause_standing,
    entries_about,
    entries_of_clause,
    rule_standing,
    standings,
)
from croupier.law.values import Kind
from support.cases import each
from support.command_line import croupier, told_with

NEW_YORK = "us-ny/mini-midi-baccarat"
PUNTO_BANCO = "us-nj/punto-banco"

NOT_IN_NEW_YORK = {
    "cut.offer", "cut.offer_from", "cut.from_ends", "cut.execute", "cut.cutting_card_from_back",
    "cut.second_at_end", "shoe.cutting_card", "announce.last_hand", "shoe.hands_after_call",
}  # fmt: skip
"""Section 5324.21 has two cover cards, and not a word on a cut, a depth or a last hand."""

every_rule = [(text, rule) for text in instruments() for rule in text.rules.values()]


def new_york() -> Instrument:
    return resolve(NEW_YORK, on="latest")


def run(*words: str) -> str:
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.reading("T47")
def test_what_new_york_does_not_say_is_a_substitute_and_cites_no_clause_of_it() -> None:
    law = new_york()
    for rule_id in NOT_IN_NEW_YORK:
        assert rule_standing(law, law.rules[rule_id]) is Standing.SUBSTITUTE
        assert law.rules[rule_id].cites == ("T47",)
    carriers = law.implemented_by["NY-MINIMIDI:(a)(4)(i)#2"]
    assert [one.id for one in carriers] == ["cutting_cards"]


@pytest.mark.reading("T36")
def test_every_irregularity_of_new_york_is_a_substitute_but_for_the_right_to_turn() -> None:
    law = new_york()
    irregular = [one for one in law.rules if one.startswith("irregularity.")]
    own = {one for one in irregular if "relinquish" in one}
    assert len(irregular) - len(own) == 10
    for rule_id in irregular:
        cites = law.rules[rule_id].cites
        assert (cites == ("NY-MINIMIDI:(j)", "T36")) == (rule_id not in own)
    assert law.disposition("NY-MINIMIDI:(j)") is Disposition.SUBSTITUTE
    assert cited_standing(law, "NY-MINIMIDI:(j)") is Standing.SUBSTITUTE


@each(("text", "rule"), every_rule)
def test_a_standing_that_is_written_has_its_entry_and_a_reading_has_none_written(
    text: Instrument, rule: Rule
) -> None:
    entries = [one for one in rule.cites if is_entry(one)]
    about = {entry.id for entry in entries_about(text, rule.id)}
    assert set(entries) <= about, f"{rule.id} cites what does not rest on it"
    for one in entries:
        assert interpretations()[one].standing is rule.standing
    decisive = {one for one in about if interpretations()[one].standing is Standing.SUBSTITUTE}
    assert decisive <= set(entries), f"{rule.id} rests on a substitute and does not cite it"


@pytest.mark.parametrize("other", [PUNTO_BANCO, "us-nj/minibaccarat", "us-ma/minibaccarat"])
def test_no_text_says_the_same_as_one_that_does_not_say_it(other: str) -> None:
    compared = compare_texts(resolve(other, on="latest"), new_york())
    told = {one.id: one for one in compared.by_change()[ChangeKind.SUBSTITUTE]}
    both = set(compared.first.rules) & set(compared.second.rules)
    for rule_id in NOT_IN_NEW_YORK & both:
        second = told[rule_id].second
        assert second is not None
        assert second.says.startswith("T47 stands in: ")
        assert second.standing is Standing.SUBSTITUTE


def test_the_substitutes_are_told_as_such_side_by_side() -> None:
    told = run("law", "compare", f"{PUNTO_BANCO}@latest", f"{NEW_YORK}@latest", "--rules", "cut")
    assert "T47 stands in: cutter:" in told
    data = json.loads(
        run("law", "compare", f"{NEW_YORK}@latest", "--rules", "cut.from_ends", "--format", "json")
    )
    (row,) = data["rules"]
    assert row["laws"][0]["rule"]["standing"] == "substitute"
    assert row["laws"][0]["rule"]["cites"] == ["T47"]


def test_a_rule_that_the_text_does_not_state_is_shown_with_its_entry() -> None:
    told = run("law", "show", f"{NEW_YORK}@latest", "cut.from_ends")
    assert "cut.from_ends: not in 9 NYCRR 5324.21" in told
    assert "rule cut.from_ends, substitute [T47]" in told
    assert "T47: What New York leaves to its general rules" in told


def test_a_clause_is_shown_with_its_standing() -> None:
    assert re.search(r"Standing +substitute", run("law", "show", f"{NEW_YORK}@latest", "(j)"))
    assert re.search(r"Standing +reading", run("law", "show", f"{NEW_YORK}@latest", "(c)(9)"))
    assert re.search(r"Standing +text", run("law", "show", f"{NEW_YORK}@latest", "(b)"))


def test_standings_are_given_of_what_is_not_simply_the_text() -> None:
    cited = ("NY-MINIMIDI:(c)(8)", "NY-MINIMIDI:(c)(9)", "NY-MINIMIDI:(j)", "T47", "not-held")
    assert standings(new_york(), cited) == {
        "NY-MINIMIDI:(c)(9)": "reading",
        "NY-MINIMIDI:(j)": "substitute",
        "T47": "substitute",
    }


def test_every_procedure_says_in_a_sentence_what_it_does() -> None:
    for text, rule in every_rule:
        assert bool(rule.does) == (rule.kind is Kind.PROCEDURE), f"{text.key}: {rule.id}"


@pytest.mark.parametrize(
    ("first", "second", "rule_id"),
    [
        ("us-nj/minibaccarat", PUNTO_BANCO, "opening.spread"),
        ("us-ma/minibaccarat", PUNTO_BANCO, "opening.spread"),
        ("us-nj/minibaccarat", PUNTO_BANCO, "deal.face_down"),
        (PUNTO_BANCO, NEW_YORK, "deal.face_down"),
        (PUNTO_BANCO, NEW_YORK, "vigorish.before_reshuffle"),
        (PUNTO_BANCO, NEW_YORK, "vigorish.marker"),
        ("us-ma/minibaccarat", "us-nj/minibaccarat", "irregularity.insufficient"),
    ],
)
def test_procedures_that_do_otherwise_are_told_apart(first: str, second: str, rule_id: str) -> None:
    compared = compare_texts(resolve(first, on="latest"), resolve(second, on="latest"))
    told = [one.id for one in compared.by_change()[ChangeKind.PROCEDURE]]
    assert rule_id in told


def test_a_table_that_may_be_read_otherwise_has_the_same_values() -> None:
    compared = compare_texts(resolve(PUNTO_BANCO, on="latest"), new_york())
    groups = compared.by_change()
    assert [one.id for one in groups[ChangeKind.READING]] == ["third.banker"]
    assert "third.banker" not in {one.id for one in groups[ChangeKind.VALUE]}


# --- the checklist -----------------------------------------------------------------------------


def items(submission: str) -> set[str]:
    data = json.loads(run("check", f"submissions/{submission}.toml", "--format", "json"))
    (checked,) = data["submissions"]
    assert all(one["signed_by"] is None for one in checked["checklist"])
    return {one["clause"].partition(":")[2] for one in checked["checklist"]}


@pytest.mark.parametrize(
    ("submission", "woken", "asleep"),
    [
        ("ma-ez", {"2(b)(3)(i)", "2(b)(3)(ii)", "2(b)(3)(iii)"}, {"2(b)(4)", "2(b)(5)", "3(b)(2)"}),
        ("ma-house-money", {"2(b)(4)"}, {"2(b)(3)(ii)"}),
        ("ma-shuffler", {"3(b)(2)", "5(g)(2)(i)", "5(g)(2)(ii)"}, {"14", "12(i)#3", "12(j)#2"}),
        ("ma-royal-9", {"12(i)#3", "12(j)#2"}, {"2(b)(4)"}),
        ("nj-minibaccarat", {"7.1(a)#3", "7.6#2", "7.3(c)3.v"}, {"7.1(d)3", "7.12"}),
        ("nj-minibaccarat-continuous", {"7.12"}, {"7.5(h)2.i"}),
        ("ny-mini-ez", {"(a)(2)(vii)(c)"}, {"(a)(5)"}),
        ("ny-midi", {"(a)(5)", "(a)(1)"}, {"(a)(2)(vii)(c)", "(a)(2)(vi)"}),
    ],
)
def test_a_submission_wakes_the_conditions_that_people_see_to(
    submission: str, woken: set[str], asleep: set[str]
) -> None:
    found = items(submission)
    assert woken <= found
    assert found.isdisjoint(asleep)


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:12(i)#3", "MA-MINI:12(j)#2")
def test_what_people_see_to_of_a_clause_that_is_carried_out_is_on_the_checklist() -> None:
    told = " ".join(run("check", "submissions/ma-royal-9.toml", "--checklist").split())
    assert "The plate at each chair shows its own King-9 combination." in told
    assert "bet sensors and their lights, the dealer's screen, and the two-sided display" in told
    assert "chair" in run("law", "show", "us-ma/minibaccarat@latest", "12(i)#3")
    assert items("ma-house-money").isdisjoint({"12(i)#3", "12(j)#2"})


@pytest.mark.parametrize(
    ("submission", "spares"),
    [
        pytest.param(
            "ma-shuffler",
            "5(g)(2)#2",
            marks=[
                pytest.mark.under("us-ma/minibaccarat@2026-11-20"),
                pytest.mark.clause("MA-MINI:5(g)(2)(i)", "MA-MINI:5(g)(2)(ii)"),
            ],
        ),
        pytest.param(
            "nj-minibaccarat-dragon-7",
            "7.5(h)2#2",
            marks=[
                pytest.mark.under("us-nj/minibaccarat@2011-02-22"),
                pytest.mark.clause("NJ-MINI:7.5(h)2.i", "NJ-MINI:7.5(h)2.ii"),
            ],
        ),
    ],
)
def test_the_checklist_says_what_follows_if_a_stored_batch_may_not_be_dealt_unseen(
    submission: str, spares: str
) -> None:
    told = " ".join(run("check", f"submissions/{submission}.toml", "--checklist").split())
    follows = "every batch released at an idle table is spread and shuffled again"
    assert told.count(follows) == 2
    assert f"{spares} spares no batch: {follows}" in told


def test_the_checklist_is_printed_to_be_signed() -> None:
    told = run("check", "submissions/ma-ez.toml", "--checklist")
    assert "Checklist for the opening of pit 1, table MA-102" in told
    assert told.count("Signed: ____") == told.count("[ ] ") == len(items("ma-ez"))
    assert "Signed:" not in run("check", "submissions/ma-ez.toml")


def test_check_tells_what_stands_in_and_for_what() -> None:
    told = " ".join(run("check", "submissions/ny-mini.toml").split())
    assert "Not in this regulation (substitute T47)" in told
    assert "cut.cutting_card_from_back, cut.execute, cut.from_ends, cut.offer" in told


def test_a_transcript_marks_what_stands_in() -> None:
    told = run("deal", "submissions/ny-mini.toml", "--cite", "--seed", "1", "--shoes", "1")
    assert "[T47 (substitute)]" in told
    assert "(a)(4)(i)#2" not in told


def test_a_clause_names_every_entry_that_its_rules_depend_on() -> None:
    register = interpretations()
    for text in instruments():
        for rule in text.rules.values():
            about = {one.id for one in register.values() if one.about(text.key, (rule.id,))}
            for clause in rule.cites:
                if clause in text.clauses:
                    assert about <= {*entries_of_clause(text, clause)}, (rule.id, clause)
        for clause in text.clauses:
            named = entries_of_clause(text, clause)
            if any(register[one].standing is not Standing.TEXT for one in named):
                assert clause_standing(text, clause) is not Standing.TEXT, clause


def test_when_a_round_is_concluded_is_a_reading_of_the_clause_that_speaks_of_it() -> None:
    (text,) = (one for one in instruments() if one.id == "us-ny/mini-midi-baccarat")
    clause = "NY-MINIMIDI:(c)(7)#2"
    assert "C244" in entries_of_clause(text, clause)
    assert clause_standing(text, clause) is Standing.READING


def test_an_entry_about_what_no_text_says_is_not_the_text() -> None:
    silent = re.compile(r"says? nothing|(does|do) not say|no procedure", re.IGNORECASE)
    assert [
        one.id
        for one in interpretations().values()
        if one.standing is Standing.TEXT and silent.search(one.problem)
    ] == []


@pytest.mark.parametrize(
    ("law", "clause"),
    [
        ("us-nj/blackjack-wagers@2001-01-16", "19:47-2.22(k)1"),
        ("us-nj/blackjack-wagers@2001-01-16", "NJ-OLD:19:47-2.22(k)1"),
        ("us-nj/minibaccarat@2011-02-22", "N.J.A.C. 19:47-7.5(e)"),
        ("us-nj/minibaccarat@2011-02-22", "19:47-7.5(e)"),
        ("us-ny/mini-midi-baccarat@2021-06-02", "9 NYCRR 5324.21(c)(7)"),
        ("us-ny/mini-midi-baccarat@2021-06-02", "5324.21(c)(7)"),
    ],
)
def test_a_clause_is_found_by_id_and_by_its_printed_citation(law: str, clause: str) -> None:
    place = re.sub(r"^.*?(19:47-|5324.21)", "", clause)
    assert place in run("law", "show", law, clause).partition("\n\n")[2]


@pytest.mark.parametrize("text", instruments(), ids=lambda text: text.key)
def test_every_suggestion_works_when_typed(text: Instrument) -> None:
    tried = 0
    for clause in [*text.clauses][::9]:
        slip = clause.partition(":")[2].replace("(", "", 1)
        done = croupier("law", "show", text.key, slip)
        if "did you mean " in done.output:
            for one in done.output.split("did you mean ")[1].split("?")[0].split(" or "):
                told_with(0, "law", "show", text.key, one.strip())
                tried += 1
    assert tried or len(text.clauses) < 20


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("squeeze", "TurnHand"),
        ("tableau", "ThirdCardRuled"),
        ("machine", "device.approval"),
        ("bent", "C190"),
        ("counterfeit", "FindWrongCard"),
        ("camera", "DecksExamined"),
        ("unpaid", "NJ-MINI:7.3(c)4"),
        ("absent", "C192"),
    ],
)
def test_a_search_knows_a_word_of_the_trade_for_another(word: str, found: str) -> None:
    named = {
        one["id"] for one in json.loads(run("law", "search", word, "--format", "json"))["found"]
    }
    assert any(one.startswith(found) for one in named), named


def test_a_search_says_how_much_matches_and_which_words_nothing_has() -> None:
    found = json.loads(run("law", "search", "zebra", "the", "dealer", "--format", "json"))
    assert found["unknown"] == ["zebra"]
    assert found["matches"] > len(found["found"])
    assert {hit["score"] for hit in found["found"]} == {1}
    shown = run("law", "search", "zebra", "dealer")
    assert f"{found['matches']} matches, the best 60 listed" in shown
    assert "Nothing found has: zebra." in shown
    cited = json.loads(run("law", "search", "7.5(e)", "--format", "json"))
    assert (cited["unknown"], cited["matches"]) == ([], len(cited["found"]))
    assert "Nothing found has: zebra." in run("help", "--search", "zebra", "dealer")


@pytest.mark.parametrize("clause", ["NJ-MINI:7.5(e)", "N.J.A.C. 19:47-7.5(e)"])
def test_a_clause_stands_alone_for_that_of_the_newest_text(clause: str) -> None:
    alone = run("law", "show", clause).partition("\n")[2]
    named = run("law", "show", "us-nj/minibaccarat@latest", "NJ-MINI:7.5(e)")
    assert alone.partition("Provenance")[0] == named.partition("\n")[2].partition("Provenance")[0]
    assert croupier("law", "show", "NJ-MINI:7.99").exit_code == 2


def test_a_search_finds_by_words_synonyms_and_citation() -> None:
    assert "vigorish.5_percent.rounds_to" in run("law", "search", "commission", "rounding")
    assert "NJ-MINI:7.5(e)" in run("law", "search", "N.J.A.C.", "19:47-7.5(e)")
    assert "DrawCardInError" in run("law", "search", "report", "card", "drawn", "error")
    assert croupier("law", "search", "zzzz").exit_code == 2
