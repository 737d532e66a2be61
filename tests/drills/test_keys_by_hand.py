"""Keys of questions worked out by hand, from what is shown and from the printed text alone."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from croupier.drills import DrillRoom, Question, question
from croupier.rules import read_rules
from support.oracles import law as printed
from support.oracles import roads as drawn_roads
from support.project import ROOT

COUNT = 60


@cache
def room_of(sample: str) -> DrillRoom:
    return DrillRoom(read_rules(ROOT / "submissions" / f"{sample}.toml"))


def drawn(sample: str, kind: str, level: int, count: int = COUNT) -> list[Question]:
    found = (question(room_of(sample), kind, 11, number, level) for number in range(count))
    return [one for one in found if one is not None]


def hands(one: Question) -> dict[str, list[str]]:
    """Return the cards of both hands as they are shown, in notation."""
    shown = dict(one.shown)
    return {
        hand: noted(shown[f"{hand.title()}'s Hand"].partition(" (")[0]).split()
        for hand in ("player", "banker")
    }


def noted(words: str) -> str:
    """Return words with the notation of each card in the place of its face."""
    return re.sub(r"10(?=[♣♦♥♠])", "T", words).translate(str.maketrans("♣♦♥♠", "cdhs"))


def cents(text: str) -> int:
    return int(re.sub(r"[$,.]", "", text))


def required(player: list[str], banker: list[str]) -> tuple[list[str], list[str]]:
    """Return the cards that the printed tables require of those that lie there, in their order."""
    own, theirs, thirds = player[:2], banker[:2], [*player[2:], *banker[2:]]
    first = printed.count(own), printed.count(theirs)
    third = thirds.pop(0) if thirds and printed.player_draws(*first) else None
    if thirds and printed.banker_draws(*first, None if third is None else printed.value(third)):
        theirs.append(thirds.pop(0))
    return [*own, *([] if third is None else [third])], theirs


def test_a_misread_card_counts_as_the_true_one() -> None:
    asked = Counter[str]()
    for one in drawn("nj-minibaccarat", "corrections", 3, 120):
        found = re.search(r"(\S\S) in (\w+)'s Hand is found to be (\S\S)", noted(one.words))
        assert found is not None
        hand, after = found[2].lower(), one.key["after"]
        cards = hands(one)
        cards[hand][cards[hand].index(found[1])] = found[3]
        player, banker = cards["player"], cards["banker"]
        # A third card is due to Banker's Hand only once Player's Hand is due none.
        if after in {"player", "banker"}:
            first = printed.count(player[:2]), printed.count(banker[:2])
            waits = len(player) == 2 and printed.player_draws(*first)
            assert after == ("player" if waits else "banker"), one.words
        elif after == "result":
            player, banker = required(player, banker)
        counts = str(printed.count(player)), str(printed.count(banker))
        assert (one.key["player"], one.key["banker"]) == counts, one.words
        assert one.clauses
        asked[after] += 1
    assert asked.keys() == {"result", "player", "banker", "stands"}


def test_as_many_cards_go_with_a_card_as_it_counts() -> None:
    """A ten takes ten with it where it was drawn in error, as elected, and none if found face up."""
    found = set()
    for level in (2, 3):
        for one in drawn("nj-minibaccarat", "irregularities", level):
            card = re.search(r"\b([A2-9TJQK][cdhs])\b", noted(one.words))
            if "more" not in one.key:
                continue
            gone = one.key["card"] == "discarded"
            if card is None:
                assert (one.key["more"], gone) == ("0", False), "nobody saw its face"
                continue
            value = printed.value(card[1])
            face_up = "lies face up" in one.words
            more = value or (0 if face_up else 10)
            assert one.key["more"] == str(more if gone else 0), one.words
            found.add((gone, face_up, value == 0))
    assert {(True, True, True), (True, True, False), (True, False, True)} <= found


def test_the_last_win_is_where_a_drawn_big_road_has_it() -> None:
    places = set()
    for one in drawn("nj-minibaccarat", "roads", 1):
        results = one.shown[0][1].replace(" ", "")
        row, column = drawn_roads.laid_out(drawn_roads.wins(results))[-1]
        assert dict(one.key) == {"row": str(row + 1), "column": str(column + 1)}, results
        places.add((row, column))
    assert len(places) > 5


def test_a_marker_is_what_was_owed_and_what_is_due() -> None:
    owed = Counter[bool]()
    for level in (1, 3):
        for one in drawn("nj-minibaccarat", "vigorish", level):
            if "marker" not in one.key:
                continue
            before = re.search(r"owes (\S+) already", str(one.shown))
            was = 0 if before is None else cents(before[1])
            more = cents(one.key["due"]) if one.key["how"] == "marked" else 0
            assert cents(one.key["marker"]) == was + more
            owed[bool(was and more)] += 1
    assert len(owed) == 2


def test_a_form_has_the_next_number_and_all_that_is_owed() -> None:
    found = [one for one in drawn("nj-punto-banco", "forms", 2) if "serial" in one.key]
    assert len(found) > 5
    for one in found:
        shown = dict(one.shown)
        seat, patron, owes = shown["Seat"].split(", ")
        assert seat.isdecimal()
        assert dict(one.key) == {
            "serial": str(int(shown["Forms"].split()[-1]) + 1),
            "amount": owes.split()[1],
            "patron": patron,
        }


def test_a_hand_goes_to_whoever_wagers_most_on_it() -> None:
    found = Counter[str]()
    for one in drawn("ny-midi", "holder", 2):
        stakes = {
            f"seat-{seat.split()[1]}": cents(told.split()[-1])
            for seat, told in one.shown
            if seat.startswith("Seat ")
        }
        most = [seat for seat, staked in stakes.items() if staked == max(stakes.values())]
        assert one.key["holder"] in most
        found[one.key["holder"]] += 1
    assert len(found) > 1


def test_the_words_of_a_call_have_the_count_and_a_natural() -> None:
    naturals = Counter[bool]()
    for one in drawn("nj-minibaccarat", "announcements", 1):
        hand = re.search(r"of (\w+)'s Hand", one.words)
        if hand is None:
            assert one.key["words"].casefold() == "no more bets"
            continue
        count = printed.count(hands(one)[hand[1].lower()][:2])
        natural = "natural " if count > 7 else ""
        assert one.key["words"] == f"{hand[1]} {natural}{count}"
        naturals[bool(natural)] += 1
    assert len(naturals) == 2


def test_a_count_cites_how_cards_are_counted() -> None:
    for one in drawn("nj-minibaccarat", "counts", 1, 10):
        assert "NJ-MINI:7.1(c)" in one.clauses
