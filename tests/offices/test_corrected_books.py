"""The books of a corrected record are those of a record without the mistake, to the cent.

Every submission plays two tables: one records a round as it was, the other with a mistake that is put
right later. Chips that were given too much are returned, so that nothing stays uncollected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final
from weakref import WeakKeyDictionary

import pytest
from msgspec.structs import replace

from croupier import acts, scenarios
from croupier.acts import SettlementCorrected
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Coup, Hand
from croupier.baccarat.wagers import Moment
from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.money import ledger
from croupier.money.stax import commitment_to
from croupier.rules import TableRules, read_submission, table_rules
from croupier.scenarios.plainest import secret_of
from croupier.table import Phase, Refusal
from croupier.table.dealing.dealing import card_due
from croupier.table.machine.inputs import drawn_unseen
from croupier.table.machine.position import Position
from croupier.table.machine.session import RefusedError, TableSession
from croupier.table.parts.progressive import Progressive
from support.project import ROOT, SUBMISSIONS
from support.volume import volume

LAWS: Final = ROOT / "examples" / "laws"
FOREIGN: Final = sorted(LAWS.glob("*/*table.toml"))
DRAWN: Final = Path("ma-royal-9-drawn")
"""The table of Royal 9, where the must-hit award is drawn after two wagers on it."""

TABLES: Final = [
    *(path for path in SUBMISSIONS if "blackjack" not in path.name), *FOREIGN, DRAWN,
]  # fmt: skip
CASES: Final = volume(20, 10, most=40)
DRAWS: Final = WeakKeyDictionary[TableSession, tuple[tuple[int, int], ...]]()
"""Who was drawn for the must-hit award at a table, and what the meter showed."""

LATER: Final = ("8h", "9d", "Kh", "Ks")
"""A round that Banker wins with naturals."""


@pytest.fixture(scope="module", autouse=True)
def with_foreign_laws() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(VARIABLE, str(LAWS))
        forget()
        yield
    forget()


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}" if path in FOREIGN else path.stem


@cache
def _rules(path: object) -> TableRules:
    of_royal_9 = next(one for one in SUBMISSIONS if one.stem == "ma-royal-9")
    submission = read_submission(of_royal_9 if path == DRAWN else path)  # type: ignore[arg-type]
    elections = dict(submission.elections)
    royal = dict(elections.get("wagers", {})).get("royal_9")
    if royal and royal.get("offered"):
        # At 0.05 a wager, two have the meter show the 1000.00 by which it must be hit.
        stax = {**royal["stax"], "seed": "999.90"} if path == DRAWN else {"offered": False}
        wagers = {**elections["wagers"], "royal_9": {**royal, "stax": stax}}
        elections["wagers"] = wagers
    return table_rules(replace(submission, elections=elections, limits=None))


def _opened(rules: TableRules, *, third: bool = False) -> TableSession:
    return TableSession(rules, position=_opened_at(rules, third))


@cache
def _opened_at(
    rules: TableRules,
    third: bool,  # noqa: FBT001  (who sits is a part of what is kept)
    until: Phase = Phase.BETTING,
) -> Position:
    """Return the position of a table that is opened once: nothing of it changes afterwards."""
    session = TableSession(rules)
    session.execute(acts.OpenTable(500_000_000, "Inez", "Ruben", rules.submission.on))
    for seat in (1, 2, 3) if third else (1, 2):
        session.execute(acts.SeatPatron(seat, f"Patron {seat}"))
        session.execute(acts.BuyChips(seat, 5_000_000))
    _until(session, until)
    if until is Phase.BETTING and "stax" in session.state[Progressive].meters:
        session.execute(acts.CommitMystery(commitment_to(secret_of(session.state))))
    return session.position


def _until(session: TableSession, phase: Phase, cards: tuple[Card, ...] = ()) -> None:
    """Do what is due, in the plainest way, until that phase; hands are dealt these cards."""
    left = list(cards)
    for _ in range(300):
        if session.state.phase is phase and (phase is not Phase.BETTING or _may_wager(session)):
            return
        if card_due(session.state):
            session.execute(acts.DrawCard(left.pop(0)))
            continue
        action = session.due()
        assert action is not None
        events = session.execute(scenarios.plainest(session.state, session.rules, action))
        won = tuple((one.seat, one.cents) for one in events if isinstance(one, acts.StaxWon))
        DRAWS[session] = DRAWS.get(session, ()) + won
    raise AssertionError(session.state.phase)


def _may_wager(session: TableSession) -> bool:
    action = session.due()
    return action is None or action.command is acts.CallNoMoreBets


def _wagers(rules: TableRules, random: Random) -> dict[int, dict[str, int]]:
    """Return wagers of any kind on offer, at a multiple of what each can be paid on."""
    placed: dict[int, dict[str, int]] = {}
    for seat in (1, 2):
        base = random.choice(("player", "banker", "tie"))
        apart = (
            rules.value("wagers.not_together", tuple)
            if rules.applies("wagers.not_together")
            else ()
        )
        excluded = {name for group in apart if base in group for name in group}
        others = [name for name in rules.offers if random.random() < 0.6 and name not in excluded]
        placed[seat] = {
            name: rules.offers[name].fixed_cents or 100_00 * random.randint(1, 9)
            for name in {base, *others}
        }
    return placed


def _hands(rules: TableRules, random: Random) -> tuple[Card, ...]:
    """Return the cards of a round in dealing order, often with kings and nines."""
    likely = [card for card in DECK if str(card)[0] in "K9Q"]
    coup = Coup(rules.tableau)
    cards: list[Card] = []
    while coup.due is not None:
        cards.append(random.choice(likely if random.random() < 0.6 else DECK))
        coup = coup.with_card(cards[-1])
    return tuple(cards)


class _Misread:
    """A card that is recorded as another one; third cards are due alike."""

    def __init__(self, rules: TableRules, cards: tuple[Card, ...], random: Random) -> None:
        self.at = random.randrange(len(cards))
        others = random.sample(DECK, len(DECK))
        for card in others:
            as_recorded = (*cards[: self.at], card, *cards[self.at + 1 :])
            if card is not cards[self.at] and _fits(rules, as_recorded):
                self.as_recorded, self.recorded = as_recorded, card
                break
        self.actual = cards[self.at]
        player = [0, 2, 4] if len(cards) > 4 and _drew(rules, cards) else [0, 2]
        self.hand = Hand.PLAYER if self.at in player else Hand.BANKER
        self.ordinal = self.at // 2 + 1 if self.at < 4 else 3


def _fits(rules: TableRules, cards: tuple[Card, ...]) -> bool:
    coup = Coup(rules.tableau)
    for card in cards:
        if coup.due is None:
            return False
        coup = coup.with_card(card)
    return coup.due is None


def _drew(rules: TableRules, cards: tuple[Card, ...]) -> bool:
    coup = Coup(rules.tableau)
    for card in cards[:4]:
        coup = coup.with_card(card)
    return coup.due is Hand.PLAYER


def _play(
    rules: TableRules,
    wagers: dict[int, dict[str, int]],
    cards: tuple[Card, ...],
    *,
    third: bool = False,
) -> TableSession:
    session = _opened(rules, third=third)
    for seat, stakes in wagers.items():
        session.execute(acts.PlaceWagers(seat, stakes))
    _until(session, Phase.DECIDED, cards)
    return session


def _round(
    session: TableSession, wagers: dict[int, dict[str, int]], cards: tuple[Card, ...]
) -> None:
    for seat, stakes in wagers.items():
        session.execute(acts.PlaceWagers(seat, stakes))
    _until(session, Phase.SETTLED, cards)
    _until(session, Phase.BETTING)


def _put_right(session: TableSession, command: acts.CorrectSettlement) -> bool:
    """Correct, with all that was given too much returned; ``False`` if no card says how."""
    answer = session.try_execute(command)
    if isinstance(answer, Refusal):
        assert answer.code in {"not_dealt", "same", "by_hand"}, answer
        return False
    (as_recorded,) = (one for one in answer if isinstance(one, SettlementCorrected))
    back = tuple(one.seat for one in as_recorded.differences if one.outcome == "uncollected")
    if back:
        session.execute(acts.CorrectSettlement(command.of, "returned", returned=back))
    assert session.ledger.in_balance
    return True


def _same_books(one: TableSession, other: TableSession) -> None:
    if DRAWS.get(one, ()) != DRAWS.get(other, ()):
        # A draw that was made stands (C170), also if its cards or its participants were others.
        return
    _same_now(one, other)
    if one.state.phase is Phase.SETTLED and "stax" in one.state[Progressive].meters:
        # What was put right before the draw is drawn alike.
        assert one.state[Progressive] == other.state[Progressive]
        _until(one, Phase.BETTING)
        _until(other, Phase.BETTING)
        assert DRAWS.get(one, ()) == DRAWS.get(other, ())
        _same_now(one, other)


def _same_now(one: TableSession, other: TableSession) -> None:
    books = [{k: v for k, v in s.ledger.balances.items() if v} for s in (one, other)]
    assert books[0] == books[1]
    assert one.state[Progressive].meters == other.state[Progressive].meters
    assert [(p.chips_cents, p.owed_cents) for p in one.state.seats.values()] == [
        (p.chips_cents, p.owed_cents) for p in other.state.seats.values()
    ]


def _settled(session: TableSession) -> int:
    session.execute(acts.SettleWagers())
    return session.position.sequence


def _same_after_settlement(
    true: TableSession, false: TableSession, cards: tuple[Card, ...]
) -> None:
    """Deal what is left of the cards, settle at both tables, and compare the books."""
    round_ = false.state.round
    dealt = 0 if round_ is None else len(round_.coup.player) + len(round_.coup.banker)
    _until(false, Phase.DECIDED, cards[dealt:])
    _settled(true)
    _settled(false)
    _same_books(true, false)


def _a_round_later(session: TableSession) -> None:
    _until(session, Phase.BETTING)
    _round(session, {2: {"tie": 100_00}}, tuple(map(Card.of, LATER)))


def _collected(session: TableSession) -> None:
    for seat, patron in session.state.seats.items():
        if patron.owed_cents:
            session.execute(acts.CollectVigorish(seat))


def _a_shoe_later(session: TableSession) -> None:
    _until(session, Phase.BETTING)
    before = session.state.shoe.number
    _collected(session)
    session.execute(acts.DeclareIdle(face_up=True))
    _until(session, Phase.BETTING)
    assert session.state.shoe.number == before + 1


def _relieved(session: TableSession) -> None:
    _until(session, Phase.BETTING)
    for role in (Role.DEALER, Role.FLOORPERSON):
        relief = acts.RelieveDealer if role is Role.DEALER else acts.RelieveFloorperson
        session.execute(relief(f"Another {role.value}"))


def _at_another_seat(session: TableSession) -> None:
    _until(session, Phase.BETTING)
    session.execute(acts.ChangeSeat(1, 4))


def _in_the_next_deal(session: TableSession) -> None:
    """Go on to the third card of the next round, with wagers on it."""
    _until(session, Phase.BETTING)
    session.execute(acts.PlaceWagers(2, {"banker": 100_00}))
    for card in LATER[:3]:
        _until_a_card_is_due(session)
        session.execute(acts.DrawCard(Card.of(card)))


MOMENTS: Final[dict[str, Callable[[TableSession], None]]] = {
    "settled": lambda _: None,
    "cleared": lambda session: _until(session, Phase.BETTING),
    "a-round-later": _a_round_later,
    "a-shoe-later": _a_shoe_later,
    "relieved": _relieved,
    "at-another-seat": _at_another_seat,
    "in-the-next-deal": _in_the_next_deal,
}


def _cases(*moments: str) -> list[Any]:
    """Return each table with each moment; a shoe later, those that may be idle in between."""
    return [
        pytest.param(path, moment, id=f"{moment}-{_name(path)}")
        for moment in moments
        for path in TABLES
        if moment != "a-shoe-later" or (path not in FOREIGN and _rules(path).applies("idle.spread"))
    ]


@pytest.mark.parametrize(("path", "moment"), _cases(*MOMENTS, "decided"))
def test_a_misread_card_leaves_no_trace_in_the_books(path: object, moment: str) -> None:
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem}{moment}"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        try:
            true = _play(rules, wagers, cards)
        except RefusedError:
            continue
        misread = _Misread(rules, cards, random)
        false = _play(rules, wagers, misread.as_recorded)
        if moment == "decided":
            early = false.position.house.early
            answer = false.try_execute(
                acts.CorrectMisreadCard(
                    misread.recorded, misread.actual, "Ruben", misread.hand, misread.ordinal
                )
            )
            assert not isinstance(answer, Refusal), answer
            if early is not None and misread.ordinal < 3:
                _put_right(false, acts.CorrectSettlement(
                    early, "misread", hand=misread.hand, ordinal=misread.ordinal,
                    actual=misread.actual,
                ))  # fmt: skip
            if false.state.phase is not Phase.DECIDED:
                continue
            _settled(true)
            _settled(false)
        else:
            _settled(true)
            of = _settled(false)
            for one in (true, false):
                MOMENTS[moment](one)
            if not _put_right(false, acts.CorrectSettlement(
                of, "misread", hand=misread.hand, ordinal=misread.ordinal, actual=misread.actual
            )):  # fmt: skip
                continue
        corrected += 1
        if moment == "a-shoe-later":
            # What the correction marks is owed again.
            _collected(false)
        _same_books(true, false)
    assert corrected > CASES // 4


def _corrected_in_the_deal(
    session: TableSession, misread: _Misread, cards: tuple[Card, ...]
) -> None:
    """Deal the round; put the misread card right as soon as the table takes it."""
    left = [misread.recorded if at == misread.at else card for at, card in enumerate(cards)]
    correct = acts.CorrectMisreadCard(
        misread.recorded, misread.actual, "Ruben", misread.hand, misread.ordinal
    )
    is_right = False
    for _ in range(300):
        if len(left) < len(cards) - misread.at and not is_right:
            is_right = not isinstance(answer := session.try_execute(correct), Refusal)
            assert is_right or answer.code == "unturned", answer  # type: ignore[union-attr]
        if session.state.phase is Phase.DECIDED:
            break
        if card_due(session.state):
            session.execute(acts.DrawCard(left.pop(0)))
            continue
        action = session.due()
        assert action is not None
        session.execute(scenarios.plainest(session.state, session.rules, action))
    assert is_right


def _burn(session: TableSession, cards: list[Card]) -> None:
    unseen = drawn_unseen(session.state, session.rules)
    card = cards.pop(0)
    session.execute(acts.DrawCard(None if unseen else card))


def _following(first: Card) -> int:
    return 10 if str(first)[0] in "TJQK" else "A23456789".index(str(first)[0]) + 1


@pytest.mark.parametrize("path", TABLES, ids=_name)
def test_a_misread_first_card_of_the_burn_leaves_no_trace(path: object) -> None:
    """It is put right during the burn, after it, and after wagers; the two tables are the same."""
    rules, random = _rules(path), Random(f"{Path(str(path)).stem} burn")
    if not rules.applies("burn.count"):
        return
    for _ in range(CASES // 2):
        recorded, actual, *others = random.sample(DECK, 14)
        wagers = {1: {"player": 100_00}} if random.random() < 0.5 else {}
        begun = _opened_at(rules, third=False, until=Phase.TO_BURN)
        false, true = (TableSession(rules, position=begun) for _ in range(2))
        true.execute(acts.DrawCard(actual))
        false.execute(acts.DrawCard(recorded))
        left, followed = [*others], random.randint(0, _following(recorded))
        while false.state.phase is Phase.TO_BURN and len(others) - len(left) < followed:
            _burn(false, left)
        bets_open = false.state.phase is Phase.BETTING
        for seat, stakes in wagers.items() if bets_open and _may_wager(false) else ():
            false.execute(acts.PlaceWagers(seat, stakes))
        false.execute(acts.CorrectMisreadCard(recorded, actual, "Ruben", ordinal=1))
        true_left = [*others]
        while true.state.phase is Phase.TO_BURN:
            _burn(true, true_left)
        while false.state.phase is Phase.TO_BURN:
            _burn(false, left)
        for seat, stakes in wagers.items() if bets_open and _may_wager(true) else ():
            true.execute(acts.PlaceWagers(seat, stakes))
        if len(left) == len(true_left):
            assert false.state == true.state
        else:
            assert followed > _following(actual)
            assert false.state.shoe.burned[: _following(actual) + 1] == true.state.shoe.burned
            assert false.state.phase is Phase.BETTING


def _discard(session: TableSession, cards: list[Card], most: int = 99) -> None:
    while session.state.to_discard and most:
        session.execute(
            acts.DrawCard(None if drawn_unseen(session.state, session.rules) else cards[0])
        )
        del cards[0]
        most -= 1


@pytest.mark.parametrize("path", TABLES, ids=_name)
def test_a_misread_discarded_card_leaves_no_trace(path: object) -> None:
    """It is put right while others are discarded with it, after them, and after wagers."""
    rules, random = _rules(path), Random(f"{Path(str(path)).stem} discards")
    for _ in range(CASES):
        recorded, actual, *others = random.sample(DECK, 40)
        found: Callable[[Card], acts.Command] = acts.FindFaceUpCard
        if random.random() < 0.5:
            found = partial(acts.DrawCardInError, disclosed=True)
        false, true = _opened(rules), _opened(rules)
        true.execute(found(actual))
        false.execute(found(recorded))
        most, left, true_left = random.randint(0, 11), [*others], [*others]
        _discard(false, left, most)
        wagers = acts.PlaceWagers(1, {"player": 100_00})
        bets = not false.state.to_discard and _may_wager(false) and random.random() < 0.5
        if bets:
            false.execute(wagers)
        shoe = false.state.shoe
        at = len(shoe.burned) + 1 if shoe.discarded else 0
        false.execute(acts.CorrectMisreadCard(recorded, actual, "Ruben", ordinal=at))
        _discard(false, left)
        _discard(true, true_left)
        if bets:
            true.execute(wagers)
        if len(left) == len(true_left):
            assert false.state == true.state
        else:
            assert len(left) < len(true_left)
            assert not false.state.to_discard


@pytest.mark.parametrize("path", TABLES, ids=_name)
def test_a_misread_card_put_right_in_the_deal_leaves_no_trace_in_the_books(path: object) -> None:
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem} deal"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        try:
            true = _play(rules, wagers, cards)
        except RefusedError:
            continue
        false = _opened(rules)
        for seat, stakes in wagers.items():
            false.execute(acts.PlaceWagers(seat, stakes))
        _corrected_in_the_deal(false, _Misread(rules, cards, random), cards)
        _settled(true)
        _settled(false)
        corrected += 1
        _same_books(true, false)
    assert corrected > CASES // 4


@pytest.mark.parametrize("path", TABLES, ids=_name)
def test_a_wrong_stake_put_right_before_the_settlement_leaves_no_trace_in_the_books(
    path: object,
) -> None:
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem} early stake"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        wager = random.choice([*wagers[1]])
        cents = wagers[1][wager]
        fixed = rules.offers[wager].fixed_cents
        as_recorded = {**wagers[1], wager: random.choice((0, 0 if fixed else cents + 100_00))}
        as_recorded = {name: amount for name, amount in as_recorded.items() if amount}
        try:
            true, false = _play(rules, wagers, cards), _opened(rules)
            false.execute(acts.PlaceWagers(1, as_recorded))
            of = false.position.sequence
            false.execute(acts.PlaceWagers(2, wagers[2]))
        except (RefusedError, ValueError):
            continue
        correct = acts.CorrectWager(of, 1, wager, cents, "it lies there")
        # Before the call, during the deal, or once it is decided.
        for card in cards[: random.choice((0, 2, 3, len(cards)))]:
            _until_a_card_is_due(false)
            false.execute(acts.DrawCard(card))
        answer = false.try_execute(correct)
        if isinstance(answer, Refusal):
            # House Money is settled in the deal: its wager is not there any more.
            assert answer.code in {"settled", "entry"}, answer
            continue
        assert answer[0].clauses[0].startswith(rules.law.clause_prefix)
        _same_after_settlement(true, false, cards)
        corrected += 1
    assert corrected > CASES // 8


def _moved(
    wagers: dict[int, dict[str, int]], random: Random
) -> tuple[dict[int, dict[str, int]], dict[str, int]]:
    """Return the wagers as if one or all of seat 1 had been put down for seat 3, and which."""
    names = [*wagers[1]] if random.random() < 0.5 else [random.choice([*wagers[1]])]
    moved = {name: wagers[1][name] for name in names}
    left = {name: cents for name, cents in wagers[1].items() if name not in moved}
    as_recorded = {1: left, 2: wagers[2], 3: moved}
    return {seat: stakes for seat, stakes in as_recorded.items() if stakes}, moved


def _in_order(moved: dict[str, int], *, taken: bool) -> list[str]:
    """Return wagers so that each finds what it needs: it is put down last, and taken off first."""
    names = sorted(moved, key=lambda name: name not in ("player", "banker", "tie"))
    return names[::-1] if taken else names


@pytest.mark.parametrize("path", TABLES, ids=_name)
def test_a_wager_on_the_wrong_seat_put_right_before_the_settlement_leaves_no_trace(
    path: object,
) -> None:
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem} seat"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        as_recorded, moved = _moved(wagers, random)
        try:
            true, false = _play(rules, wagers, cards, third=True), _opened(rules, third=True)
            for seat, stakes in as_recorded.items():
                false.execute(acts.PlaceWagers(seat, stakes))
                of = false.position.sequence
        except RefusedError:
            continue
        for card in cards[: random.choice((0, 2, 3))]:
            _until_a_card_is_due(false)
            false.execute(acts.DrawCard(card))
        for seat, taken in ((1, False), (3, True)):
            for name in _in_order(moved, taken=taken):
                cents = 0 if taken else moved[name]
                false.execute(acts.CorrectWager(of, seat, name, cents, "it lies at seat 1"))
        _same_after_settlement(true, false, cards)
        corrected += 1
    assert corrected > CASES // 8


@pytest.mark.parametrize(("path", "moment"), _cases("settled", "a-shoe-later"))
def test_a_wager_on_the_wrong_seat_leaves_no_trace_in_the_books(path: object, moment: str) -> None:
    """One wager of a patron, or the only ones, recorded for another who had none."""
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem}{moment} seat"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        as_recorded, moved = _moved(wagers, random)
        try:
            true = _play(rules, wagers, cards, third=True)
            false = _play(rules, as_recorded, cards, third=True)
        except RefusedError:
            continue
        _settled(true)
        of = _settled(false)
        for one in (true, false):
            MOMENTS[moment](one)
        is_right = all(
            _put_right(false, acts.CorrectSettlement(
                of, "seat", seat=seat, wager=name, cents=0 if taken else moved[name]
            ))
            for seat, taken in ((1, False), (3, True))
            for name in _in_order(moved, taken=taken)
        )  # fmt: skip
        if not is_right:
            continue
        corrected += 1
        if moment == "a-shoe-later":
            _collected(false)
        _same_books(true, false)
    assert corrected > CASES // 8


def _until_a_card_is_due(session: TableSession) -> None:
    for _ in range(20):
        if card_due(session.state):
            return
        action = session.due()
        assert action is not None
        session.execute(scenarios.plainest(session.state, session.rules, action))


@pytest.mark.parametrize(("path", "moment"), _cases(*MOMENTS))
def test_a_wrong_stake_leaves_no_trace_in_the_books(path: object, moment: str) -> None:
    """A stake recorded as another one, or not at all, of every kind of wager."""
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem}{moment} stake"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        wager = random.choice([*wagers[1]])
        cents = wagers[1][wager]
        recorded = 0 if rules.offers[wager].fixed_cents else random.choice((0, cents + 100_00))
        as_recorded = {**wagers[1], wager: recorded}
        as_recorded = {name: amount for name, amount in as_recorded.items() if amount}
        if (
            rules.offers[wager].wager.settled_at is Moment.FOUR_CARDS
            and not recorded
            and not as_recorded
        ):
            continue
        try:
            true = _play(rules, wagers, cards)
            false = _play(rules, {**wagers, 1: as_recorded}, cards)
        except RefusedError:
            continue
        _settled(true)
        of = _settled(false)
        for one in (true, false):
            MOMENTS[moment](one)
        command = acts.CorrectSettlement(of, "stake", seat=1, wager=wager, cents=cents)
        if not _put_right(false, command):
            continue
        corrected += 1
        if moment == "a-shoe-later":
            # What the correction marks is owed again.
            _collected(false)
        _same_books(true, false)
    assert corrected > CASES // 8


@pytest.mark.parametrize(("path", "moment"), _cases("settled", "cleared", "in-the-next-deal"))
def test_several_mistakes_of_a_round_leave_no_trace_in_the_books(path: object, moment: str) -> None:
    """Wagers on the wrong seat, a misread card and a wrong stake, put right in any order."""
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem}{moment} all"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        as_recorded, moved = _moved(wagers, random)
        wager = random.choice([*wagers[2]])
        cents = wagers[2][wager]
        stake = 0 if rules.offers[wager].fixed_cents else random.choice((0, cents + 100_00))
        as_recorded[2] = {
            name: amount for name, amount in ({**wagers[2], wager: stake}).items() if amount
        }
        misread = _Misread(rules, cards, random)
        try:
            true = _play(rules, wagers, cards, third=True)
            as_recorded = {seat: stakes for seat, stakes in as_recorded.items() if stakes}
            false = _play(rules, as_recorded, misread.as_recorded, third=True)
        except RefusedError:
            continue
        _settled(true)
        of = _settled(false)
        for one in (true, false):
            MOMENTS[moment](one)
        corrections = [
            [acts.CorrectSettlement(
                of, "card", hand=misread.hand, ordinal=misread.ordinal, actual=misread.actual
            )],
            [acts.CorrectSettlement(of, "stake", seat=2, wager=wager, cents=cents)],
            [
                acts.CorrectSettlement(
                    of, "seat", seat=seat, wager=name, cents=0 if taken else moved[name]
                )
                for seat, taken in ((1, False), (3, True))
                for name in _in_order(moved, taken=taken)
            ],
        ]  # fmt: skip
        random.shuffle(corrections)
        if not all(_put_right(false, one) for kind in corrections for one in kind):
            continue
        corrected += 1
        if moment == "a-shoe-later":
            _collected(false)
        _same_books(true, false)
    assert corrected > CASES // 8


@pytest.mark.parametrize("path", TABLES, ids=_name)
def test_of_a_patron_who_has_left_only_what_cannot_be_collected_is_missing(path: object) -> None:
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem} left"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        wager = random.choice([*wagers[1]])
        fixed = rules.offers[wager].fixed_cents
        as_recorded = {
            **wagers[1],
            wager: 0 if fixed else random.choice((0, wagers[1][wager] + 100_00)),
        }
        as_recorded = {name: amount for name, amount in as_recorded.items() if amount}
        misread = _Misread(rules, cards, random) if random.random() < 0.5 else None
        try:
            true = _play(rules, wagers, cards)
            if misread is None:
                false = _play(rules, {**wagers, 1: as_recorded}, cards)
            else:
                false = _play(rules, wagers, misread.as_recorded)
        except RefusedError:
            continue
        _settled(true)
        of = _settled(false)
        for one in (true, false):
            _until(one, Phase.BETTING)
            _collected(one)
            one.execute(acts.LeaveTable(1))
        command = acts.CorrectSettlement(of, "stake", seat=1, wager=wager, cents=wagers[1][wager])
        if misread is not None:
            command = acts.CorrectSettlement(
                of, "card", hand=misread.hand, ordinal=misread.ordinal, actual=misread.actual
            )
        if isinstance(answer := false.try_execute(command), Refusal):
            assert answer.code in {"not_dealt", "by_hand", "same"}, answer
            continue
        if false.state[Progressive].meters != true.state[Progressive].meters:
            # Some of a meter is not collected either.
            continue
        _collected(false)
        uncollected = false.ledger.balance(ledger.UNCOLLECTED)
        assert true.ledger.table_win_cents == false.ledger.table_win_cents + uncollected
        assert false.ledger.in_balance
        corrected += 1
    assert corrected > CASES // 8


@pytest.mark.parametrize(("path", "moment"), _cases("settled", "a-round-later", "at-another-seat"))
def test_a_wrong_payment_that_is_returned_leaves_no_trace_in_the_books(
    path: object, moment: str
) -> None:
    rules, random, corrected = _rules(path), Random(f"{Path(str(path)).stem}{moment} payment"), 0
    for _ in range(CASES):
        wagers, cards = _wagers(rules, random), _hands(rules, random)
        try:
            true, false = _play(rules, wagers, cards), _play(rules, wagers, cards)
        except RefusedError:
            continue
        _settled(true)
        of = _settled(false)
        for one in (true, false):
            MOMENTS[moment](one)
        wager = random.choice([*wagers[1]])
        handed = random.choice((0, 5_00, 777_00))
        if not _put_right(
            false, acts.CorrectSettlement(of, "paid", seat=1, wager=wager, paid_cents=handed)
        ):
            continue
        corrected += 1
        _same_books(true, false)
    assert corrected > CASES // 4


@pytest.mark.parametrize("moment", ["settled", "cleared"])
def test_a_draw_of_the_must_hit_award_is_among_the_cases(moment: str) -> None:
    """A payment that was wrong leaves no trace where the round drew an award."""
    rules, drawn = _rules(DRAWN), 0
    for cards in (LATER, ("2h", "3d", "Kh", "9s", "5c", "Ks"), ("Ks", "2d", "9h", "Kc")):
        wagers = {seat: {"player": 100_00, "royal_9": 5_00} for seat in (1, 2)}
        true, false = (_play(rules, wagers, tuple(map(Card.of, cards))) for _ in range(2))
        _settled(true)
        of = _settled(false)
        for one in (true, false):
            MOMENTS[moment](one)
        assert _put_right(
            false, acts.CorrectSettlement(of, "paid", seat=1, wager="player", paid_cents=777_00)
        )
        _same_books(true, false)
        assert DRAWS[true] == DRAWS[false]
        ((_, shown),) = DRAWS[true]
        drawn += shown == 1_000_00
    assert drawn == 3


def test_the_cases_have_every_kind_of_wager() -> None:
    placed = set[str]()
    for path in TABLES:
        rules, random = _rules(path), Random(f"{Path(str(path)).stem}")
        for _ in range(CASES):
            placed.update(name for one in _wagers(rules, random).values() for name in one)
    assert {"player", "banker", "tie", "house_money", "royal_9", "dragon_7", "panda_8"} <= placed
