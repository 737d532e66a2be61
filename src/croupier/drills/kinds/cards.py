"""Questions about hands."""

from __future__ import annotations

from functools import partial
from typing import Final

from croupier import acts
from croupier.acts import Command
from croupier.baccarat.cards import Card, faces
from croupier.baccarat.coup import NO_THIRD_CARD, TIED, Hand, point_count, winner_name
from croupier.drills.marking import readings_taken, rests_on, why_of
from croupier.drills.room import (
    Asking,
    FieldValues,
    Question,
    asks,
    dealt_in_full,
    drawn_card,
    drawn_hand,
    heard_events,
    rest_of,
)
from croupier.rules import TableRules
from croupier.scenarios import Stage
from croupier.table.dealing.dealing import card_due
from croupier.table.machine.core import Events
from croupier.table.machine.offered import Field

_NONE: Final = "none"
_NEXT: Final = Field(
    "next",
    "choice",
    "Next",
    choices=(
        *((hand.value, f"{hand.title} draws a third card") for hand in Hand),
        (_NONE, "No more cards: the result is announced"),
    ),
)


def shown_hands(stage: Stage, *, with_counts: bool = False) -> tuple[tuple[str, str], ...]:
    round_ = stage.state.round
    if round_ is None or not round_.coup.player:
        return ()
    dealt = {hand: round_.coup.hand(hand) for hand in Hand}
    return tuple(
        (hand.title, faces(cards) + (f" (counts {point_count(cards[:2])})" if with_counts else ""))
        for hand, cards in dealt.items()
    )


# --- third cards -------------------------------------------------------------------------------


def _cells(rules: TableRules) -> list[tuple[int, int]]:
    table = rules.tableau.banker_draws
    rule = rules.law.rules["third.banker"]
    rows = [one for one in (rule.value, *rule.value_by_reading.values()) if isinstance(one, dict)]
    cells = []
    for count in range(8):
        for third in range(11):
            neighbors = [(count - 1, third), (count + 1, third)]
            neighbors += [(count, third + step) for step in (-1, 1) if third != NO_THIRD_CARD]
            action = table[count][third]
            is_turn = any(
                0 <= row < 8 and 0 <= column < 10 and table[row][column] != action
                for row, column in neighbors
            )
            # As printed: the letter for no third card, then those for 0 to 9.
            letters = {row[str(count)][(third + 1) % 11] for row in rows}
            if is_turn or len(letters) > 1:
                cells.append((count, third))
    return cells


def _cell(asking: Asking) -> tuple[int, int, int] | None:
    chance, tableau = asking.chance, asking.room.rules.tableau
    draws = [count for count in range(8) if tableau.player_draws[count]]
    standing_counts = [count for count in range(10) if count not in draws]
    if asking.level == 1:
        return chance.below(10), chance.below(10), NO_THIRD_CARD
    if asking.level == 2:
        banker, third = chance.below(8), chance.below(11)
    elif cells := _cells(asking.room.rules):
        banker, third = chance.choose(cells)
    else:
        return None
    # A table may have Player's Hand always draw, or never.
    players = standing_counts if third == NO_THIRD_CARD else draws
    return (chance.choose(players), banker, third) if players else None


@asks("third-card", "Third cards, by the drawing table of the regulation")
def _third_card(asking: Asking) -> Question | None:
    stage = asking.room.at("called")
    if stage is None:
        return None
    chance = asking.chance
    cell = _cell(asking)
    if cell is None:
        return None
    player, banker, third = cell
    player_cards = drawn_hand(chance, stage, player)
    banker_cards = drawn_hand(chance, stage, banker, player_cards)
    cards: tuple[Card, ...] = (player_cards[0], banker_cards[0], player_cards[1], banker_cards[1])
    if third != NO_THIRD_CARD:
        cards = (*cards, drawn_card(chance, stage, third, cards))
    old_stage, new_stage = dealt_in_full(stage, cards)
    events = heard_events(new_stage)
    rulings = tuple(event for event in events if isinstance(event, acts.ThirdCardRuled))
    if not rulings:
        return None
    read_by = ("third.reading", "third.most", "third.hand_over") if len(cards) > 4 else ()
    reasons = why_of(rulings, asking.room.rules)
    return Question(
        "These cards lie open. What comes next?",
        (
            *shown_hands(new_stage, with_counts=asking.level == 1),
            *readings_taken(reasons, asking.room.rules),
        ),
        (_NEXT,),
        _ruling(events),
        old_stage,
        tuple(command for command, _ in new_stage.heard),
        _ruling,
        partial(_drawn_all_the_same, new_stage),
        (*reasons, *rests_on(asking.room.rules, *read_by)),
    )


def _ruling(events: Events) -> FieldValues:
    drawing = (event for event in events if isinstance(event, acts.ThirdCardRuled) and event.draws)
    hand = next(drawing, None)
    return {"next": _NONE if hand is None else hand.hand.value}


def _drawn_all_the_same(new_stage: Stage, answer: FieldValues) -> tuple[Command, ...]:
    hand_name = answer.get("next")
    if hand_name is None:
        return ()
    if hand_name == _NONE:
        return (acts.SettleWagers(),)
    card = new_stage.spare_card()
    error = acts.DrawCardInError(card, disclosed=True, dealt_to=Hand(hand_name))
    return (error,) if card_due(new_stage.state) else (acts.DrawCard(card), error)


# --- Point Counts and what is announced --------------------------------------------------------


def _any_round(asking: Asking) -> tuple[Stage, Stage] | None:
    stage = asking.room.at("called")
    if stage is None:
        return None
    chance, cards = asking.chance, list[Card]()
    dealing = stage.fork()
    for number in range(6):
        card = drawn_card(chance, stage, chance.below(10), tuple(cards))
        cards.append(card)
        old_stage, dealing = dealt_in_full(dealing.fork(), (card,))
        if number >= 3 and any(isinstance(event, acts.ResultAnnounced) for event in dealing.events):
            return old_stage, dealing
    return None


_WINNER: Final = Field(
    "winner",
    "choice",
    "Winner",
    choices=(*((hand.value, f"{hand.title} wins") for hand in Hand), (TIED, "A tie")),
)
_NATURAL: Final = Field("natural", "choice", "Natural", choices=(("yes", "Yes"), ("no", "No")))


@asks("counts", "Point Counts, naturals, and who wins")
def _counts(asking: Asking) -> Question | None:
    if asking.level == 1:
        return _one_count(asking)
    stages = _any_round(asking)
    if stages is None:
        return None
    old_stage, new_stage = stages
    events = heard_events(new_stage)
    return Question(
        "The hands are complete. What do they count?",
        shown_hands(new_stage),
        (
            *(Field(hand.value, "count", f"Count of {hand.title}") for hand in Hand),
            _WINNER,
        ),
        _result(events),
        old_stage,
        tuple(command for command, _ in new_stage.heard),
        _result,
        why=(
            *why_of(_of_kind(acts.ResultAnnounced, None, events), asking.room.rules),
            *rests_on(asking.room.rules, "point_count", "deal.two_hands"),
        ),
    )


def _result(events: Events) -> FieldValues:
    event = next(event for event in events if isinstance(event, acts.ResultAnnounced))
    counts = {Hand.PLAYER: event.player_count, Hand.BANKER: event.banker_count}
    return {
        **{hand.value: str(count) for hand, count in counts.items()},
        "winner": winner_name(event.winner),
    }


def _one_count(asking: Asking) -> Question | None:
    deal = _first_four(asking)
    if deal is None:
        return None
    old_stage, new_stage, hand = deal
    events = heard_events(new_stage)
    round_ = new_stage.state.round
    cards = () if round_ is None else round_.coup.hand(hand)[:2]
    key = _called_counts(hand, events)
    return Question(
        f"{hand.title} has these first two cards. What do they count?",
        ((hand.title, faces(cards)),),
        (Field("count", "count", "Point Count"), _NATURAL),
        key,
        old_stage,
        tuple(command for command, _ in new_stage.heard),
        partial(_called_counts, hand),
        why=(
            *why_of(_of_kind(acts.PointCountAnnounced, hand, events), asking.room.rules),
            *rests_on(asking.room.rules, "point_count"),
        ),
    )


def _first_four(asking: Asking) -> tuple[Stage, Stage, Hand] | None:
    stage = asking.room.at("called")
    if stage is None:
        return None
    chance = asking.chance
    player_cards = drawn_hand(
        chance, stage, 8 + chance.below(2) if chance.below(3) == 0 else chance.below(10)
    )
    banker_cards = drawn_hand(chance, stage, chance.below(10), player_cards)
    # Hands turned one by one are announced one by one, so all four cards precede both.
    stage.deal((player_cards[0], banker_cards[0], player_cards[1]))
    old_stage = stage.fork()
    new_stage = old_stage.fork()
    new_stage.deal((banker_cards[1],))
    rest_of(new_stage)
    return old_stage, new_stage, chance.choose(tuple(Hand))


def _called_counts(hand: Hand, events: Events) -> FieldValues:
    call = next(
        one for one in events if isinstance(one, acts.PointCountAnnounced) and one.hand is hand
    )
    return {"count": str(call.count), "natural": "yes" if call.natural else "no"}


@asks("announcements", "The exact words that the dealer speaks")
def _announcements(asking: Asking) -> Question | None:
    if asking.level == 1:
        return _call_of_counts(asking) if asking.chance.below(3) else _no_more_bets(asking)
    stages = _any_round(asking)
    if stages is None:
        return None
    old_stage, after = stages
    return _spoken_question(
        asking, old_stage, after, acts.ResultAnnounced, "The round is over. What is announced?"
    )


def _call_of_counts(asking: Asking) -> Question | None:
    deal = _first_four(asking)
    if deal is None:
        return None
    old_stage, new_stage, hand = deal
    words = f"The first two cards of {hand.title} lie open. What is called?"
    return _spoken_question(asking, old_stage, new_stage, acts.PointCountAnnounced, words, hand)


def _no_more_bets(asking: Asking) -> Question | None:
    old_stage = asking.room.at("wagered")
    if old_stage is None:
        return None
    new_stage = old_stage.fork()
    new_stage.begin()
    words = "Everybody has wagered, and the deal is to begin. What is called?"
    return _spoken_question(asking, old_stage, new_stage, acts.NoMoreBetsCalled, words)


def _spoken_question(  # noqa: PLR0913, PLR0917  (what is asked, and where)
    asking: Asking,
    old_stage: Stage,
    new_stage: Stage,
    kind: type[acts.Event],
    words: str,
    hand: Hand | None = None,
) -> Question:
    events = heard_events(new_stage)
    words_of = partial(_words_of, kind, hand)
    return Question(
        words,
        shown_hands(new_stage),
        (Field("words", "text", "Words"),),
        words_of(events),
        old_stage,
        tuple(command for command, _ in new_stage.heard),
        words_of,
        why=why_of(_of_kind(kind, hand, events), asking.room.rules),
    )


def _of_kind(kind: type[acts.Event], hand: Hand | None, events: Events) -> Events:
    return tuple(
        event
        for event in events
        if isinstance(event, kind) and (hand is None or getattr(event, "hand", None) is hand)
    )


def _words_of(kind: type[acts.Event], hand: Hand | None, events: Events) -> FieldValues:
    return {"words": str(getattr(_of_kind(kind, hand, events)[0], "words", ""))}
