"""Reasons why a refusing place cannot be reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from croupier import acts
from croupier.acts import Event
from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import BANKER, PLAYER, TIE
from croupier.law.values import Odds, Value
from croupier.money.settlement import Stake, settle
from croupier.rules import TableRules
from croupier.scenarios.people import (
    MOST_LOSSES,
    early_offer,
    early_stakes,
    fitting_stake,
    least_stake,
    patrons,
    waiving_stakes,
)
from croupier.scenarios.vectors.sites import OF_A_PIT, Site
from croupier.table.cards.device import has_device
from croupier.table.cards.mixing import hand_shuffle
from croupier.table.cards.out_of_use import records_removed
from croupier.table.elections.election_changes import (
    BEFORE_THE_DAY,
    NOT_BETWEEN_ROUNDS,
    WITH_THE_SHUFFLE,
)

_PLENTY_CENTS: Final = 1_000_000


class _Need(NamedTuple):
    holds: Callable[[TableRules], bool]
    otherwise: str


def _rule(rule_id: str) -> _Need:
    return _Need(lambda rules: rules.applies(rule_id), f"no rule {rule_id} is in force here")


def _no_rule(rule_id: str) -> _Need:
    return _Need(lambda rules: not rules.applies(rule_id), f"the rule {rule_id} is in force here")


def _known(rule_id: str) -> _Need:
    return _Need(lambda rules: rule_id in rules.law.rules, f"this law has no rule {rule_id}")


def _unknown(rule_id: str) -> _Need:
    return _Need(lambda rules: rule_id not in rules.law.rules, f"this law has a rule {rule_id}")


def _elected(rule_id: str, *choices: Value) -> _Need:
    alternatives = " or ".join(str(choice).lower() for choice in choices)
    return _Need(
        lambda rules: any(rules.elected(rule_id, choice) for choice in choices),
        f"{rule_id} is not {alternatives} here",
    )


def _not_elected(rule_id: str, choice: Value) -> _Need:
    return _Need(
        lambda rules: not rules.elected(rule_id, choice), f"{rule_id} is {str(choice).lower()} here"
    )


def _elects(families: tuple[str, ...], otherwise: str) -> _Need:
    return _Need(
        lambda rules: any(
            election.id in rules.in_force and election.id.startswith(families)
            for election in rules.law.elections
        ),
        otherwise,
    )


def _read_as(name: str, reading: str) -> _Need:
    return _Need(lambda rules: rules.reading(name) == reading, f"{name} is not {reading} here")


def _simulates(rules: TableRules) -> bool:
    return (
        rules.elected("irregularity.disclosed_card", "simulated-round")
        or rules.elected("irregularity.face_up", "simulated-round")
        or rules.applies("irregularity.disclosed_other")
    )


def _discards(rules: TableRules) -> bool:
    alone = {"discard", "in-play", "simulated-round"}
    names = ("irregularity.disclosed_card", "irregularity.face_up")
    return any(rules.settled.get(name) not in alone for name in names)


def _added(rules: TableRules) -> tuple[int, ...]:
    offer = early_offer(rules)
    if offer is None:
        return ()
    portion = rules.value(f"{offer.wager.offered_by}.portion", Fraction)
    # The rounds dealt there have a pair in one hand.
    pays = offer.pays[offer.wager.line_of(Facts(0, 0, 2, 2, player_pair=True))]
    if not isinstance(pays, Odds):
        return ()
    stakes = early_stakes(rules, offer.wager.id)
    units = {offer.unit_cents for offer in rules.offers.values() if offer.wager.on is not None}
    return tuple(
        int(stake * pays.ratio * portion / unit) * unit for stake in stakes for unit in units
    )


def _not_hit(rules: TableRules) -> bool:
    stax = "wagers.royal_9.stax"
    share = rules.value("wagers.royal_9.stake", int) * rules.value(f"{stax}.increment", Fraction)
    cents = rules.value(f"{stax}.seed", int) + int(share)
    return cents < rules.value(f"{stax}.must_hit_by", int)


def _runs_short(rules: TableRules) -> bool:
    stake = least_stake(rules, BANKER.id)
    (settled,) = settle(rules, Facts(0, 9, 2, 2), {(1, BANKER.id): Stake(stake)})
    chips, owed_cents = stake + settled.won_cents, settled.vigorish_cents
    for _ in range(MOST_LOSSES):
        for wager in (PLAYER.id, TIE.id) if chips >= owed_cents else ():
            if chips >= least_stake(rules, wager):
                chips -= fitting_stake(rules, wager, chips)
    return chips < owed_cents


def _differs(rules: TableRules) -> bool:
    wager, _ = rules.members("limits.differential.between")
    maximum = rules.value("limits.differential", int)
    stake = fitting_stake(rules, wager, maximum)
    return patrons(rules) * stake + least_stake(rules, wager) > maximum


def _waives(rules: TableRules) -> bool:
    stakes = waiving_stakes(rules)
    stake = stakes.pop(rules.bearing.wager.id)
    return sum(stakes.values()) >= stake


_YES: Final = True
_SHOE: Final = _not_elected("device", "continuous")
_BURNS: Final = _Need(lambda rules: rules.burned != 0, "no card is burned here")
_ORDERED: Final = _Need(
    lambda rules: rules.reading("fresh_decks.when") != "closed",
    "decks are changed only while the table is closed here",
)
_OWING: Final = _Need(
    lambda rules: rules.vigorish.deferred and rules.vigorish.win_rate is not None,
    "no vigorish is marked for later here",
)
_FORMS: Final = _rule("forms.prepared")
_TWO_BATCHES: Final = _Need(lambda rules: rules.batches == 2, "the decks are one batch here")
_ONE_BATCH: Final = _Need(lambda rules: rules.batches != 2, "the decks are two batches here")
_DEVICE: Final = _Need(has_device, "no shuffling device is used here")
_NO_DEVICE: Final = _Need(lambda rules: not has_device(rules), "a shuffling device is used here")
_NO_PORTION: Final = _Need(
    lambda rules: 0 in _added(rules),
    "a part of every payout of House Money may be added to a wager here",
)
_HANDED: Final = _elected("deal.option", "hand-over")
_COUPON: Final = _Need(lambda rules: rules.coupon is not None, "no coupon is tendered here")
_CHIPS_ALONE: Final = _Need(lambda rules: not _COUPON.holds(rules), "a coupon may be tendered here")
_NEEDING: Final = _Need(
    lambda rules: any(offer.needs for offer in rules.offers.values()),
    "no wager on offer needs another beside it here",
)
_SIMULATED: Final = _Need(_simulates, "no card begins a simulated round here")
_FLOOR: Final = _Need(
    lambda rules: any(
        offer.floor_cents > (1 if offer.limit is None else offer.limit.min_cents)
        for offer in rules.offers.values()
    ),
    "no stake within the limits wins less than vigorish is rounded to here",
)
_UNIT: Final = _Need(
    lambda rules: any(
        offer.unit_cents > 1
        and (offer.limit is None or offer.limit.min_cents < offer.limit.max_cents)
        for offer in rules.offers.values()
    ),
    "every stake within limits can be paid in whole cents here",
)
_BESIDE_COUPON: Final = _Need(
    lambda rules: any(fitting_stake(rules, wager, _PLENTY_CENTS) > 2 for wager in rules.offers),
    "the limits leave no room for a coupon here",
)
_LIMITS: Final = _Need(
    lambda rules: any(offer.limit for offer in rules.offers.values()), "no limits are posted here"
)
_DEARER: Final = _Need(
    lambda rules: any(
        fitting_stake(rules, wager, _PLENTY_CENTS) > 1 for wager in (PLAYER.id, BANKER.id, TIE.id)
    ),
    "every wager on the game is of one cent here",
)
_UNTOUCHED: Final = _Need(
    lambda rules: rules.applies("cards.untouched") and not rules.applies("deal.hand_over"),
    "patrons handle cards here, or no clause forbids it",
)
_TOUCHED: Final = _Need(
    lambda rules: not _UNTOUCHED.holds(rules), "no patron may handle the cards here"
)
_OTHERS: Final = _Need(
    lambda rules: rules.submission.layout.seats > 1, "one patron alone sits at this table"
)
_OFFERS: Final = _Need(
    lambda rules: (
        (_SHOE.holds(rules) and not rules.elected("cut.by", "dealer"))
        or (rules.applies("irregularity.relinquish") and _OTHERS.holds(rules))
    ),
    "neither the cut nor a hand is on offer here",
)
_ROOM: Final = _Need(lambda rules: rules.submission.layout.seats > patrons(rules), "no seat free")
_GOES_ON: Final = _Need(_not_hit, "the Stax meter shows all that it may after one round here")
_NOT_HIT: Final = _Need(_not_hit, "the mystery value that is tried is hit in one round here")
_RUNS_SHORT: Final = _Need(_runs_short, "the limits leave every patron the chips to pay it here")
_WAIVES: Final = _Need(_waives, "the limits leave no room for as much on total cards here")
_BANKER_FIRST: Final = _elected("deal.banker_first", _YES)
_FREE_HAND: Final = _elected("free_hand.allowed", _YES)
_STAX: Final = _rule("wagers.royal_9.stax")
_STEPS: Final = _rule("shuffle.steps")
_NO_STEPS: Final = _Need(
    lambda rules: not hand_shuffle(rules).applies("shuffle.steps"), "a hand shuffle has steps here"
)
_DISCARDS: Final = _Need(_discards, "no card is discarded here")
_PORTION: Final = _Need(
    lambda rules: any(_added(rules)), "no part of a payout of House Money is added here"
)
_CHARGED: Final = _Need(
    lambda rules: rules.vigorish.win_rate is not None or rules.vigorish.tie_rate is not None,
    "no vigorish is taken here",
)
_IDLE: Final = _rule("idle.spread")
_WAITS: Final = _read_as("early_third_card.use", "third-card")
_UNTURNED: Final = _Need(
    lambda rules: (
        not rules.elected("deal.option", "face-up") or rules.applies("wagers.house_money")
    ),
    "no third card can be dealt before its time here",
)
_HANDS_AFTER: Final = _Need(
    lambda rules: bool(rules.settled.get("shoe.hands_after_call")),
    "no hand follows the one in which the cutting card appears here",
)
_CHANGED: Final = _Need(
    lambda rules: any(
        election.id in rules.in_force and not election.id.startswith(NOT_BETWEEN_ROUNDS)
        for election in rules.law.elections
    ),
    "nothing is elected here that changes between two rounds",
)
_MIXED: Final = _elects(
    WITH_THE_SHUFFLE, "nothing is elected here about the shuffle, the cut or the burn"
)
_CLOSED: Final = _elects(BEFORE_THE_DAY, "nothing is elected here that changes before a gaming day")
_AT_SUBMISSION: Final = _Need(
    lambda rules: any(constraint.moment == "submission" for constraint in rules.law.constraints),
    "nothing here is tied to the rules submission",
)


def _at(module: str, needs: tuple[_Need, ...], *places: str) -> dict[str, tuple[_Need, ...]]:
    return {f"{module}{place}": needs for place in places}


_NEEDS: Final[Mapping[str, tuple[_Need, ...]]] = {
    "together.excluded: not_together": (_rule("wagers.not_together"),),
    "together.above_limit_of_all: limit_of_all": (
        _rule("limits.of_all_patrons"),
        _Need(lambda rules: not rules, "no vector stakes what all patrons together may not"),
    ),
    "together.differential: differential": (
        _rule("limits.differential"),
        _Need(_differs, "the limits keep the totals nearer than they must be here"),
    ),
    "curator._no_curator: no_such_procedure": (_no_rule("curator.pass"),),
    **_at("curator.", (_rule("curator.pass"),),
        "_no_curator: no_curator", "_pass_shoe: too_early", "_order: any",
        "_no_patron_deals: dealer_deals", "_no_patron_deals: taken_over",
        "_designate: not_curator"),
    "curator._shoe_on_offer: shoe_on_offer": (_rule("curator.offer"),),
    "cutting.vigorish_outstanding: vigorish_outstanding": (_OWING,),
    **_at("cutting.", (_SHOE,),
        "_cut_at: cut_too_near_the_end", "_not_asked: not_asked", "_insert: cutting_card"),
    "cutting._burn_short: nobody": (_SHOE, _BURNS),
    "cutting._burn_short: card_due": (_SHOE, _BURNS, _read_as("burn.short", "burn-first")),
    "hand_over._never_handed: hands_off": (_UNTOUCHED,),
    "hand_over.not_offered: not_asked": (_TOUCHED,),
    "vigorish._debtor_is_gone: vigorish_outstanding": (_OWING,),
    "cutting._recut: no_such_procedure": (_SHOE, _unknown("cut.recut")),
    **_at("cutting.", (_SHOE, _known("cut.recut")),
        "_recut: too_late", "_recut: not_cut", "_recut: nobody", "_recut: reason"),
    "election_changes._not_yet: submission": (_AT_SUBMISSION,),
    "election_changes._not_yet: not_now": (_CLOSED,),
    "election_changes._not_yet: not_now (2)": (_MIXED,),
    **_at("election_changes._not_yet: ", (_CHANGED,), "not_now (3)", "wagers"),
    "dealing._banker_first: not_elected": (_not_elected("deal.banker_first", _YES),),
    "dealing._banker_first: curator": (_BANKER_FIRST, _rule("curator.offer")),
    **_at("dealing._banker_first: ", (_BANKER_FIRST,), "too_early", "too_late", "same"),
    "dealing._turn: on_offer": (_HANDED, _rule("irregularity.relinquish"), _OTHERS),
    "dealing._turn: holder": (_HANDED,),
    "progressive._fixed: not_now": (_rule("wagers.royal_9"),),
    "patrons._has_a_chair: seated": (_read_as("royal_9.second_chair", "one-chair"),),
    **_at("timed_decks.", (_rule("decks.change"),),
        "_too_old: decks_too_old", "_not_these: time_unknown", "_came_back: decks_unnamed",
        "_note: time", "_note: time (2)", "_not_yet: wagers"),
    "timed_decks._not_these: decks_too_old": (
        _rule("decks.change"),
        _Need(
            lambda rules: not (
                rules.reading("fresh_decks.when") == "every-shoe" and records_removed(rules)
            ),
            "decks that were dealt leave as the table closes here",
        ),
    ),
    "timed_decks._came_back: decks_removed": (
        _Need(
            lambda rules: records_removed(rules) or rules.applies("decks.change"),
            "sets that were removed are recorded elsewhere here",
        ),
    ),
    "timed_decks._order: decks_ordered": (_SHOE, _ORDERED, _HANDS_AFTER),
    "timed_decks._order: nobody": (_ORDERED,),
    "out_of_use.ordered_off: decks_ordered": (_SHOE, _ORDERED, _HANDS_AFTER),
    "timed_decks._note: no_such_procedure": (_no_rule("decks.change"),),
    "timed_decks._remove: no_such_procedure": (_no_rule("decks.change"),),
    "out_of_use.unsealed: unsealed": (
        _Need(
            lambda rules: (
                records_removed(rules)
                and rules.reading("removed_decks.sealed") != "any-time"
            ),
            "a removed set is sealed at any time here",
        ),
    ),
    "out_of_use.cards_flawed: decks_used": (_read_as("fresh_decks.when", "every-shoe"),),
    "timed_decks._order: not_elected": (_read_as("fresh_decks.when", "closed"),),
    "timed_decks._not_yet: vigorish_outstanding": (_OWING,),
    "hand_over._hand_over: walked_away": (_HANDED,),
    "hand_over._hand_over: no_holder": (_not_elected("deal.option", "face-up"),),
    "hand_over._permit: not_elected": (_not_elected("deal.unwagered_hand", _YES),),
    "hand_over._permit: not_next": (_elected("deal.unwagered_hand", _YES),),
    "hand_over._permit: no_wager": (_elected("deal.unwagered_hand", _YES),),
    "hand_over._pass_on: no_holder": (_rule("irregularity.relinquish"),),
    "hand_over._pass_on: on_offer": (_rule("irregularity.relinquish"), _OTHERS),
    "hand_over._relinquish: no_such_procedure": (_unknown("irregularity.relinquish"), _TOUCHED),
    "hand_over._require: no_such_procedure": (_unknown("irregularity.relinquish"),),
    "hand_over._require: no_holder": (
        _known("irregularity.relinquish"),
        _no_rule("irregularity.relinquish"),
    ),
    "hand_over._require: authority": (_rule("irregularity.relinquish"),),
    "hand_over._require: grounds": (_rule("irregularity.relinquish"),),
    **_at("house_money.", (_rule("wagers.house_money"),),
        "_no_card_yet: house_money", "_cannot_add: no_payout", "_cannot_add: no_wager",
        "_settle: round_void"),
    "house_money._cannot_add: portion": (_rule("wagers.house_money"), _NO_PORTION),
    "mixing._shuffle: wash": (_rule("shuffle.three_dealers"),),
    "mixing._shuffle: dealer": (_rule("shuffle.three_dealers"),),
    "mixing.shuffle_waits: exchange": (_TWO_BATCHES,),
    "mixing._work: no_such_procedure": (_NO_STEPS,),
    **_at("mixing.", (_STEPS,),
        "_work: step", "_work: step (2)", "_work: step (3)", "_work: step (4)",
        "_shuffle: steps"),
    "mixing._direct: no_such_procedure": (_no_rule("shuffle.directed"),),
    "mixing._direct: nobody": (_rule("shuffle.directed"),),
    "mixing._interrupts: in_play": (_rule("shuffle.directed"),),
    "mixing._interrupts: wagers": (_rule("shuffle.directed"),),
    "mixing._other_finish: finish": (_elected("shuffle.finish", "feather", "lace"),),
    **_at("forms.", (_FORMS,),
        "_day_not_ended: gaming_day", "_receive_forms: custody", "_receive_forms: series_open",
        "_receive_forms: series", "_receive_forms: series (2)", "_out_of_series: no_forms",
        "_out_of_series: sequence", "_out_of_series: custody", "_prepare: nothing_owed",
        "_void_form: signatures", "_end_day: custody", "_end_day: day_ended",
        "_passed_on: no_forms", "_passed_on: custody", "_passed_on: custody (2)",
        "_replace: no_original", "_carry: no_forms", "_carry: table", "_forward: no_forms",
        "_day_not_ended: gaming_day (2)"),
    **_at("preparing.", (_rule("opening.spread"),),
        "_inspected_first: not_now", "_looked_at_first: not_now"),
    "verifying.not_verified_by: nobody": (_rule("opening.verify"),),
    "preparing.not_shown: turn_up": (_elected("idle.on_arrival", "turn-up"),),
    "preparing._wash: no_wash": (_no_rule("shuffle.three_dealers"),),
    "preparing._wash: no_wash (2)": (_TWO_BATCHES,),
    "preparing._stack: wash": (_rule("opening.spread"), _ONE_BATCH),
    "preparing._exchange: no_device": (_ONE_BATCH,),
    "device.device_down: device_down": (_DEVICE,),
    "device_failure._report: no_device": (_NO_DEVICE,),
    **_at("device_failure.", (_DEVICE,),
        "_report: device_down", "_report: nobody", "_report: case", "_report: damaged",
        "_restore: nobody"),
    "device_failure._report: damaged (2)": (_rule("device.failure.damaged"),),
    "preparing._ask_inspection: no_inspection": (_SHOE,),
    "preparing._idle: no_such_procedure": (_no_rule("idle.spread"),),
    "preparing._idle: wagers": (_IDLE,),
    "preparing._idle: face_down": (_elected("idle.on_arrival", "on-request"),),
    "preparing._turn_up: nobody": (_IDLE,),
    **_at("progressive.", (_STAX,),
        "mystery_uncommitted: mystery", "_commit: committed", "_commit: commitment",
        "spent_before: spent", "_commit: wagered", "_not_ended: end_round", "_end: must_hit",
        "_end: secret", "_end: late", "_replace: reason", "_replace: secret",
        "_draw_to_come: participant"),
    "progressive._commit: not_offered": (_no_rule("wagers.royal_9.stax"),),
    "progressive._end: not_hit": (_STAX, _NOT_HIT),
    "patrons._held_back: holds_cards": (_HANDED,),
    "patrons._move: wagers": (_ROOM,),
    "rulings._pass_over: not_asked": (_OFFERS,),
    "rulings._recall: no_holder": (_no_rule("irregularity.relinquish"),),
    "rulings._recall: relinquish": (_rule("irregularity.relinquish"),),
    "rulings._write_off: document_it": (_FORMS, _OWING),
    "settling.owed_by_the_shoe: simulated_round_due": (_SIMULATED,),
    "settling.discards_due: discards_due": (_DISCARDS,),
    "settling._return_discards: no_device": (_SHOE,),
    "settling._return_discards: nothing_to_return": (_elected("device", "continuous"),),
    "vigorish._collect: amount": (_OWING,),
    "vigorish._collect: chips": (_OWING, _RUNS_SHORT),
    "forms._no_forms: no_such_procedure": (_no_rule("forms.prepared"),),
    **_at("forms.", (_FORMS, _OWING),
        "_prepare: amount", "_unsigned: signatures", "_unsigned: patron_signature",
        "_drop: witnesses", "_undropped: undropped", "_void_form: custody",
        "_void_form: dropped", "_void_form: patron_left", "_off_duty: not_on_duty",
        "_unsigned: statement", "_replace: patron_here"),
    "patrons.leaving: vigorish_outstanding": (_OWING,),
    "wagering.unfit_stake: limit": (_LIMITS,),
    "wagering.unfit_stake: fraction_of_a_cent": (_UNIT,),
    "wagering.unfit_stake: vigorish_above_win": (_FLOOR,),
    "wagering.unfit_stake: needs_base": (_NEEDING,),
    "wagering.unfit_stake: coupon": (_CHIPS_ALONE,),
    "wagering.unfit_stake: coupon (2)": (_COUPON, _BESIDE_COUPON),
    "wagering._unfit_placing: chips": (_DEARER,),
    "wagering._place_verbal: tender": (_no_rule("wagers.verbal"),),
    "wagering._place_verbal: unconfirmed": (_rule("wagers.verbal"),),
    "wagering._withdraw: needs_base": (_NEEDING,),
    "wagering._no_more_bets: no_wagers": (_known("free_hand.allowed"),),
    "wagering._free_hand: not_elected": (_not_elected("free_hand.allowed", _YES),),
    "wagering._free_hand: wagers": (_FREE_HAND,),
    "wagering.nobody_plays: nobody": (_no_rule("curator.offer"),),
    "wagering.bets_closed: simulated_round": (_SIMULATED,),
    "irregular._drawn_in_error: card_due": (_SHOE, _BURNS),
    "irregular._stays_in_play: card_due": (
        _SHOE, _BURNS, _elected("irregularity.face_up", "in-play")),
    "misread._misread: unturned": (_HANDED,),
    "house_money._cannot_add: disclosed": (_rule("wagers.house_money"), _WAITS),
    "wagering._round_waits: return_discards": (_elected("device", "continuous"),),
}  # fmt: skip
"""Requirements of places not reachable at every table; unlisted ones are."""

_EVENT_NEEDS: Final[Mapping[type[Event], tuple[_Need, ...]]] = {
    acts.AwardPaid: (_rule("wagers.royal_9"),),
    acts.BankerFirstRequested: (_BANKER_FIRST,),
    acts.BatchesExchanged: (_TWO_BATCHES,),
    **dict.fromkeys((
        acts.CuttingCardAppeared, acts.CuttingCardsInserted, acts.ShoeCompleted, acts.StackCut,
        ), (_SHOE,)),
    acts.LastHandCalled: (_SHOE, _HANDS_AFTER),
    acts.BurnCountedAgain: (_SHOE, _no_rule("burn.fixed")),
    **dict.fromkeys((acts.BurnFellShort, acts.CardBurned), (_SHOE, _BURNS)),
    acts.CardDiscarded: (_DISCARDS,),
    acts.DiscardsCountedAgain: (_elected("irregularity.face_up", "discard-by-value"),),
    acts.CardsAccepted: (_rule("irregularity.relinquish"), _OTHERS),
    **dict.fromkeys((
        acts.CardsCalled, acts.CuratorNamed, acts.ShoeDeclined, acts.ShoeOffered,
        acts.ShoePassed), (_rule("curator.offer"),)),
    acts.CardsDeclined: (_rule("irregularity.relinquish"), _OTHERS),
    acts.CardsHanded: (_HANDED,),
    acts.CardsOffered: (_rule("irregularity.relinquish"),),
    acts.CardsRejected: (_rule("opening.verify"),),
    acts.CardsReturned: (_not_elected("deal.option", "face-up"),),
    acts.CardsShuffled: (_ONE_BATCH,),
    acts.CardsSpread: (_rule("opening.spread"),),
    acts.CardsStacked: (_TWO_BATCHES,),
    acts.CardsVerified: (_rule("opening.verify"),),
    acts.CardsWashed: (_rule("opening.spread"), _ONE_BATCH),
    **dict.fromkeys((
        acts.ComplimentaryRecorded, acts.FormsForwarded, acts.FormDropped, acts.FormPrepared,
        acts.VigorishDocumented, acts.VigorishRestored), (_FORMS, _OWING)),
    acts.CutDeclined: (_SHOE, _not_elected("cut.by", "dealer")),
    acts.DealTakenOver: (_rule("curator.dealer"),),
    acts.DeviceFailed: (_DEVICE,),
    acts.DeviceRestored: (_DEVICE,),
    acts.DiscardsReturned: (_elected("device", "continuous"),),
    **dict.fromkeys((
        acts.DuplicatesForwarded, acts.FormVoided, acts.FormsCarried, acts.FormsCompared,
        acts.FormsHandedOver, acts.FormsReceived), (_FORMS,)),
    acts.FeatherVerified: (_rule("shuffle.feather"),),
    acts.FreeHandRequested: (_FREE_HAND,),
    acts.HandPayDue: (_rule("wagers.royal_9.hand_pay.above"),),
    acts.HouseMoneyDue: (_rule("wagers.house_money"),),
    acts.HouseMoneySettled: (_rule("wagers.house_money"),),
    acts.HeldCardDisclosed: (_rule("irregularity.disclosed_other"),),
    acts.InspectionRequested: (_TWO_BATCHES, _IDLE),
    **dict.fromkeys((
        acts.MysteryCommitted, acts.MysteryReplaced, acts.StaxWinnerShown, acts.StaxWon), (_STAX,)),
    acts.MeterReset: (_rule("wagers.royal_9"),),
    acts.MetersAdvanced: (_rule("wagers.royal_9"),),
    acts.DecksOrdered: (_ORDERED,),
    acts.MixFoundUneven: (_rule("shuffle.feather"),),
    acts.PayoutAdded: (_rule("wagers.house_money"), _PORTION),
    acts.ProgressiveRoundEnded: (_STAX, _GOES_ON),
    acts.RecutRequired: (_SHOE, _known("cut.recut")),
    acts.RightRelinquished: (_rule("irregularity.relinquish"),),
    acts.SeatChanged: (_ROOM,),
    acts.ShuffleDirected: (_rule("shuffle.directed"),),
    acts.SimulatedRoundBegun: (_SIMULATED,),
    acts.SimulatedRoundOrdered: (_SIMULATED,),
    acts.SpreadTurnedUp: (_IDLE,),
    acts.SpreadViewed: (_rule("opening.spread"),),
    acts.StackFeathered: (_rule("shuffle.feather"),),
    acts.StackLaced: (_rule("shuffle.lace"),),
    acts.StackReshuffled: (_rule("shuffle.lace"), _elected("shuffle.reshuffle", _YES)),
    acts.ShuffleStepPerformed: (_STEPS,),
    acts.StakesKept: (_elected("wagers.royal_9.award_is", "for-one"),),
    acts.TableIdle: (_IDLE,),
    acts.ThirdCardWaits: (_UNTURNED, _WAITS),
    acts.ThirdCardWaitsNoMore: (_UNTURNED, _WAITS),
    acts.TimeRecorded: (_rule("decks.change"),),
    acts.TurningPermitted: (_elected("deal.unwagered_hand", _YES),),
    acts.VerbalWagerConfirmed: (_rule("wagers.verbal"),),
    acts.VigorishCollected: (_CHARGED,),
    acts.VigorishMarked: (_OWING,),
    acts.VigorishWrittenOff: (_OWING, _no_rule("forms.prepared")),
    acts.VigorishWaived: (
        _Need(lambda rules: rules.vigorish.waived, "no vigorish is waived here"),
        _WAIVES,
    ),
}  # fmt: skip
"""Requirements of events that not every table has."""


_GUARDS: Final = "its phase never stands without a round: it guards a state without commands to it"

_UNREACHED: Final[Mapping[str, str]] = {
    "wagering._no_hand_left: no_hand": "no vector has a card disclosed in the last hand",
    "forms._again: day_ended": "no vector ends a day at a table that stays open",
    "house_money._settle: not_now": _GUARDS,
    "settling._settle: not_now": _GUARDS,
    "settling._clear: not_now": _GUARDS,
    **dict.fromkeys(
        ("patrons._seat: nobody", "verifying.not_verified_by: not_on_duty"),
        "every act here names the persons who are at the table, or on duty",
    ),
    "house_money._cannot_add: walked_away": "nobody walks away here while House Money is due",
    "forms._take_over: custody": "no pit clerk is assigned to the tables that are asked here",
    "core.mechanism_failed: mechanism_failed": "a mechanism that works fails at no command",
    "preparing._excerpt: excerpt": "no table that is asked here is under an excerpt",
    "election_changes._moment: time (3)": "the tables that are asked here have no clock",
}
"""Places that need not be reached, whatever the rules."""


def why_no_event(kind: type[Event], rules: TableRules) -> str | None:
    return _unmet(_EVENT_NEEDS.get(kind, ()), rules)


def _unmet(needs: tuple[_Need, ...], rules: TableRules) -> str | None:
    # The first unmet need: later ones may depend on it.
    return next((need.otherwise for need in needs if not need.holds(rules)), None)


def why_not(site: Site, rules: TableRules) -> str | None:
    if site.module in OF_A_PIT:
        return "it answers for a pit of several tables, and this is one table"
    if site.name in _UNREACHED:
        return _UNREACHED[site.name]
    return _unmet(_NEEDS.get(site.name, ()), rules)
