"""Outcomes of commands, and events, as earlier versions of the program recorded them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from croupier import acts
from croupier.acts import Event, RulingGiven
from croupier.baccarat.coup import Coup
from croupier.law.interpretations import Edition, editions, is_listed
from croupier.law.model import Instrument
from croupier.money.forms import FormBook
from croupier.records.codec import NAMED_EVERY_LINE, PARTLY_CITED, upcast
from croupier.rules import TableRules, remembered, rules_under
from croupier.table.dealing.dealing import ruled_so_far
from croupier.table.elections.election_changes import rules_after
from croupier.table.irregular.disputes import Disputes
from croupier.table.machine import hooks
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.position import Position, Stamp, allowed, allowed_unnamed
from croupier.table.machine.state import Phase, RoundState, TableState, with_slice
from croupier.table.parts.curator import CuratorState
from croupier.table.settling.settling import give_back


class _Entry(NamedTuple):
    position: Position
    command: acts.Command
    stamp: Stamp

    def answer(self, **changes: Any) -> Answer:
        """Today's answer to the command, in a changed position."""
        return allowed_unnamed(replace(self.position, **changes), self.command, self.stamp)


Answer: TypeAlias = "Events | Refusal"
Former: TypeAlias = "Callable[[_Entry, Answer], Iterator[Answer]]"
"""Yields the former outcomes of a command, given today's outcome."""

_FORMER: Final[dict[str, tuple[int, Former]]] = {}
"""What a correction of a procedure replaced, and the last version of citations that lacked it."""

_READ_BEFORE: Final = {
    "damaged_card.fate": "void",
    "away_debtor.when": "reshuffle",
    "removed_decks.record": "elsewhere",
    "early_change.by": "dealer",
    "disputed_award.payment": "paid",
}
"""Readings that earlier versions of the citations carried out, where the default is another."""

_BY_ABSENT_PATRONS: Final = (
    acts.WithdrawWager, acts.ChangeChips, acts.PrepareForm, acts.DrawCardInError,
)  # fmt: skip


def _before(correction: str, *, edition: int) -> Callable[[Former], Former]:
    def register(function: Former) -> Former:
        _FORMER[correction] = edition, function
        return function

    return register


def hashes_ever(rules: TableRules) -> frozenset[str]:
    return frozenset(
        FormerRules(edition, rules).rules(rules).sha256_with(entries)
        for edition in editions()
        if edition.law == rules.law.key
        for entries in ((), *edition.counted)
    )


def _corrected_since(rules: TableRules, cited_sha256: str) -> Iterator[str]:
    edition = rules.cited_sha256_before().get(cited_sha256)
    for name, (limit, _) in _FORMER.items():
        if edition is not None and edition <= limit and name in rules.law.rules:
            yield name


class FormerRules:
    """What an edition of a law decided; under a law that is not included, an earlier program."""

    def __init__(self, edition: Edition, rules: TableRules, cited_sha256: str = "") -> None:
        self._edition: Final = edition
        corrections = (correction.of[0] for correction in edition.corrections_since(rules.law))
        self._since: Final = tuple(
            corrections if is_listed(rules.law) else _corrected_since(rules, cited_sha256)
        )
        self._known: Final[dict[TableRules, TableRules]] = {}
        self.counted: Collection[str] = ()

    def rules(self, rules: TableRules) -> TableRules:
        if not self._edition.values:
            return rules
        if rules not in self._known:
            self._known[rules] = rules_under(rules, self._edition.values)
        return self._known[rules]

    def hashes(self, rules: TableRules, readings: Mapping[str, str]) -> list[str]:
        former_rules, found_hashes = self.rules(rules), []
        for entries in ((), *self._edition.counted):
            if former_rules.binding_readings_with(entries) == readings:
                self.counted = self.counted or entries
                found_hashes.append(former_rules.sha256_with(entries))
        return found_hashes

    def bound(self, position: Position, command: acts.Command, events: Events) -> Events:
        """Events with the hash of adopted rules as it was computed when they were recorded."""
        if type(command) is not acts.AdoptElections:
            return events
        adopted_hash = self.rules(rules_after(position.rules, events)).sha256_with(self.counted)
        return _with_fields(acts.ElectionsAdopted, events, rules_sha256=adopted_hash)

    def answers(
        self, position: Position, command: acts.Command, stamp: Stamp, answer: Answer
    ) -> Iterator[tuple[tuple[str, ...], Events]]:
        """Yield alternative events under the edition, with the rules corrected since."""
        answers: list[tuple[tuple[str, ...], Answer]] = [((), answer)]
        for correction in self._since:
            _, function = _FORMER.get(correction, (0, self._under_values))
            answers += [
                ((*names, correction), answer_then)
                for names, answer_before in tuple(answers)
                for answer_then in function(_Entry(position, command, stamp), answer_before)
            ]
        for names, events in answers[1:]:
            if not isinstance(events, Refusal):
                yield names, self.bound(position, command, events)

    def _under_values(self, entry: _Entry, _answer: Answer) -> Iterator[Answer]:
        if self._edition.values:
            yield entry.answer(rules=self.rules(entry.position.rules))


def named_every_line(position: Position, events: object) -> Position | None:
    """Position at which events name every line of a wager, if recorded ``events`` do."""
    data = [item for item in events if isinstance(item, dict)] if isinstance(events, list) else []
    is_older = any((event.get("type"), event.get("v")) in NAMED_EVERY_LINE for event in data)
    return replace(position, rules=_naming_every_line(position.rules)) if is_older else None


@remembered
def _naming_every_line(rules: TableRules) -> TableRules:
    offers = {
        name: replace(offer, wager=replace(offer.wager, singled_out={}))
        for name, offer in rules.offers.items()
    }
    return replace(rules, offers=offers)


def before_readings(
    position: Position, command: acts.Command, stamp: Stamp
) -> Iterator[tuple[tuple[str, ...], Events]]:
    """Yield the events of a program that let names be blank, or lacked the later readings."""
    today = allowed_unnamed(position, command, stamp)
    is_blank = isinstance(allowed(position, command, stamp), Refusal)
    if is_blank and not isinstance(today, Refusal):
        yield ("blank names",), today
    for name, reading in _READ_BEFORE.items():
        for events in _under_reading(_Entry(position, command, stamp), name, reading):
            if not isinstance(events, Refusal) and events != today:
                yield (position.rules.entry(name),), events


@_before("shoe.hands_after_call", edition=2)
def _void_round_was_a_hand(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    state, rules, round_ = entry.position.state, entry.position.rules, entry.position.state.round
    if isinstance(answer, Refusal):
        if answer.code == "simulated_round_due":
            yield entry.answer(state=replace(state, simulate_with=()))
        return
    if type(entry.command) is not acts.ClearLayout or round_ is None:
        return
    today, *events = answer
    if not isinstance(today, acts.LayoutCleared):
        return
    counts = not round_.simulated or rules.reading("simulated_round.hand") == "counts"
    end = hooks.round_over.ask(state, round_, rules)
    for event in {today.counted: today, counts: replace(today, counted=counts)}.values():
        yield (event, *_end_of_hand(entry, counts=event.counted), *end)
        yield (event, *events)


def _end_of_hand(entry: _Entry, *, counts: bool) -> Events:
    state, rules, round_ = entry.position.state, entry.position.rules, entry.position.state.round
    completion = acts.ShoeCompleted(state.shoe.number, rules.cites("shoe.hands_after_call"))
    if state.hands_left is not None:
        if not counts or state.hands_left > 1:
            return ()
        return (completion, give_back(state, completion.clauses)) if state.stakes else (completion,)
    if not state.cutting_card_out or round_ is None:
        return ()
    if round_.began_with_cutting_card and rules.reading("cutting_card_first.hands") == "last":
        return (completion,)
    words = rules.value("announce.last_hand", str)
    hands = rules.value("shoe.hands_after_call", int)
    return (acts.LastHandCalled(words, hands, rules.cites("announce.last_hand")),)


@_before("announce.last_hand", edition=5)
def _hand_was_dealt_where_a_law_has_none(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Call a last hand after the cutting card also where no hand follows it."""
    state, rules, round_ = entry.position.state, entry.position.rules, entry.position.state.round
    if isinstance(answer, Refusal) or type(entry.command) is not acts.ClearLayout:
        return
    hands_after = state.flawed or rules.value("shoe.hands_after_call", int)
    if round_ is not None and state.hands_left is None and not hands_after:
        end = hooks.round_over.ask(state, round_, rules)
        yield (answer[0], *_end_of_hand(entry, counts=True), *end)


@_before("curator.ordered.by", edition=2)
def _dealer_was_curator_of_an_empty_table(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    if isinstance(answer, Refusal):
        return
    places = [place for place, event in enumerate(answer) if isinstance(event, acts.ShoePassed)]
    if not places or any(isinstance(event, acts.ShoeOffered) for event in answer):
        return
    place, event = places[-1], answer[places[-1]]
    curating = entry.position.state[CuratorState]
    if isinstance(event, acts.ShoePassed) and event.seat is None and curating.chosen:
        # The dealer already is the curator.
        yield (*answer[:place], *answer[place + 1 :])
        return
    clauses = entry.position.rules.cites_for("curator.dealer", "nobody_accepts")
    # Since the correction, a pass has no seat if no participant was left to reject the shoe.
    head = answer[:place] if curating.asked else answer[: place + 1]
    naming = acts.CuratorNamed(None, dealer_deals=True, clauses=clauses)
    yield (*head, acts.ShoeOffered(None, (), clauses), naming, *answer[place + 1 :])


@_before("irregularity.player_card", edition=2)
def _third_card_was_any_other(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    yield from _under_reading(entry, "third_after_banker.clause", "any-other")


@_before("irregularity.drawn_in_error", edition=4)
def _next_card_was_held(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Hold a card dealt before Player's third card was turned; do not say where held cards go."""
    if isinstance(answer, Refusal):
        return
    yield from _without(acts.HeldCardsReleased, answer)
    round_ = entry.position.state.round
    has_third = round_ is not None and len(round_.coup.player) == 3 and round_.down
    if isinstance(entry.command, acts.DrawCardInError) and has_third:
        yield from _under_reading(entry, "early_third_card.use", "error")


def _without(kind: type[acts.Event], answer: Answer) -> Iterator[Answer]:
    events = () if isinstance(answer, Refusal) else answer
    if any(isinstance(event, kind) for event in events):
        yield tuple(event for event in events if not isinstance(event, kind))


def _with_fields(kind: type[acts.Event], events: Events, **fields: Any) -> Events:
    return tuple(replace(one, **fields) if isinstance(one, kind) else one for one in events)


def _under_reading(entry: _Entry, name: str, reading: str) -> Iterator[Answer]:
    rules = entry.position.rules
    if (today := rules.reading(name)) != reading and today is not None:
        readings = {**rules.readings, rules.entry(name): reading}
        yield entry.answer(rules=replace(rules, readings=readings))


@_before("third.decide", edition=4)
def _misread_card_was_not_ruled_on(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Leave out the rulings on third cards that were dealt before a misread card was corrected."""
    if isinstance(answer, Refusal) or not isinstance(answer[0], acts.CardMisread):
        return
    coup = Coup(entry.position.rules.tableau, answer[0].player, answer[0].banker)
    if len(coup.banker) >= 2:
        rulings = ruled_so_far(coup, entry.position.rules)
        yield tuple(event for event in answer if event not in rulings)


@_before("curator.must_pass", edition=4)
def _pass_cited_the_order_alone(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    cites = entry.position.rules.cites("curator.must_pass")
    if isinstance(entry.command, acts.ClearLayout) and not isinstance(answer, Refusal):
        for event in answer:
            if isinstance(event, acts.ShoePassed) and event.clauses != cites:
                clauses = tuple(clause for clause in event.clauses if clause not in cites)
                yield _with_fields(acts.ShoePassed, answer, clauses=clauses)


@_before("forms.duplicate", edition=4)
def _one_clerk_kept_every_copy(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    """Let the pit clerk with the series have every duplicate, and a day end at any time."""
    if not isinstance(entry.command, acts.EndGamingDay | acts.HandOverForms | acts.VoidForm):
        return
    book = entry.position.state[FormBook]
    forms = {
        serial: replace(form, kept_by=book.custodian or form.kept_by)
        for serial, form in book.used.items()
    }
    former_book = replace(book, used=forms, under_way=True)
    yield entry.answer(state=with_slice(entry.position.state, former_book))


@_before("wagers.royal_9.stax", edition=4)
def _winner_was_shown_without_a_word(_entry: _Entry, answer: Answer) -> Iterator[Answer]:
    yield from _without(acts.StaxWinnerShown, answer)


@_before("wagers.royal_9.stax.must_hit_by", edition=5)
def _value_was_replaced_over_wagers(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Let a value be committed to while wagers on it lie on the layout."""
    if isinstance(entry.command, acts.CommitMystery) and isinstance(answer, Refusal):
        yield entry.answer(state=replace(entry.position.state, stakes={}))


@_before("shuffle.finish", edition=5)
def _stack_was_cut_without_a_finish(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    """Let a shuffle by hand at a table with a shuffler have no steps, and no feathered stack."""
    rules = entry.position.rules
    if isinstance(entry.command, acts.ShuffleCards) and not rules.applies("shuffle.finish"):
        law = replace(rules.law, rules={name: rules.law.rules[name] for name in rules.in_force})
        yield entry.answer(rules=replace(rules, law=law))


@_before("deal.holder", edition=4)
def _added_payout_was_among_the_wagers(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    """Find equal wagers on a hand with the House Money payouts that were added to them."""
    round_ = entry.position.state.round
    if isinstance(entry.command, acts.HandCards) and round_ is not None and round_.added:
        yield entry.answer(state=replace(entry.position.state, round=replace(round_, added=())))


@_before("deal.four_cards", edition=5)
def _held_card_cited_the_general_clause(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    """Begin a hand with a card held for it under the clause on any card drawn in error."""
    uses_card = isinstance(entry.command, acts.UseHeldCard | acts.PassOverHeldCard)
    if uses_card and entry.position.state.held_under:
        yield entry.answer(state=replace(entry.position.state, held_under=()))


@_before("irregularity.face_up_card", edition=5)
def _every_shoe_ended_with_a_last_hand(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    """Have a card leave a shoe after its last hand, whatever ended it, or came before the next."""
    state = entry.position.state
    leaves = isinstance(entry.command, acts.DrawCardInError | acts.FindFaceUpCard)
    if leaves and state.phase in {Phase.SHOE_COMPLETED, Phase.OUT_OF_USE}:
        yield entry.answer(state=replace(state, phase=Phase.SHOE_COMPLETED, hands_left=0))


@_before("opening.spread", edition=6)
def _absent_patron_was_there(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Let a patron who walked away look at the spread, and ask for what players may ask for."""
    if isinstance(answer, Refusal) and answer.code in {"nobody", "walked_away"}:
        yield entry.answer(state=_with_all_there(entry.position.state))


def _with_all_there(state: TableState) -> TableState:
    there = {seat: replace(patron, away=False) for seat, patron in state.seats.items()}
    return replace(state, seats=there)


@_before("curator.next", edition=6)
def _first_offer_was_a_later_one(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    """Answer the offer at a table that had been empty as that of a shoe that is passed."""
    curating = entry.position.state[CuratorState]
    if curating.asked and curating.curator is None and entry.position.state.rounds:
        former = replace(curating, dealer_deals=True)
        yield entry.answer(state=with_slice(entry.position.state, former))


@_before("cut.offer_from", edition=6)
def _cut_began_with_who_began_the_round(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Offer the cut first to the curator who was ordered to pass the shoe at once."""
    state, rules = entry.position.state, entry.position.rules
    offers = not isinstance(answer, Refusal) and type(answer[-1]) is acts.CutOffered
    if offers and rules.reading("ordered_pass.moment") == "at-once":
        for seat in state.seats:
            former = replace(state[CuratorState], last=seat, vacated=False)
            yield entry.answer(state=with_slice(state, former))


@_before("shuffle.three_dealers", edition=6)
def _one_dealer_counted_as_several(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Take a dealer whose name was written otherwise for another one."""
    state = entry.position.state
    if isinstance(entry.command, acts.ShuffleCards) and isinstance(answer, Refusal):
        dealer = entry.command.dealer
        others = tuple(one if one == dealer else f"{one} before" for one in state.shuffled_by)
        yield entry.answer(state=replace(state, shuffled_by=others))


@_before("wagers.closed", edition=7)
def _corrections_knew_less(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Let absent patrons act, and correct without regard to discards or uncollected vigorish."""
    position, command = entry.position, entry.command
    state, shoe, is_refused = position.state, position.state.shoe, isinstance(answer, Refusal)
    there = _with_all_there(state) if is_refused else state
    if isinstance(command, acts.CorrectSettlement):
        yield entry.answer(state=there, house=replace(position.house, forgone={}))
    elif isinstance(command, acts.CorrectMisreadCard):
        if not is_refused and shoe.burned and shoe.discarded:
            # As if another card had left the shoe.
            yield entry.answer(state=replace(state, shoe=replace(shoe, decks=shoe.decks + 1)))
    elif isinstance(command, _BY_ABSENT_PATRONS):
        yield entry.answer(state=there)
    elif state.round is not None and state.round.offering is not None:
        yield from _with_another_offer(entry, answer, state.round)


def _with_another_offer(entry: _Entry, answer: Answer, round_: RoundState) -> Iterator[Answer]:
    """Offer a hand on that is given up, or left behind, while one is on offer."""
    command = entry.command
    without = replace(entry.position.state, round=replace(round_, offering=None))
    former = entry.answer(state=without)
    if isinstance(answer, Refusal):
        gives_up = acts.RelinquishCards | acts.RequireRelinquishment
        if isinstance(command, gives_up) and round_.down[:1] == (command.hand,):
            yield former
    elif not isinstance(former, Refusal) and acts.RightRelinquished in map(type, answer):
        yield (*former, *(event for event in answer[-1:] if type(event) is acts.CardsOffered))


@_before("deal.hand_over", edition=8)
def _left_hand_was_not_kept(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Offer every hand that a patron leaves, or none beside an offer, and none after one."""
    state, round_ = entry.position.state, entry.position.state.round
    if isinstance(answer, Refusal) or round_ is None:
        return
    offering = round_.offering
    both = acts.RightRelinquished, acts.CardsOffered
    rights: tuple[type[acts.Event], ...] = both
    offers = [event for event in answer if isinstance(event, acts.CardsOffered)]
    again = tuple(event for event in offers if offering and event.hand is offering.hand)
    if isinstance(entry.command, acts.LeaveTable | acts.DismissPatron):
        events = tuple(event for event in answer if not isinstance(event, rights))
        if offering is not None and both not in pairwise(type(event) for event in answer):
            rights = (acts.RightRelinquished,)
        for hand, holder in round_.holders.items():
            if holder == entry.command.seat and (round_.down or round_.coup.due):
                left = replace(round_, holders={hand: holder}, down=(hand,), offering=None)
                lapsed = entry.answer(state=replace(state, round=left, phase=Phase.DEALING))
                if not isinstance(lapsed, Refusal):
                    events += tuple(event for event in lapsed if isinstance(event, rights))
        yield (*events, *again[:1])
    elif offering is not None and offering.waiting is not None:
        yield (*(event for event in answer if event not in offers), *again)


@_before("settlement.pay", edition=10)
def _disputes_knew_less(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Let a ruling name any entry, a disputed draw be paid, and one take place that was over."""
    command, house = entry.command, entry.position.house
    if isinstance(command, acts.PayByHand) and isinstance(answer, Refusal):
        disputes = entry.position.state[Disputes].open.values()
        rounds = [house.settled_by(one.settled) for one in disputes]
        # In dispute over a round that is not kept, no award was paid.
        if all(one is not None for one in rounds):
            drawn = [number for one in rounds if one is not None for number in one.drawn or ()]
            if command.number in drawn:
                yield from _under_reading(entry, "disputed_award.payment", "paid")
    elif isinstance(command, acts.CorrectSettlement):
        round_ = house.settled_by(command.of)
        if round_ is not None and command.wager not in {name for _, name, _ in round_.stakes}:
            yield from _corrected_wager_was_drawn_alone(entry, answer)
    elif isinstance(command, acts.DecideDispute) and isinstance(answer, Refusal):
        former = entry._replace(command=replace(command, corrected=None)).answer()
        if not isinstance(former, Refusal):
            yield _with_fields(acts.DisputeDecided, former, corrected=command.corrected)


@_before("wagers.royal_9", edition=9)
def _corrected_wager_was_drawn_alone(entry: _Entry, answer: Answer) -> Iterator[Answer]:
    """Have the seat take part whose wager is added to the round on the layout after its draw."""
    command, state, feeding = entry.command, entry.position.state, entry.position.rules.feeding
    if isinstance(answer, Refusal) or not isinstance(command, acts.CorrectSettlement):
        return
    settled_round, round_ = entry.position.house.settled_by(command.of), state.round
    if settled_round is None or round_ is None or settled_round.round != round_.number:
        return
    is_over = state.phase is Phase.SETTLED and settled_round.drawn is not None
    is_added = (command.seat, command.wager) not in {stake[:2] for stake in settled_round.stakes}
    feeds = feeding is not None and feeding.wager.id == command.wager
    if command.seat and is_over and is_added and feeds:
        yield _with_fields(acts.MetersCorrected, answer, seats=(command.seat,))


@_before("settlement.collect_first", edition=11)
def _payment_was_that_of_the_last_correction(entry: _Entry, _answer: Answer) -> Iterator[Answer]:
    """Compare what was handed over with what was due by the corrections so far."""
    command, house = entry.command, entry.position.house
    if isinstance(command, acts.CorrectSettlement) and command.paid_cents is not None:
        round_ = house.settled_by(command.of)
        if round_ is not None and round_.first is not None:
            yield entry.answer(house=house.with_round(command.of, replace(round_, first=None)))


class EventReader:
    """Compares recorded with derived events across event versions.

    ``unrecorded`` names fields missing from older events whose value their version does not imply;
    ``written`` are the same events in the one text that they have.
    """

    def __init__(self, law: Instrument, *, with_citations: bool) -> None:
        self._law = law
        self._cited = with_citations
        self.is_older = False
        self.unrecorded: set[str] = set()
        self.written: list[Any] = []

    def same(self, event: Event, data: object) -> bool:
        expected = event.to_dict()
        body = dict(expected)
        if not isinstance(data, dict) or data.get("type") != expected["type"]:
            return False
        content: dict[str, Any] = dict(data)
        is_former = content.get("v") != expected["v"]
        if is_former:
            fields = {key: value for key, value in content.items() if key not in {"type", "v"}}
            try:
                fields = dict(upcast(expected["type"], content.get("v", 0), expected["v"], fields))
            except (ValueError, KeyError):
                return False
            self.is_older = True
            for name in fields.keys() - content.keys():
                if fields[name] != expected.get(name):
                    self.unrecorded.add(f"{expected['type']}.{name}")
                    fields[name] = expected.get(name)
            if (expected["type"], content.get("v")) in PARTLY_CITED and set(
                content.get("clauses", ())
            ) < set(expected["clauses"]):
                self.unrecorded.add(f"{expected['type']}.clauses")
                fields["clauses"] = expected["clauses"]
            content = {"type": expected["type"], "v": expected["v"], **fields}
        if not self._cited:
            if self._is_citation(content.get("clauses")):
                body["clauses"], content["clauses"] = content["clauses"], expected["clauses"]
            if type(event) is RulingGiven and self._is_citation([content.get("entry")]):
                body["entry"], content["entry"] = content["entry"], event.entry
        self.written.append(data if is_former else body)
        return content == expected and _is_same(content, expected)

    def _is_citation(self, clauses: object) -> bool:
        return isinstance(clauses, list) and all(
            isinstance(item, str) and (item in self._law.clauses or item in self._law.register)
            for item in clauses
        )


def _is_same(value: object, expected: object) -> bool:
    """Return whether values have one text: to Python, true is 1."""
    return json.dumps(value, sort_keys=True) == json.dumps(expected, sort_keys=True)


def how_it_differs(event: Event, data: object) -> tuple[str, str, dict[str, Any]]:
    """Return a divergence's kind, description, and expected event."""
    name, expected = type(event).__name__, event.to_dict()
    if not isinstance(data, dict) or data.get("type") != name:
        description = "nothing" if data is None else name_of(data)
        return "missing event", f"{name} should be recorded, but {description} is", expected
    # Fields missing from an older version are not a difference.
    gaps = expected.keys() - data.keys() | {"v"} if data.get("v") != expected["v"] else ()
    keys = [
        key for key in expected if key not in gaps and not _is_same(data.get(key), expected[key])
    ]
    keys += [key for key in data if key not in expected]
    text = "; ".join(
        f"{key} is {data.get(key)!r} but should be {expected.get(key)!r}" for key in keys
    )
    return "event", f"{name}: {text}", expected


def name_of(event: object) -> str:
    return str(event.get("type")) if isinstance(event, dict) else repr(event)
