"""Section 12(j): Must Hit Progressive for Stax, and how anybody can prove its draw.

The derivation of the mystery value and of the draw is written out again here from what is said of
it in the open: HMAC-SHA256 of a text that names the cards of a round, under the secret as its key,
read as a number, and thrown away where it would favor some.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import Counter
from datetime import date
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    AwardPaid,
    CardDealt,
    CommitMystery,
    EndProgressiveRound,
    Event,
    MeterReset,
    MetersAdvanced,
    MysteryCommitted,
    MysteryReplaced,
    NoMoreBetsCalled,
    PlaceWagers,
    ProgressiveRoundEnded,
    ResultAnnounced,
    StaxWon,
)
from croupier.baccarat.coup import Hand
from croupier.money.stax import commitment_to, drawn, mystery_cents
from croupier.records.draws import draws_of
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Phase, Refusal
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.table.parts.progressive import Progressive
from support.massachusetts import (
    PLAYER_9_BANKER_8,
    ROYAL_9,
    STAX,
    at,
    chips,
    errors_of,
    ma,
    rules_of,
    settle,
)
from support.table import due, every, only, refused, wager

pytestmark = [
    pytest.mark.under("us-ma/minibaccarat@2026-11-20"),
    pytest.mark.clause("MA-MINI:12(j)#1"),
]

SEED, MOST = 1_000, 1_100
# A meter that begins at ten dollars and must be hit by eleven; each wager adds five cents to it.
SETTINGS: Final[dict[str, Any]] = {
    **STAX,
    "wagers__royal_9__stax__seed": "10.00",
    "wagers__royal_9__stax__must_hit_by": "11.00",
    "wagers__royal_9__stax__increment": "1%",
}


# --- the derivation, written out again ---------------------------------------------------------


FIRST: Final = "round 1: 9h Th / 8d Js"
"""The cards of the round that most of these tests play first: nine against eight."""


def number_below(most: int, secret: str, purpose: str) -> int:
    """A number from 0 to ``most`` less one: the first digest that does not favor any."""
    counter = 0
    while True:
        text = f"{purpose} {counter}".encode()
        digest = hmac.new(bytes.fromhex(secret), text, hashlib.sha256).hexdigest()
        number = int(digest, 16)
        if number < 2**256 // most * most:
            return number % most
        counter += 1


def mystery_of(secret: str, seed: int, most: int, cards: str = FIRST) -> int:
    """The mystery value: one of the amounts above the seed, up to what it must be hit by."""
    return seed + 1 + number_below(most - seed, secret, f"mystery value, {cards}")


def winner_of(secret: str, cards: str, seats: tuple[int, ...]) -> int:
    """The seat that is drawn: by its place among those who took part, in ascending order."""
    ordered = sorted(seats)
    among = ",".join(str(seat) for seat in ordered)
    return ordered[number_below(len(seats), secret, f"draw among seats {among}, {cards}")]


def secret_where(wanted: range) -> str:
    """A secret whose mystery value is one of these."""
    for number in range(100_000):
        secret = hashlib.sha256(f"secret {number}".encode()).hexdigest()
        if mystery_of(secret, SEED, MOST) in wanted:
            return secret
    raise AssertionError(f"no secret makes a value within {wanted}")


EARLY: Final = secret_where(range(1_001, 1_006))  # Hit by the first wager of five cents.
MIDDLE: Final = secret_where(range(1_026, 1_031))  # Hit by the sixth.
LAST: Final = secret_where(range(1_100, 1_101))


def table(*seats: int, secret: str | None = EARLY, **elections: Any) -> TableSession:
    """A table open for wagers; where there is a secret it has been committed to."""
    session = at(Phase.BETTING, *seats, **(SETTINGS | elections))
    if secret is not None:
        session.execute(CommitMystery(commitment_to(secret)))
    return session


def play(session: TableSession, *seats: int) -> None:
    """Play a round in which those seats take part, up to the end of the progressive's round."""
    for seat in seats:
        session.execute(PlaceWagers(seat, {"tie": 100, "royal_9": 500}))
    if not seats:
        wager(session, (1, "tie", 100))
    settle(session, PLAYER_9_BANKER_8)


def offered(session: TableSession) -> set[type[acts.Command]]:
    """What the law has done next, also what need not be."""
    return {action.command for action in session.legal()}


def end(session: TableSession) -> None:
    session.execute(EndProgressiveRound())
    session.execute(acts.ClearLayout())


# --- the commitment ----------------------------------------------------------------------------


def test_the_mystery_value_is_fixed_before_the_first_wager_on_royal_9() -> None:
    session = table(1, secret=None)
    assert CommitMystery in offered(session)
    wager(session, (1, "player", 1_000))
    for command in (
        acts.PlaceWager(1, "royal_9", 500),
        PlaceWagers(1, {"tie": 100, "royal_9": 500}),
    ):
        answer = refused(session, command, "mystery")
        assert answer.clauses == ma("12(j)#1", "12(j)#2")
    committed = only(session.execute(CommitMystery(commitment_to(EARLY))), MysteryCommitted)
    assert committed.commitment == hashlib.sha256(bytes.fromhex(EARLY)).hexdigest()
    session.execute(acts.PlaceWager(1, "royal_9", 500))


def test_a_round_without_royal_9_needs_no_mystery_value() -> None:
    session = table(1, secret=None)
    wager(session, (1, "player", 1_000))
    settle(session, PLAYER_9_BANKER_8)
    session.execute(acts.ClearLayout())


@pytest.mark.parametrize("commitment", ["", "5e" * 31, "5e" * 33, "5E" * 32, "xy" * 32, "5e " * 32])
def test_a_commitment_is_a_sha_256_and_nothing_else(commitment: str) -> None:
    session = table(1, secret=None)
    refused(session, CommitMystery(commitment), "commitment")


def test_a_mystery_value_that_is_fixed_stays_so_until_it_is_hit() -> None:
    session = table(1, secret=MIDDLE)
    refused(session, CommitMystery(commitment_to(EARLY)), "committed")
    play(session, 1)
    refused(session, CommitMystery(commitment_to(EARLY)), "not_now")
    end(session)
    refused(session, CommitMystery(commitment_to(EARLY)), "committed")
    assert session.state[Progressive].commitment == commitment_to(MIDDLE)


def test_a_table_without_stax_has_no_mystery_value() -> None:
    session = at(Phase.BETTING, 1, **ROYAL_9)
    refused(session, CommitMystery(commitment_to(EARLY)), "not_offered")
    play(session, 1)
    assert due(session) == {acts.ClearLayout}
    assert "stax" not in session.state[Progressive].meters
    errors = errors_of(wagers__royal_9__stax__offered=True)
    assert errors == {("wagers.royal_9.stax.offered", ma("12(j)#1"))}


@pytest.mark.parametrize("most", ["10.00", "9.99", "0.00"])
def test_it_must_be_hit_by_more_than_it_begins_with(most: str) -> None:
    elections = SETTINGS | {"wagers__royal_9__stax__must_hit_by": most}
    assert errors_of(**elections) == {("wagers.royal_9.stax.must_hit_by", ma("12(j)#1"))}


def test_its_share_of_a_wager_is_no_fraction_of_a_cent() -> None:
    elections = SETTINGS | {"wagers__royal_9__stax__increment": "1/3"}
    assert errors_of(**elections) == {("wagers.royal_9.stax.increment", ma("12(j)#1"))}


# --- the end of a round ------------------------------------------------------------------------


def test_the_dealer_ends_the_round_before_the_layout_is_cleared() -> None:
    session = table(1, 2, secret=MIDDLE)
    for seat in (1, 2):
        session.execute(PlaceWagers(seat, {"tie": 100, "royal_9": 500}))
    refused(session, EndProgressiveRound(), "not_now")
    settle(session, PLAYER_9_BANKER_8)
    assert due(session) == {EndProgressiveRound}
    answer = refused(session, acts.ClearLayout(), "end_round")
    assert answer.clauses == ma("12(j)#1", "12(j)#2")
    ended = only(session.execute(EndProgressiveRound()), ProgressiveRoundEnded)
    assert ended.seats == (1, 2)
    refused(session, EndProgressiveRound(), "nobody")
    session.execute(acts.ClearLayout())


def test_a_round_in_which_nobody_took_part_has_nothing_to_end() -> None:
    session = table(1)
    play(session)
    refused(session, EndProgressiveRound(), "nobody")
    refused(session, EndProgressiveRound(EARLY), "nobody")
    session.execute(acts.ClearLayout())


def test_the_meter_grows_by_the_share_of_each_wager() -> None:
    session = table(1, 2, 3, secret=LAST)
    play(session, 1, 2)
    end(session)
    play(session, 1, 2, 3)
    assert session.state[Progressive].meters["stax"] == SEED + 5 * 5


def test_the_secret_is_kept_while_the_mystery_value_is_not_hit() -> None:
    session = table(1, 2, secret=MIDDLE)
    heard: list[object] = []
    session.listeners.append(lambda command, _: heard.append(command))
    for _ in range(2):
        play(session, 1, 2)  # Ten cents each: twenty in all, and at least twenty-six are wanted.
        refused(session, EndProgressiveRound(MIDDLE), "not_hit")
        end(session)
    play(session, 1, 2)
    assert only(session.execute(EndProgressiveRound(MIDDLE)), StaxWon).cents == SEED + 30
    # Nobody heard of it before: a refusal leaves no record.
    said = [one.secret for one in heard if isinstance(one, EndProgressiveRound)]
    assert said == [None, None, MIDDLE]


@pytest.mark.parametrize("value", [range(1_001, 1_006), range(1_010, 1_011)])
def test_a_secret_that_was_withheld_draws_nobody(value: range) -> None:
    secret = secret_where(value)
    session = table(1, 2, secret=secret)
    play(session, 1, 2)  # The meter shows $10.10: the value is hit, also where it is just that.
    end(session)
    play(session, 1)
    answer = refused(session, EndProgressiveRound(secret), "late")
    assert answer.clauses == ma("12(j)#1", "12(j)#2")
    replaced = only(
        session.execute(acts.ReplaceMystery("withheld in round 1", secret)), MysteryReplaced
    )
    assert (replaced.secret, replaced.seats) == (secret, (1,))
    session.execute(acts.ClearLayout())
    assert session.state[Progressive].meters["stax"] == SEED + 15


def test_a_secret_that_is_lost_does_not_stop_the_table() -> None:
    elections = {"wagers__royal_9__stax__must_hit_by": "10.05"}
    session = table(1, secret="00" * 32, **elections)
    play(session, 1)
    refused(session, EndProgressiveRound(), "must_hit")
    refused(session, acts.ReplaceMystery("  "), "reason")
    refused(session, acts.ReplaceMystery("lost", "11" * 32), "secret")
    replaced = only(session.execute(acts.ReplaceMystery("the vault burned down")), MysteryReplaced)
    assert (replaced.secret, replaced.commitment) == ("", commitment_to("00" * 32))
    session.execute(acts.ClearLayout())
    refused(session, acts.ReplaceMystery("again"), "not_committed")
    refused(session, acts.PlaceWager(1, "royal_9", 500), "mystery")
    # The meter is full: the next value is hit by the next wager.
    session.execute(CommitMystery(commitment_to(MIDDLE)))
    play(session, 1)
    won = only(session.execute(EndProgressiveRound(MIDDLE)), StaxWon)
    # Its share does not carry the meter past the amount: that is kept for the next one.
    assert (won.mystery_cents, won.cents) == (1_005, 1_005)
    session.execute(acts.ClearLayout())
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())


def test_a_value_given_up_after_the_wagers_draws_nobody_in_that_round() -> None:
    elections = {"wagers__royal_9__stax__must_hit_by": "10.05"}
    session = table(1, secret=EARLY, **elections)
    session.execute(PlaceWagers(1, {"tie": 100, "royal_9": 500}))
    session.execute(acts.ReplaceMystery("the vault is shut"))
    settle(session, PLAYER_9_BANKER_8)
    # The meter shows what it must be hit by, and no value is committed to.
    assert session.state[Progressive].meters["stax"] == 1_005
    refused(session, EndProgressiveRound(EARLY), "secret")
    ended = only(session.execute(EndProgressiveRound()), ProgressiveRoundEnded)
    assert ended.clauses == (*ma("12(j)#1", "12(j)#2"), "C96")
    session.execute(acts.ClearLayout())
    refused(session, acts.PlaceWager(1, "royal_9", 500), "mystery")
    session.execute(CommitMystery(commitment_to(MIDDLE)))
    play(session, 1)
    assert only(session.execute(EndProgressiveRound(MIDDLE)), StaxWon).cents == 1_005


def test_another_value_after_a_lost_one_lies_above_what_the_meter_shows() -> None:
    session = table(1, 2, 3, secret=LAST)
    play(session, 1, 2, 3)
    end(session)
    session.execute(acts.ReplaceMystery("lost"))
    committed = only(session.execute(CommitMystery(commitment_to(EARLY))), MysteryCommitted)
    assert committed.above_cents == SEED + 15
    play(session, 1, 2, 3)
    value = (
        SEED + 16 + number_below(MOST - SEED - 15, EARLY, "mystery value, round 2: 9h Th / 8d Js")
    )
    for _ in range(6):
        answer = session.try_execute(EndProgressiveRound(EARLY))
        if not isinstance(answer, Refusal):
            break
        assert answer.code == "not_hit"
        assert session.state[Progressive].meters["stax"] < value
        end(session)
        play(session, 1, 2, 3)
    else:
        raise AssertionError("the value was never hit")
    assert only(answer, StaxWon).mystery_cents == value


@pytest.mark.parametrize("other", [MIDDLE, "", "00" * 32, EARLY.upper(), EARLY + "00"])
def test_no_other_secret_passes_for_the_one_committed_to(other: str) -> None:
    session = table(1)
    play(session, 1)
    refused(session, EndProgressiveRound(other), "secret")
    session.execute(EndProgressiveRound(EARLY))


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.parametrize("shown", [MOST, MOST + 1, MOST + 99, MOST + 100, 3 * MOST])
def test_a_meter_at_its_limit_or_past_it_is_hit_by_that_limit_whatever_the_secret(
    shown: int,
) -> None:
    # A record may say of a meter that it showed more than it must be hit by; no value lies above.
    values = {mystery_cents(secret, FIRST, shown, MOST) for secret in (EARLY, MIDDLE, LAST)}
    assert values == {MOST}


def test_the_secret_must_be_revealed_once_the_meter_shows_what_it_must_be_hit_by() -> None:
    session = table(1, 2, 3, 4, 5, 6, secret=LAST)
    for _ in range(3):
        play(session, 1, 2, 3, 4, 5, 6)
        end(session)
    # Ninety cents are in it; ten more make it eleven dollars.
    play(session, 1)
    end(session)
    play(session, 1)
    assert session.state[Progressive].meters["stax"] == MOST
    answer = refused(session, EndProgressiveRound(), "must_hit")
    assert answer.clauses == ma("12(j)#1")
    refused(session, acts.ClearLayout(), "end_round")
    won = only(session.execute(EndProgressiveRound(LAST)), StaxWon)
    assert (won.cents, won.mystery_cents) == (MOST, 1_100)


@pytest.mark.clause("MA-MINI:12(j)#2")
def test_the_winner_is_one_who_took_part_and_is_shown_with_what_he_has_won() -> None:
    session = table(1, 2, 3, 4)
    play(session, 2, 4)
    before = {seat: chips(session, seat) for seat in (1, 2, 3, 4)}
    events = session.execute(EndProgressiveRound(EARLY))
    won, paid, reset = only(events, StaxWon), only(events, AwardPaid), only(events, MeterReset)
    shown = only(events, acts.StaxWinnerShown)
    assert (shown.seat, shown.clauses) == (won.seat, ma("12(j)#2"))
    seat = winner_of(EARLY, FIRST, (2, 4))
    assert (won.seat, won.seats, won.cents) == (seat, (2, 4), SEED + 10)
    assert won.words == f"seat {seat} wins $10.10"
    assert won.clauses == ma("12(j)#1", "12(j)#2")
    assert (paid.seat, paid.line, paid.meter, paid.cents) == (seat, "stax", "stax", SEED + 10)
    assert (reset.meter, reset.cents) == ("stax", SEED)
    assert session.state[Progressive].meters["stax"] == SEED
    assert chips(session, seat) == before[seat] + SEED + 10
    assert session.ledger.in_balance


def test_after_a_winner_another_value_is_fixed_before_anybody_wagers_on_it() -> None:
    session = table(1, 2)
    play(session, 1)
    session.execute(EndProgressiveRound(EARLY))
    session.execute(acts.ClearLayout())
    assert CommitMystery in offered(session)
    wager(session, (1, "tie", 100))
    refused(session, acts.PlaceWager(1, "royal_9", 500), "mystery")
    session.execute(CommitMystery(commitment_to(MIDDLE)))
    session.execute(acts.PlaceWager(1, "royal_9", 500))


def test_the_other_meters_stand_when_the_mystery_value_is_hit() -> None:
    session = table(1)
    play(session, 1)
    before = dict(session.state[Progressive].meters)
    session.execute(EndProgressiveRound(EARLY))
    assert session.state[Progressive].meters == before | {"stax": SEED}


# --- anybody can do it again -------------------------------------------------------------------


@pytest.mark.usefixtures("rules_under_the_text")
def test_the_derivation_that_is_published_is_the_one_that_is_used() -> None:
    for number in range(300):
        secret = hashlib.sha256(str(number).encode()).hexdigest()
        assert commitment_to(secret) == hashlib.sha256(bytes.fromhex(secret)).hexdigest()
        for seed, most in ((0, 1), (SEED, MOST), (50_000, 100_000)):
            assert mystery_cents(secret, FIRST, seed, most) == mystery_of(secret, seed, most)
        cards = f"round {number}: 2c 3d / Kh Ks 4c"
        for seats in ((3,), (1, 2), (6, 2, 4), (1, 2, 3, 4, 5, 6)):
            assert drawn(secret, cards, seats) == winner_of(secret, cards, seats)


@pytest.mark.clause("MA-MINI:12(j)#2")
def test_whoever_reads_the_record_can_prove_every_draw_of_a_day() -> None:
    session = TableSession(rules_of(**SETTINGS))
    record: list[Event] = []
    session.listeners.append(lambda _, events: record.extend(events))
    pilot = Autopilot(session, Chance(seed=12), dealer_errors=5)
    pilot.open(gaming_date=date(2026, 11, 20))
    for _ in range(3):
        pilot.play_shoe()
    commitment, above, opening, cards = "", 0, "", ""
    hands: dict[Hand, list[str]] = {}
    taking_part: tuple[int, ...] = ()
    shown, shown_before, reserve, draws = SEED, SEED, 0, 0
    for event in record:
        match event:
            case MysteryCommitted():
                commitment, above, opening = event.commitment, event.above_cents, ""
                assert above == shown
            case NoMoreBetsCalled():
                hands = {Hand.PLAYER: [], Hand.BANKER: []}
                cards = f"round {event.round}: "
            case CardDealt():
                hands[event.hand].append(event.card.notation)
            case ResultAnnounced():
                cards += " / ".join(" ".join(hand) for hand in hands.values())
            case ProgressiveRoundEnded():
                opening = opening or cards
            case MetersAdvanced():
                shown_before, shown = shown, event.meters["stax"]
                added = shown_before + 5 * len(event.seats)
                assert (shown, event.reserved_cents) == (min(added, MOST), max(0, added - MOST))
                reserve += event.reserved_cents
                taking_part = event.seats
            case StaxWon():
                draws += 1
                assert hashlib.sha256(bytes.fromhex(event.secret)).hexdigest() == commitment
                opening = opening or cards
                mystery = mystery_of(event.secret, above, MOST, opening)
                # It was hit in this round and in none before it.
                assert shown_before < mystery == event.mystery_cents <= shown == event.cents
                assert (event.opening, event.cards) == (opening, cards)
                assert event.seats == taking_part
                assert event.seat == winner_of(event.secret, cards, taking_part)
                shown, reserve = SEED + reserve, 0
            case _:
                pass
    assert draws > 20
    assert len(every(record, MysteryCommitted)) in {draws, draws + 1}


# --- fair --------------------------------------------------------------------------------------

# The 0.1 percent points of chi-square, from the printed tables, by degrees of freedom.
CHI_SQUARE_999: Final = {1: 10.828, 2: 13.816, 3: 16.266, 4: 18.467, 5: 20.515, 99: 148.230}


def chi_square(counted: Counter[int], cells: int) -> float:
    expected = counted.total() / cells
    found = [*counted.values(), *[0] * (cells - len(counted))]
    return sum((number - expected) ** 2 / expected for number in found)


def secrets(number: int, name: str) -> list[str]:
    return [hashlib.sha256(f"{name} {one}".encode()).hexdigest() for one in range(number)]


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.parametrize("seats", [(1, 2), (2, 4, 6), (1, 3, 4, 6), (1, 2, 3, 4, 5, 6)])
def test_each_who_took_part_is_drawn_as_often_as_any_other(seats: tuple[int, ...]) -> None:
    counted = Counter(
        drawn(secret, f"round {round_}", seats)
        for round_, secret in enumerate(secrets(12_000, "draw"))
    )
    assert set(counted) == set(seats)
    assert chi_square(counted, len(seats)) < CHI_SQUARE_999[len(seats) - 1]


@pytest.mark.usefixtures("rules_under_the_text")
def test_each_amount_above_the_seed_is_the_mystery_value_as_often_as_any_other() -> None:
    counted = Counter(
        mystery_cents(secret, FIRST, SEED, MOST) for secret in secrets(20_000, "value")
    )
    assert (min(counted), max(counted)) == (SEED + 1, MOST)
    assert chi_square(counted, 100) < CHI_SQUARE_999[99]


# Dealt out to six seats, four of the 2**256 numbers are left over, and to seven two: the last ones.
@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.parametrize(
    ("seats", "first", "winner"),
    [
        (6, 2**256 - 1, 2),
        (6, 2**256 - 4, 2),
        (6, 2**256 - 5, 6),
        (7, 2**256 - 2, 2),
        (7, 2**256 - 3, 7),
    ],
)
def test_a_number_that_would_favour_some_seats_is_thrown_away(
    seats: int, first: int, winner: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(key: bytes, text: bytes, name: str) -> bytes:
        """In place of HMAC: a number for the first text, and one for the second."""
        assert (key, name) == (bytes.fromhex(EARLY), "sha256")
        return (1 if text.endswith(b" 1") else first).to_bytes(32, "big")

    monkeypatch.setattr("croupier.money.stax.hmac.digest", digest)
    assert drawn(EARLY, "round 9", range(1, seats + 1)) == winner


@pytest.mark.usefixtures("rules_under_the_text")
def test_the_draw_of_one_round_tells_nothing_of_that_of_the_next() -> None:
    both = Counter(
        3 * (drawn(secret, "round 1", (1, 2, 3)) - 1) + drawn(secret, "round 2", (1, 2, 3))
        for secret in secrets(9_000, "rounds")
    )
    # Nine pairs of winners, each as often as any other; 26.124 for eight degrees of freedom.
    assert chi_square(both, 9) < 26.124


@pytest.mark.usefixtures("rules_under_the_text")
def test_a_draw_that_favours_somebody_would_be_found_out() -> None:
    """A check on the check: one in forty draws moved to another seat is far beyond the bound."""
    counted = Counter(
        1 if round_ % 40 == 0 else drawn(secret, f"round {round_}", (1, 2, 3, 4, 5, 6))
        for round_, secret in enumerate(secrets(12_000, "draw"))
    )
    assert chi_square(counted, 6) > CHI_SQUARE_999[5]


# --- nobody can choose -------------------------------------------------------------------------


def grinded(rounds: int, tries: int) -> tuple[Counter[int], Counter[int]]:
    """Let a house pick, of several secrets, the one that draws seat three under cards it expects.

    Returns which seat wins where the cards are those expected, and where they are dealt by chance.
    """
    chance = random.Random(20_261_122)
    seats = (1, 2, 3, 4, 5, 6)
    expected, dealt = Counter[int](), Counter[int]()
    for round_ in range(rounds):
        guess = f"round {round_}: {chance.getrandbits(64):x}"
        candidates = [f"{chance.getrandbits(256):064x}" for _ in range(tries)]
        chosen = next((one for one in candidates if drawn(one, guess, seats) == 3), candidates[0])
        expected[drawn(chosen, guess, seats)] += 1
        dealt[drawn(chosen, f"round {round_}: {chance.getrandbits(64):x}", seats)] += 1
    return expected, dealt


@pytest.mark.usefixtures("rules_under_the_text")
def test_a_house_that_grinds_secrets_gains_nothing() -> None:
    expected, dealt = grinded(3_000, 12)
    # Had the cards nothing to do with it, seat three would win nearly nine times in ten.
    assert expected[3] > 2_600
    assert chi_square(dealt, 6) < CHI_SQUARE_999[5]


# --- each commitment stands once -----------------------------------------------------------------


@pytest.mark.parametrize("given", [True, False])
def test_a_commitment_that_was_given_up_does_not_stand_again(given: bool) -> None:  # noqa: FBT001
    session = table(1, secret=LAST)
    session.execute(acts.ReplaceMystery("found in a drawer", LAST if given else None))
    answer = refused(session, CommitMystery(commitment_to(LAST)), "spent")
    assert answer.clauses == (*ma("12(j)#1", "12(j)#2"), "C156")
    session.execute(CommitMystery(commitment_to(MIDDLE)))


def test_a_commitment_whose_secret_was_revealed_does_not_stand_again() -> None:
    session = table(1, secret=EARLY)
    play(session, 1)
    only(session.execute(EndProgressiveRound(EARLY)), StaxWon)
    session.execute(acts.ClearLayout())
    refused(session, CommitMystery(commitment_to(EARLY)), "spent")
    session.execute(CommitMystery(commitment_to(MIDDLE)))
    # A draw later, both are spent.
    session.execute(acts.ReplaceMystery("lost"))
    for secret in (EARLY, MIDDLE):
        refused(session, CommitMystery(commitment_to(secret)), "spent")


# --- a stake that is found missing later -------------------------------------------------------


@pytest.mark.parametrize("later", [False, True])
def test_a_corrected_stake_takes_part_in_the_draw_of_its_own_round_alone(*, later: bool) -> None:
    session = table(1, 2, secret=MIDDLE)
    wager(session, (1, "tie", 100))
    settle(session, PLAYER_9_BANKER_8, (2, "tie", 100))
    of = max(session.position.house.settled)
    if later:
        session.execute(acts.ClearLayout())
        wager(session, (1, "tie", 100))
        session.execute(acts.CallNoMoreBets())
    missing = acts.CorrectSettlement(of, "the sensor failed", seat=2, wager="royal_9", cents=500)
    session.execute(missing)
    assert session.state[Progressive].seats == (() if later else (2,))
    if later:
        # The draw of that round is over: the shoe is found empty, and seat 2 may leave.
        session.execute(acts.FindShoeEmpty("Miro"))
        session.execute(acts.VoidRound())
        session.execute(acts.LeaveTable(2))


@pytest.mark.parametrize("cleared", [False, True])
def test_a_stake_that_is_recorded_once_the_round_was_ended_is_drawn_for_with_the_next(
    *, cleared: bool
) -> None:
    """The first round shows $10.05. The late share makes $10.10, which no round ended with."""
    secret = secret_where(range(1_006, 1_011))
    session = table(1, 2, secret=secret)
    events: list[Event] = []
    session.listeners.append(lambda _, heard: events.extend(heard))
    wager(session, (2, "tie", 100))
    play(session, 1)
    of = max(session.position.house.settled)
    session.execute(EndProgressiveRound())
    if cleared:
        session.execute(acts.ClearLayout())
    missing = acts.CorrectSettlement(of, "the sensor failed", seat=2, wager="royal_9", cents=500)
    corrected = only(session.execute(missing), acts.MetersCorrected)
    assert (corrected.meters["stax"], corrected.seats) == (SEED + 10, ())
    # In this order in every process, as others verify the log to its bytes.
    assert [*corrected.contributed] == [*session.rules.meter_shares["royal_9"]]
    if not cleared:
        refused(session, EndProgressiveRound(), "nobody")
        session.execute(acts.ClearLayout())
    carried, before = session.state[Progressive], len(events)
    play(session, 1)
    won = only(session.execute(EndProgressiveRound(secret)), StaxWon)
    assert (won.cents, won.seats) == (SEED + 15, (1,))
    committed = MysteryCommitted(commitment_to(secret), SEED, ())
    (draw,) = draws_of([committed, *events], MOST)
    assert draw.faults == []
    # So it is where the next day's log begins after the correction.
    (draw,) = draws_of(events[before:], MOST, carried)
    assert draw.faults == []
