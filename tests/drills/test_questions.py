"""Questions for dealers: each can be answered, and its key is what the table decides."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Final

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from croupier import acts as commands
from croupier.acts import CardDealt
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.drills import DRILLS, DrillRoom, Question, mark, question
from croupier.drills.marking import read_answer, why_of
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, resolve
from croupier.law.values import Value
from croupier.rules import Limit, default_submission, read_rules, submission_of, table_rules
from croupier.table import Phase, Refusal
from support.oracles import law as printed
from support.oracles import roads as drawn_roads
from support.project import ROOT
from support.random_submissions import Tables, legal
from support.volume import volume

WHOLE: Final = [law for law in instruments() if not law.partial and "third.banker" in law.rules]
EACH: Final = 3


@cache
def room_of(sample: str) -> DrillRoom:
    return DrillRoom(read_rules(ROOT / "submissions" / f"{sample}.toml"))


def drawn(sample: str, kind: str, count: int, level: int | None = None) -> list[Question]:
    found = (question(room_of(sample), kind, 11, number, level) for number in range(count))
    return [one for one in found if one is not None]


def check(one: Question) -> None:
    """Carry out a question at its table, and mark its key and answers that are not its key."""
    stage = one.stage.fork()
    for command in one.commands:
        assert not isinstance(stage.try_execute(command), Refusal), (one.kind, command)
    assert dict(one.found(tuple(stage.events))) == dict(one.key)
    assert one.key.keys() == {field.name for field in one.fields}
    for field in one.fields:
        values = {str(value) for value, _ in field.choices}
        assert field.kind != "choice" or one.key[field.name] in values
        assert len({words for _, words in field.choices}) == len(values)
        assert read_answer(field, one.key[field.name]) is not None
    assert mark(one, one.key).is_right
    assert not mark(one, {}).is_right
    for command in () if one.commands else one.tries(one.key):
        assert not isinstance(stage.fork().try_execute(command), Refusal), (one.kind, command)
    assert one.refused(one.key) == ()
    for field in one.fields:
        for value, _ in field.choices if field.kind == "choice" else ():
            if str(value) != one.key[field.name]:
                marked = mark(one, {**one.key, field.name: str(value)})
                assert not marked.is_right
                assert marked.broken


@pytest.mark.parametrize("law", WHOLE, ids=lambda law: law.key)
def test_every_question_has_an_answer_that_the_table_accepts(law: Instrument) -> None:
    asked: Counter[str] = Counter()

    def ask(elected: Mapping[str, Value], examples: int) -> None:
        @given(tables=legal(law, elected))
        @settings(max_examples=examples, derandomize=True, database=None)
        def of_tables(tables: Tables) -> None:
            room = DrillRoom(table_rules(submission_of(tables)))
            for kind in DRILLS:
                for number in range(EACH):
                    one = question(room, kind, 5, number)
                    if one is not None:
                        check(one)
                        asked[kind] += 1

        of_tables()

    ask({}, volume(6, 2))
    # Some texts elect whether patrons turn cards, and of so few tables none may let them.
    if "hand-over" in law.rules["deal.option"].choices:
        ask({"deal.option": "hand-over"}, volume(2, 1))
    # Forms need vigorish that is owed.
    assert asked.keys() >= DRILLS.keys() - {"forms"}


@pytest.mark.parametrize("kind", DRILLS)
def test_the_same_seed_asks_the_same(kind: str) -> None:
    first, again = (
        [(one.words, one.shown, dict(one.key)) for one in drawn("ma-house-money", kind, 6)]
        for _ in range(2)
    )
    assert first == again
    other = [question(room_of("ma-house-money"), kind, 12, number) for number in range(6)]
    assert [(one.words, one.shown, dict(one.key)) for one in other if one] != first or not first


# --- against the printed tables, and not against the program -----------------------------------


def hands(one: Question) -> tuple[list[str], list[str]]:
    """Return the cards of both hands as they are shown."""
    shown = dict(one.shown)
    player, banker = (
        shown[title].partition(" (")[0].split() for title in ("Player's Hand", "Banker's Hand")
    )
    return player, banker


@pytest.mark.parametrize(
    ("sample", "literal"),
    [("ny-mini-literal-row", True), ("ny-mini", False), ("ma", False), ("nj-punto-banco", False)],
)
def test_third_cards_are_those_of_the_printed_table(sample: str, literal: bool) -> None:  # noqa: FBT001
    cells = set()
    for one in drawn(sample, "third-card", 1200, level=2):
        player, banker = hands(one)
        counts = printed.count(player[:2]), printed.count(banker)
        third = printed.value(player[2]) if len(player) == 3 else None
        if third is None and printed.player_draws(*counts):
            right = "player"
        else:
            draws = printed.banker_draws(*counts, third, literal=literal)
            right = "banker" if draws else "none"
            cells.add((counts[1], third))
        assert one.key["next"] == right, (player, banker)
    assert cells == {(count, third) for count in range(8) for third in (None, *range(10))}


def test_the_literal_row_of_new_york_is_asked_as_a_trap() -> None:
    trapped = [
        one
        for one in drawn("ny-mini-literal-row", "third-card", 40, level=3)
        if printed.count(hands(one)[1]) < 3
        and len(hands(one)[0]) == 3
        and one.key["next"] == "none"
    ]
    assert len(trapped) > 5
    wrong = mark(trapped[0], {"next": "banker"})
    assert "NY-MINIMIDI:(h)(4)#1" in {clause for _, clauses in wrong.broken for clause in clauses}
    assert any(text.startswith("The table refuses it") for text, _ in wrong.broken)


def test_counts_and_winners_are_those_of_the_printed_text() -> None:
    for one in drawn("nj-minibaccarat", "counts", 80, level=2):
        player, banker = map(printed.count, hands(one))
        winner = "tie" if player == banker else "player" if player > banker else "banker"
        assert dict(one.key) == {"player": str(player), "banker": str(banker), "winner": winner}
    for one in drawn("nj-minibaccarat", "counts", 80, level=1):
        count = printed.count(one.shown[0][1].split())
        assert dict(one.key) == {"count": str(count), "natural": "yes" if count > 7 else "no"}


# --- money -------------------------------------------------------------------------------------


def terms_of(sample: str) -> printed.Terms:
    submission = room_of(sample).rules.submission
    return printed.Terms(
        {
            "law": submission.law,
            "elections": dict(submission.elections),
            "interpretations": dict(submission.readings),
            "layout": {"seats": submission.layout.seats, "numbering": submission.layout.numbering},
        }
    )


def cents(text: str) -> int:
    return int(re.sub(r"[$,.]", "", text))


def stakes_of(one: Question, seat: int) -> dict[str, int]:
    """Return the stakes of a seat as they are shown, by the title of the wager."""
    told = dict(one.shown)[f"Seat {seat}"]
    return {
        name.strip(): cents(amount) for name, amount in re.findall(r"([\w ]+) (\$[\d,.]+)", told)
    }


@pytest.mark.parametrize(
    "sample",
    ["nj-punto-banco-total-cards", "nj-minibaccarat-six-pays-half", "ma-ez", "ny-mini", "ma"],
)
def test_payouts_are_those_of_the_printed_odds(sample: str) -> None:
    terms, titles = (
        terms_of(sample),
        {offer.wager.title: wager for wager, offer in room_of(sample).rules.offers.items()},
    )
    asked = set()
    found = [one for one in drawn(sample, "payouts", 90) if "amount" in one.key]
    for one in found:
        title, seat = re.fullmatch(r"(.+) of seat (\d) wins\..*", one.words).groups()  # type: ignore[union-attr]
        wager = titles[title]
        won = terms.wins(wager, *hands(one))
        assert isinstance(won, Fraction)
        stakes = stakes_of(one, int(seat))
        # Nobody stakes what no chips make up: the smallest is of fifty cents.
        assert {amount % 50 for amount in stakes.values()} == {0}
        assert cents(one.key["amount"]) == stakes[title] * won
        if "chips" in one.key:
            chips = re.findall(r"(\d+) x (\$[\d,.]+)", one.key["chips"])
            assert sum(int(many) * cents(value) for many, value in chips) == cents(
                one.key["amount"]
            )
        asked.add(wager)
    assert asked == set(titles.values())


@pytest.mark.parametrize(
    "sample",
    [
        "nj-minibaccarat-tie-vigorish",
        "nj-minibaccarat-4-percent",
        "nj-punto-banco-total-cards",
        "ma",
    ],
)
def test_vigorish_is_that_of_the_printed_text(sample: str) -> None:
    terms, ways = terms_of(sample), set()
    for one in drawn(sample, "vigorish", 40):
        seat = int(re.search(r"seat (\d)", one.words)[1])  # type: ignore[index]
        stakes = {
            name.lower().replace(" ", "_"): amount for name, amount in stakes_of(one, seat).items()
        }
        player, banker = hands(one)
        tied = printed.count(player) == printed.count(banker)
        won = terms.wins("banker", player, banker)
        due, waived = terms.vigorish(
            stakes, 0 if isinstance(won, str) else int(stakes["banker"] * won), tied=tied
        )
        assert (cents(one.key["due"]), one.key["how"] == "waived") == (due, waived)
        ways.add(one.key["how"])
    assert ways


@pytest.mark.parametrize("sample", ["ma", "ny-mini", "nj-punto-banco-total-cards"])
def test_the_order_is_losers_first_then_seats_from_the_highest(sample: str) -> None:
    terms = terms_of(sample)
    for one in drawn(sample, "order", 40):
        acts = [item.split("-") for item in one.key["order"].split()]
        collected = [act for act in acts if act[0] == "collect"]
        assert acts[: len(collected)] == collected
        by_seat = sorted({act[1] for act in acts}, reverse=True)
        for verb in ("collect", "pay", "vigorish"):
            seats = [act[1] for act in acts if act[0] == verb]
            assert seats == sorted(seats, key=by_seat.index)
        for seat in by_seat if "then" in terms.order else ():
            names = [act[0] for act in acts if act[1] == seat and act[0] != "collect"]
            if "vigorish" in names:
                first = names[0] == "vigorish"
                assert first == (terms.order == "vigorish-then-payment")


# --- cards and roads ---------------------------------------------------------------------------


@pytest.mark.parametrize("sample", ["ma", "ny-midi", "nj-minibaccarat", "nj-punto-banco"])
def test_as_many_cards_are_burned_as_the_first_one_counts(sample: str) -> None:
    for one in drawn(sample, "burn", 40):
        assert int(one.key["more"]) == printed.burned_with(one.shown[0][1])


def test_the_roads_are_those_of_a_drawn_board() -> None:
    marks = Counter[str]()
    back = {"Big eye boy": 1, "Small road": 2, "Cockroach pig": 3}
    for one in drawn("nj-minibaccarat", "roads", 120, level=3):
        results = one.shown[0][1].replace(" ", "")
        (field,) = one.fields
        after = results + ("P" if one.words.startswith("Player") else "B")
        before, then = (drawn_roads.derived(told, back[field.label]) for told in (results, after))
        right = "none" if len(then) == len(before) else {"R": "red", "B": "blue"}[then[-1]]
        assert one.key["mark"] == right
        marks[right] += 1
    assert all(marks[mark] > 1 for mark in ("red", "blue", "none"))


# --- what a wrong answer breaks ----------------------------------------------------------------


def test_a_seven_that_is_exposed_while_banker_stays_follows_the_election() -> None:
    """The same card in the same place is discarded under one submission, and begins a round under another."""
    outcomes = {
        sample: {one.key.get("card") for one in drawn(sample, "irregularities", 60, level=2)}
        for sample in ("ma", "ny-mini")
    }
    assert "simulated" in outcomes["ma"]
    assert "simulated" not in outcomes["ny-mini"]
    assert "discarded" in outcomes["ny-mini"]


def test_a_wrong_office_is_refused_with_the_clause_of_the_act() -> None:
    for one in drawn("nj-punto-banco", "offices", 30):
        (field,) = one.fields
        for value, _ in field.choices:
            if value != one.key["who"]:
                broken = mark(one, {"who": str(value)}).broken
                assert broken
                assert {clause for _, clauses in broken for clause in clauses} >= set(one.why[0][1])


def test_a_form_out_of_series_or_without_a_signature_is_not_valid() -> None:
    valid = Counter[str]()
    for one in drawn("nj-punto-banco", "forms", 60, level=1):
        shown = dict(one.shown)
        last = int(shown["Forms"].split()[-1])
        complete = (
            shown["Form"] == f"number {last + 1}"
            and shown["Pit boss"] == "has signed"
            and (shown["Patron"] == "has signed" or shown["Statement"] != "none")
        )
        assert one.key["allowed"] == ("yes" if complete else "no")
        valid[one.key["allowed"]] += 1
    assert len(valid) == 2


def test_a_third_card_that_was_dealt_before_its_time_is_narrated() -> None:
    stage = room_of("ma-house-money").at("house-money")
    assert stage is not None
    card = Card.of("5h")
    stage.execute(commands.DrawCardInError(card, disclosed=False, dealt_to=Hand.PLAYER))
    stage.until(Phase.DECIDED)
    events = tuple(stage.events)
    assert any(isinstance(one, CardDealt) and one.source == "early" for one in events)
    told = [text for text, _ in why_of(events, stage.rules)]
    assert "Player's Hand, third card: 5♥, the card dealt before its time, face down" in told or (
        "Player's Hand, third card: 5♥, the card dealt before its time" in told
    )


def test_a_patron_is_short_of_chips_also_where_vigorish_is_asked_for_before_each_round() -> None:
    """A continuous device takes the cards of a round back, and vigorish is due before that."""
    plain = default_submission("us-nj/minibaccarat", date(2011, 2, 22))
    elections = {
        "device": "continuous", "device.approval": "x",
        "vigorish.rounded": True, "vigorish.collection": "deferred",
    }  # fmt: skip
    # All that the patron has can be lost in one round.
    limits = {"player": Limit(1, 2), "banker": Limit(7, 106), "tie": Limit(6, 606)}
    idle = {"shuffle.finish", "shuffle.reshuffle", "cut.recut_by"}
    kept = {name: value for name, value in plain.elections.items() if name not in idle}
    submission = replace(plain, elections={**kept, **elections}, limits=limits)
    stage = DrillRoom(table_rules(submission)).at("short-of-chips")
    assert stage is not None
    patron = stage.state.seats[max(stage.state.seats)]
    assert patron.chips_cents < patron.owed_cents


# --- what a question gives away, and what no regulation decides -----------------------------------


@pytest.mark.parametrize(
    ("kind", "sample"),
    [
        ("vigorish", "nj-minibaccarat"),
        ("vigorish", "nj-minibaccarat-tie-vigorish"),
        ("irregularities", "ma"),
        ("irregularities", "nj-minibaccarat"),
        ("corrections", "ny-mini"),
    ],
)
def test_what_is_asked_for_does_not_tell_the_answer(kind: str, sample: str) -> None:
    """The same fields are asked for whatever is right."""
    asked = {
        tuple(field.label for field in one.fields)
        for one in drawn(sample, kind, 40, level=3)
        if one.fields[0].name != "next"
    }
    assert len(asked) == 1


def test_no_order_is_asked_for_among_the_wagers_of_one_seat() -> None:
    for one in drawn("nj-minibaccarat", "order", 40, level=3):
        (field,) = one.fields
        words = dict(field.choices)
        items = [words[name] for name in one.key["order"].split()]
        places = [item.partition(":")[0] for item in items]
        assert all(first != second for first, second in itertools.pairwise(places))
        collected = [item for item in items if item.startswith("Collect from")]
        assert len({item.partition(":")[0] for item in collected}) == len(collected)


def test_a_patron_who_signed_did_not_leave_without_signing() -> None:
    for one in drawn("nj-punto-banco", "forms", 60, level=1):
        shown = dict(one.shown)
        assert (shown["Patron"], shown["Statement"] != "none") != ("has signed", True)


@pytest.mark.parametrize("kind", ["preparation", "round", "last-hand", "allowed", "offices"])
def test_every_step_that_is_asked_for_has_a_clause(kind: str) -> None:
    assert all(one.clauses for one in drawn("nj-punto-banco", kind, 60))


def test_a_card_that_lies_face_down_is_not_shown() -> None:
    for one in drawn("nj-punto-banco", "round", 60):
        assert not re.search(r"[A2-9TJQK][cdhs], face down", dict(one.shown)["So far"])


# --- what a text says besides ------------------------------------------------------------------


def first_with(sample: str, kind: str, words: str, **key: str) -> Question:
    """Return the first question of which some words are shown, and whose key has these values."""
    found = (
        question(room_of(sample), kind, 5, number, level)
        for number, level in itertools.product(range(300), (2, 3))
    )
    return next(
        one
        for one in found
        if one is not None
        and words in f"{one.words} {one.shown} {one.why}"
        and {**one.key, **key} == dict(one.key)
    )


@pytest.mark.parametrize(
    ("sample", "clause"),
    [("nj-minibaccarat-dragon-7", "NJ-MINI:7.2(a)6.i"), ("nj-punto-banco-dragon-7", "NJ-PB:3.2(a)6.i")],
)  # fmt: skip
def test_a_banker_wager_is_the_patrons_again_on_a_dragon_7(sample: str, clause: str) -> None:
    one = first_with(sample, "payouts", clause, becomes="returned")
    assert "wager on Banker" in one.words
    hands = dict(one.shown)
    cards = [hand for name, hand in one.shown if name == "Banker's Hand"]
    # Three cards that count 7: nothing else is void there (7.3(i)#2, 3.3(h)#2).
    ranks = [card[0] for card in cards[0].split()[:3]]
    value = sum(0 if one in "TJQK" else 1 if one == "A" else int(one) for one in ranks)
    assert (len(ranks), value % 10) == (3, 7), hands
    check(one)


@pytest.mark.parametrize("hand", ["player", "banker"])
def test_a_patron_of_mini_baccarat_in_new_york_may_not_touch_a_hand(hand: str) -> None:
    told = Hand(hand).title
    one = first_with("ny-mini", "allowed", "NY-MINIMIDI:(i)(5)", allowed="no")
    assert "NY-MINIMIDI:(f)(3)(i)(e)" in one.clauses
    # Nobody there may, so no question about it has another key, whichever hand it is.
    found = drawn("ny-mini", "allowed", 150)
    touched = [one for one in found if "NY-MINIMIDI:(i)(5)" in one.clauses and told in str(one)]
    assert {one.key["allowed"] for one in touched} <= {"no"}
    check(one)


@pytest.mark.parametrize(
    ("sample", "clause"),
    [("nj-minibaccarat", "NJ-MINI:7.2(b)#2"), ("ma-royal-9", "MA-MINI:12(i)#5")],
)
def test_a_wager_that_requires_another_one_is_taken_only_with_it(sample: str, clause: str) -> None:
    without = first_with(sample, "allowed", clause, allowed="no")
    placed = first_with(sample, "allowed", clause, allowed="yes")
    assert ("no wager" in str(without.shown), "no wager" in str(placed.shown)) == (True, False)
    check(without)
    check(placed)


@pytest.mark.parametrize(
    ("sample", "clause"),
    [("ma", "MA-MINI:12(e)#1"), ("nj-minibaccarat", "NJ-MINI:7.3(h)#1"), ("nj-punto-banco", "NJ-PB:3.3(g)#1")],
)  # fmt: skip
def test_a_bonus_wager_beside_banker_bears_no_vigorish(sample: str, clause: str) -> None:
    found = first_with(sample, "vigorish", clause)
    ((_, staked),) = [one for one in found.shown if one[0].startswith("Seat")]
    banker = re.search(r"Banker \$([\d,.]+)", staked)
    assert "onus" in staked
    assert banker is not None
    # 5% of what Banker alone is paid, at even money; rounding may add less than a quarter.
    percent = Fraction(banker[1].replace(",", "")) * 5 / 100
    due = Fraction(found.key["due"].lstrip("$").replace(",", ""))
    assert percent <= due < percent + Fraction(1, 4)


def test_where_a_tie_bears_the_vigorish_a_win_bears_none() -> None:
    one = first_with("nj-minibaccarat-tie-vigorish", "vigorish", "NJ-MINI:7.3(d)#3", how="none")
    assert one.key["due"] == "$0.00"
    check(one)


@pytest.mark.parametrize(
    ("clause", "amount"),
    [("Table_1#4", "$5,000.00"), ("Table_1#5", "$1,500.00"), ("Table_1#6", "$250.00")],
)
def test_each_fixed_award_of_royal_9_is_asked_for(clause: str, amount: str) -> None:
    # The awards are those of the table, whatever was wagered.
    one = first_with("ma-royal-9", "payouts", f"MA-MINI:12(i)_{clause}", amount=amount)
    assert "Royal 9 of seat" in one.words
    check(one)


def test_the_answer_about_an_office_says_what_is_said_shown_and_placed() -> None:
    law = resolve("us-nj/punto-banco", on="latest").clauses
    told = {
        line: clauses
        for one in drawn("nj-punto-banco", "offices", 60)
        for line, clauses in one.why
        if line.partition(":")[0] in {"Said", "Shown", "Placed", "Said, placed", "Shown, placed"}
    }
    assert len(told) > 5
    for line, (clause,) in told.items():
        assert line.partition(": ")[2] == law[clause].says
