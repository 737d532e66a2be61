"""Counting studies: shoes dealt as at the table, weighed exactly, alike on any number of threads."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.coup import CardFacts, Coup
from croupier.cli import main
from croupier.law.values import Odds
from croupier.odds.counting import CountingError, Tags, parse_tags
from croupier.odds.custom_wagers import read_wager
from croupier.odds.par import par_sheet
from croupier.odds.rounds import Advantage, advantages_of, rounds_of, shoe_procedure
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.rules import TableRules, read_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession

pytest.importorskip("numba")

from croupier.odds.arrays import ShoeProcedureArrays
from croupier.odds.study import BLOCK, AdvantageEvaluator, ResultEvaluator, Study, shuffled, study

SUBMISSIONS = Path(__file__).parents[2] / "submissions"
EZ = "ny-mini-ez"
TAGS = parse_tags("4=-1,5=-1,6=-1,7=-1,8=2,9=2")
RANKS = tuple(Rank)


def table(name: str = EZ, **readings: str) -> TableRules:
    submission = read_submission(SUBMISSIONS / f"{name}.toml")
    return table_rules(replace(submission, readings={**submission.readings, **readings}))


def with_own(name: str) -> TableRules:
    here = Path(__file__).parent
    folder = here if name == "mixed" else here.parents[1] / "docs" / "examples" / "side-bets"
    return table("nj-minibaccarat").with_offers(read_wager(folder / f"{name}.toml"))


def one_shoe(block: int = 0, seed: int = 1, decks: int = 8) -> list[Card]:
    """The first shoe of a block, its cards with any suits."""
    return cards_of(shuffled(ShoeComposition.of_decks(decks), seed, block, 1)[0].tolist())


def cards_of(ranks: list[int]) -> list[Card]:
    """Cards of these ranks, each suit as often as the next, as a shoe of decks has them."""
    seen = [0] * 13
    cards = []
    for rank in ranks:
        cards.append(DECK[13 * (seen[rank] % 4) + rank])
        seen[rank] += 1
    return cards


# --- the course of a shoe ----------------------------------------------------------------------


class Drawn:
    """Listens to a session, and keeps the cards as they leave the shoe."""

    def __init__(self) -> None:
        self.cards: list[Card | None] = []

    def __call__(self, command: acts.Command, events: object, *_: object) -> None:
        del events
        if isinstance(command, acts.DrawCard):
            self.cards.append(command.card)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "name", ["ny-mini-ez", "nj-minibaccarat", "nj-minibaccarat-4-percent", "ma-ez"]
)
def test_a_shoe_has_the_rounds_that_it_has_at_the_table(name: str, seed: int) -> None:
    rules, drawn = table(name), Drawn()
    session = TableSession(rules, drawn)
    pilot = Autopilot(session, Chance(seed=seed), patrons=1)
    pilot.open(gaming_date=date(2022, 2, 22))
    pilot.play_shoe()
    found = list(rounds_of(rules, drawn.cards))
    # No round starts after the last of the table; every card was needed for those that did.
    assert len(found) == session.state.rounds
    assert len(list(rounds_of(rules, drawn.cards[:-1]))) == session.state.rounds
    unseen = sum(card is None for card in drawn.cards)
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe)
    left = shoe.without(card for card in drawn.cards if card is not None)
    assert left.cards == shoe.cards - len(drawn.cards) + unseen
    assert found[-1].unseen.cards - left.cards in {4, 5, 6}


def test_a_round_that_begins_with_the_cutting_card_is_the_last_only_where_that_is_the_reading() -> (
    None
):
    lengths = {}
    for reading in ("one-more", "last"):
        rules = table("nj-minibaccarat", T08=reading)
        lengths[reading] = [len(list(rounds_of(rules, one_shoe(block)))) for block in range(12)]
    fewer = [a - b for a, b in zip(lengths["one-more"], lengths["last"], strict=True)]
    assert set(fewer) == {0, 1}


def test_cards_burned_face_down_are_unseen_and_those_shown_are_not() -> None:
    cards = cards_of([4, *range(13), *range(13)])
    hidden = next(rounds_of(table("ny-mini-ez"), cards))
    shown = next(rounds_of(table("nj-minibaccarat"), cards))
    assert (hidden.drawn, hidden.unseen.cards) == (6, 415)
    assert (shown.drawn, shown.unseen.cards) == (6, 410)
    told: list[Card | None] = [cards[0], *[None] * 5, *cards[6:]]
    assert next(rounds_of(table("ny-mini-ez"), told)) == hidden
    with pytest.raises(ShoeError, match="card 2 is unknown"):
        next(rounds_of(table("nj-minibaccarat"), told))


def test_cards_that_the_shoe_does_not_hold_are_refused() -> None:
    with pytest.raises(ShoeError, match="10 of 5c were seen"):
        list(rounds_of(table(), [Card.of("5c"), *[None] * 5, *[Card.of("5c")] * 9]))
    with pytest.raises(ShoeError, match="417 cards are given"):
        list(rounds_of(table(), [Card.of("5c")] * 417))


def test_cards_may_end_anywhere_and_the_round_that_is_next_starts_still() -> None:
    cards = one_shoe()
    whole = list(rounds_of(table(), cards))
    for number in (0, 1, 2, 40):
        drawn = whole[number].drawn
        assert list(rounds_of(table(), cards[:drawn])) == whole[: number + 1]
        assert list(rounds_of(table(), cards[: drawn + 3])) == whole[: number + 1]
        assert list(rounds_of(table(), cards[: drawn - 1])) == whole[:number]


# --- the judge ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "wager"),
    [(EZ, "dragon_7"), ("nj-minibaccarat", "banker"), ("ma-house-money", "house_money")],
)
def test_a_fresh_shoe_is_worth_the_house_edge_exactly(name: str, wager: str) -> None:
    rules = table(name)
    report: dict[str, Any] = json.loads(
        CliRunner()
        .invoke(
            main, ["par", "--submission", str(SUBMISSIONS / f"{name}.toml"), "--format", "json"]
        )
        .output
    )
    (edge,) = [Fraction(one["house_edge"]) for one in report["wagers"] if one["id"] == wager]
    fresh = AdvantageEvaluator(rules, wager).advantages(_ranks(ShoeComposition.of_decks(8)))
    assert float(fresh[0]) == pytest.approx(float(-edge), rel=1e-14)


def _ranks(*shoes: ShoeComposition) -> Any:
    import numpy as np  # noqa: PLC0415  (it comes with numba)

    return np.array([shoe.ranks for shoe in shoes], dtype=np.int64)


def test_the_first_round_is_worth_the_house_edge_over_every_card_that_may_be_burned_first() -> None:
    rules = table(EZ)
    total = Fraction()
    for rank, of_rank in enumerate(RANKS):
        burned = DECK[rank]
        assert burned.rank is of_rank
        (first,) = advantages_of(rules, "dragon_7", [burned, *[None] * min(rank + 1, 10)])
        total += first.advantage / 13
    # The edge of Dragon 7 with eight decks, from its published ways to win.
    assert f"{float(total * 100):.6f}" == "-7.611334"


@pytest.mark.parametrize(
    ("name", "wager"),
    [
        (EZ, "dragon_7"),
        (EZ, "banker"),
        ("nj-minibaccarat", "bonus_banker"),
        ("ma-house-money", "house_money"),
    ],
)
def test_the_judge_weighs_as_the_exact_sheet_does(name: str, wager: str) -> None:
    rules = table(name)
    told = advantages_of(rules, wager, one_shoe()[:100] if wager == "house_money" else one_shoe())[
        ::4
    ]
    judged = AdvantageEvaluator(rules, wager).advantages(
        _ranks(*(one.start.unseen for one in told))
    )
    for one, found in zip(told, judged.tolist(), strict=True):
        assert found == pytest.approx(float(one.advantage), rel=1e-12, abs=1e-15)


def test_an_advantage_of_nought_is_neither_for_the_house_nor_for_the_bettor() -> None:
    # Without a card but tens every round is a tie of noughts: Player and Banker are void.
    only_tens = ShoeComposition((0,) * 9 + (8, 8, 8, 8))
    assert AdvantageEvaluator(table(), "player").advantages(_ranks(only_tens)).tolist() == [0.0]


# --- studies -----------------------------------------------------------------------------------


def plainly(
    rules: TableRules, wager: str, tags: Tags, seed: int, shoes: int
) -> list[list[Advantage]]:
    """The advantages of every round of a study's first shoes, each worked out on its own."""
    del tags
    found = []
    for number in range(shoes):
        block, place = divmod(number, BLOCK)
        ranks = shuffled(ShoeComposition.of_decks(8), seed, block, min(shoes, BLOCK))[
            place
        ].tolist()
        found.append(list(advantages_of(rules, wager, cards_of(ranks))))
    return found


def true_count(one: Advantage, tags: Tags) -> Fraction:
    fresh = ShoeComposition.of_decks(8).ranks
    gone = zip(fresh, one.start.unseen.ranks, tags, strict=True)
    return sum(((a - b) * tag for a, b, tag in gone), Fraction()) / Fraction(
        one.start.unseen.cards, 52
    )


@pytest.mark.parametrize(
    ("name", "wager", "tags"),
    [
        (EZ, "dragon_7", TAGS),
        ("nj-minibaccarat", "bonus_banker", parse_tags("A=0.25,2=1,3=1.5,9=-2")),
        ("nj-minibaccarat", "tie", TAGS),
    ],
)
def test_a_study_is_what_plain_python_makes_of_the_same_shoes(
    name: str, wager: str, tags: Tags
) -> None:
    rules = table(name)
    rounds = [one for shoe in plainly(rules, wager, tags, 7, 3) for one in shoe]
    found = study(rules, wager, tags, shoes=3, seed=7)
    assert (found.shoes, found.rounds) == (3, len(rounds))
    counts = [true_count(one, tags) for one in rounds]
    for threshold in found.thresholds[1:-1]:
        taken = [
            one.advantage for one, at in zip(rounds, counts, strict=True) if at >= threshold.count
        ]
        assert threshold.bets == len(taken)
        assert threshold.units == pytest.approx(float(sum(taken)), rel=1e-9, abs=1e-12)
    good = [one.advantage for one in rounds if one.advantage > 0]
    assert found.perfect is not None
    assert found.perfect.bets == len(good)
    assert found.perfect.units == pytest.approx(float(sum(good)), rel=1e-9, abs=1e-12)
    for one in found.bins[1:-1]:
        assert one.rounds == sum(one.count <= at < one.count + found.step for at in counts)
    assert found.correlation == pytest.approx(
        _correlation([float(at) for at in counts], [float(one.advantage) for one in rounds]),
        rel=1e-9,
    )


def _correlation(x: list[float], y: list[float]) -> float:
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    joint = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread = sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y)
    return float(joint / spread**0.5)


def test_a_study_is_the_same_on_any_number_of_threads() -> None:
    # 150 shoes are four blocks and part of a fifth.
    one, *others = (study(table(), "dragon_7", TAGS, shoes=150, threads=n) for n in (1, 2, 5))
    assert others == [one, one]
    assert study(table(), "dragon_7", TAGS, shoes=150, seed=2) != one


def test_a_longer_study_begins_with_the_shoes_of_a_shorter() -> None:
    played: list[int] = []
    short = study(table(), "dragon_7", TAGS, shoes=2 * BLOCK)
    study(table(), "dragon_7", TAGS, shoes=2 * BLOCK + 1, progress=played.append)
    assert played == [BLOCK, 2 * BLOCK, 2 * BLOCK + 1]
    assert 70 < short.rounds / short.shoes < 95


def test_the_compiled_deal_ends_each_shoe_where_the_table_does() -> None:
    for reading in ("one-more", "last"):
        rules = table("nj-minibaccarat", T08=reading)
        found = study(rules, "player", TAGS, shoes=BLOCK, seed=11)
        shoes = shuffled(ShoeComposition.of_decks(8), 11, 0).tolist()
        assert found.rounds == sum(len(list(rounds_of(rules, cards_of(ranks)))) for ranks in shoes)


def test_a_shuffle_keeps_the_cards_and_favours_no_place() -> None:
    shoe = ShoeComposition.of_decks(1)
    shoes = [row for block in range(250) for row in shuffled(shoe, 3, block, 16).tolist()]
    assert all(
        sorted(row) == sorted([rank for rank in range(13) for _ in range(4)]) for row in shoes
    )
    for place in (0, 25, 51):
        often = [sum(row[place] == rank for row in shoes) for rank in range(13)]
        expected = len(shoes) / 13
        # Twelve degrees of freedom: above 40 comes once in ten thousand times.
        assert sum((n - expected) ** 2 / expected for n in often) < 40


@pytest.fixture(scope="module")
def published() -> Study:
    return study(table(), "dragon_7", TAGS, shoes=2000)


def test_the_published_count_beats_the_house_at_dragon_7(published: Study) -> None:
    best, perfect = published.best, published.perfect
    assert best is not None
    assert perfect is not None
    assert best.error is not None
    assert 3 <= best.count <= 4
    # A published simulation with 16 cards behind the cutting card wins about 53 units in 100 shoes.
    assert 50 < published.per_100_shoes(best.units) < 80
    assert best.units > 10 * best.error
    assert best.units < perfect.units
    assert published.efficiency == best.units / perfect.units
    assert 0.85 < (published.correlation or 0) < 0.95


def test_thresholds_are_sums_of_the_bins_above_them(published: Study) -> None:
    for at, threshold in enumerate(published.thresholds):
        above = published.bins[at:]
        assert threshold.bets == sum(one.rounds for one in above)
        assert threshold.units == pytest.approx(sum(one.units for one in above), rel=1e-9, abs=1e-9)


def test_player_is_hardly_worth_counting() -> None:
    found = study(table("nj-minibaccarat"), "player", parse_tags("4=-1,6=1"), shoes=300)
    assert found.perfect is not None
    assert found.per_100_shoes(found.perfect.units) < 1


def test_every_number_that_cannot_be_is_told_at_once() -> None:
    with pytest.raises(CountingError) as error:
        study(
            table(),
            "dragon_7",
            TAGS,
            shoes=0,
            seed=-1,
            threads=0,
            shoe=ShoeComposition.of_decks(17),
        )
    assert len(error.value.errors) == 4


@pytest.mark.parametrize("cards_behind", [0, 13, 416])
def test_a_cutting_card_where_the_law_has_none_is_refused(cards_behind: int) -> None:
    with pytest.raises(CountingError, match="behind the cutting card"):
        study(table(), "dragon_7", TAGS, cards_behind=cards_behind)


def test_a_continuous_device_leaves_nothing_to_count() -> None:
    with pytest.raises(CountingError, match="continuous device"):
        study(table("nj-minibaccarat-continuous"), "player", TAGS, shoes=1)


def test_a_wager_on_suits_needs_a_shoe_by_card() -> None:
    with pytest.raises(CountingError, match="depends on cards"):
        study(table("ma-royal-9"), "royal_9", TAGS, shoe=ShoeComposition((24,) * 13), shoes=1)


@pytest.mark.parametrize("name", ["tiger-pair", "all-red", "jackpot", "royal-match", "mixed"])
def test_results_are_those_of_the_table(name: str) -> None:
    rules = with_own(name)
    (offer,) = rules.own
    wager = offer.wager
    shoe = ShoeComposition.of_decks(8)
    judge = ResultEvaluator(rules, wager.id, shoe)
    drawing = ShoeProcedureArrays.of(shoe_procedure(rules, shoe), rules.tableau)
    random = np.random.default_rng(5)
    dealt = random.integers(0, 52, (4000, 6)).astype(np.uint8)
    for six, result in zip(dealt.tolist(), judge.results(dealt, drawing), strict=True):
        coup, cards = Coup(rules.tableau), iter(six)
        while coup.due is not None:
            coup = coup.with_card(DECK[next(cards)])
        line = wager.line_of(CardFacts.of(coup.player, coup.banker))
        pays = offer.pays.get(line)
        if isinstance(pays, Odds):
            assert result == pays.pays / pays.stake
        elif line == "back":
            assert result == 0
        else:
            # An award for five dollars, or the seed of the meter.
            awards = {"three_of_a_rank": 50.0, "jackpot": 2000.0}
            assert result == awards.get(line, -1.0)


@pytest.mark.parametrize("name", ["tiger-pair", "mixed"])
def test_a_wager_on_cards_or_on_pairs_and_counts_is_credited_with_its_results(name: str) -> None:
    rules = with_own(name)
    wager = rules.own[0].wager.id
    found = study(rules, wager, parse_tags("T=1,J=1,Q=1,K=1,A=-1,2=-1,3=-1,4=-1"), shoes=640)
    assert (found.perfect, found.correlation, found.efficiency) == (None, None, None)
    units, rounds = sum(one.units for one in found.bins), found.rounds
    sheet = par_sheet(rules, ShoeComposition.of_decks(8))
    (figures,) = (one for one in sheet["wagers"] if one["id"] == wager)
    error = sqrt(Fraction(figures["variance"]) / rounds)
    assert abs(units / rounds + Fraction(figures["house_edge"])) < 4 * error
    assert found.thresholds[0].units == pytest.approx(units)
    again = study(rules, wager, found.tags, shoes=640, threads=3, seed=1, cards_behind=None)
    assert again == found


def test_no_kernel_calculates_the_advantage_of_pairs_and_counts() -> None:
    with pytest.raises(CountingError, match="mixed depends on pairs and on counts"):
        AdvantageEvaluator(with_own("mixed"), "mixed")
    with pytest.raises(CountingError, match="mixed depends on cards: give the shoe by card"):
        study(with_own("mixed"), "mixed", TAGS, shoe=ShoeComposition((32,) * 13), shoes=1)


def test_the_command_says_what_bets_are_credited_with() -> None:
    own = Path(__file__).parents[2] / "docs" / "examples" / "side-bets" / "tiger-pair.toml"
    words = ("--own", str(own), "--wager", "tiger_pair", "--tags", "T=1,5=-1", "--shoes", "64")
    result = count(*words, submission="nj-minibaccarat")
    assert result.exit_code == 0, result.output
    assert "Bets are credited with their results" in " ".join(result.output.split())
    data = json.loads(count(*words, "--format", "json", submission="nj-minibaccarat").output)
    assert (data["credited"], data["perfect"]) == ("result", None)
    assert data["gain_per_100_rounds"].keys() == {"50%", "75%", "90%"}


# --- the command -------------------------------------------------------------------------------


def count(*words: str, submission: str | None = EZ) -> Any:
    named = () if submission is None else ("--submission", str(SUBMISSIONS / f"{submission}.toml"))
    return CliRunner().invoke(main, ["count", *named, *words])


def test_the_command_counts_by_the_best_small_tags_and_tells_the_best_threshold() -> None:
    result = count("--wager", "dragon_7", "--shoes", "200")
    assert result.exit_code == 0, result.output
    assert "4=-1,5=-1,6=-1,7=-1,8=2,9=2" in result.output
    assert "(best)" in result.output
    assert "beats the house" in result.output


def test_the_command_gives_data_to_a_program() -> None:
    found = json.loads(count("--wager", "dragon_7", "--shoes", "64", "--format", "json").output)
    again = study(table(), "dragon_7", TAGS, shoes=64)
    assert found["rounds"] == again.rounds
    assert again.perfect is not None
    assert found["perfect"]["units_per_100_shoes"] == again.per_100_shoes(again.perfect.units)
    assert sum(Fraction(one) for one in found["effects_of_removal"].values()) == 0


def test_the_command_plots_what_it_found_and_replaces_no_file_unasked(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    words = ("--wager", "dragon_7", "--shoes", "40", "--plot", str(path))
    assert count(*words).exit_code == 0
    drawn = path.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert drawn == path.read_text(encoding="utf-8")
    assert count(*words).exit_code == 2
    assert count(*words, "--force").exit_code == 0
    assert path.read_text(encoding="utf-8") == drawn


def test_the_command_tells_each_round_of_a_given_shoe(tmp_path: Path) -> None:
    path = tmp_path / "shoe.txt"
    cards = one_shoe()
    path.write_text(" ".join(map(str, cards)), encoding="utf-8")
    result = count("--wager", "dragon_7", "--cards", str(path), "--format", "json")
    assert result.exit_code == 0, result.output
    told = advantages_of(table(), "dragon_7", cards)
    assert [Fraction(one["advantage"]) for one in json.loads(result.output)["rounds"]] == [
        one.advantage for one in told
    ]
    assert (
        "The bettor has the advantage in"
        in count("--wager", "dragon_7", "--cards", str(path)).output
    )


def wrong() -> Iterator[Any]:
    yield pytest.param(("--wager", "lucky"), EZ, "this table offers", id="unknown wager")
    yield pytest.param(
        ("--wager", "royal_9", "--shoe", ",".join(f"{rank}=24" for rank in "A23456789TJQK")),
        "ma-royal-9",
        "depends on suits",
        id="suits",
    )
    yield pytest.param(
        ("--wager", "dragon_7", "--tags", "Z=1,8=x"), EZ, "'8=x' is not a tag", id="tags"
    )
    yield pytest.param(("--wager", "dragon_7", "--shoes", "0"), EZ, "--shoes", id="no shoes")
    yield pytest.param(("--wager", "dragon_7", "--threads", "x"), EZ, "--threads", id="threads")
    yield pytest.param(
        ("--wager", "dragon_7", "--cards-behind", "3"), EZ, "at least 14", id="cards_behind"
    )
    yield pytest.param(("--wager", "player"), None, "no table given", id="no table")
    yield pytest.param(
        ("--wager", "player"), "nj-minibaccarat-continuous", "continuous device", id="continuous"
    )
    yield pytest.param(
        ("--wager", "house_money"), "ma-house-money", "no best linear count", id="is not a count"
    )


@pytest.mark.parametrize(("words", "submission", "said"), list(wrong()))
def test_wrong_use_exits_with_two_and_the_reason(
    words: tuple[str, ...], submission: str | None, said: str
) -> None:
    result = count(*words, submission=submission)
    assert result.exit_code == 2
    assert said in result.output


def test_cards_that_are_none_are_told_each_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "shoe.txt"
    path.write_text("9h ? 1x Kd 11", encoding="utf-8")
    result = count("--wager", "dragon_7", "--cards", str(path))
    assert result.exit_code == 2
    assert "card 3" in result.output
    assert "card 5" in result.output


def test_without_numba_the_extra_is_named_and_a_given_shoe_is_weighed_still(tmp_path: Path) -> None:
    path = tmp_path / "shoe.txt"
    path.write_text("5c ? ? ? ? ? 9h Kd", encoding="utf-8")
    script = (
        "import sys; sys.modules['numba'] = sys.modules['numpy'] = None\n"
        "from croupier.cli import main; main()"
    )
    words = ["count", "--submission", str(SUBMISSIONS / f"{EZ}.toml"), "--wager", "dragon_7"]
    command = [sys.executable, "-c", script, *words]
    without = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert without.returncode == 2
    assert "croupier[kernels]" in without.stderr
    given = subprocess.run([*command, "--cards", str(path)], capture_output=True, check=False)  # noqa: S603
    assert given.returncode == 0
