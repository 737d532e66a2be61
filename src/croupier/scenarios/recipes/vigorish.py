"""Starts with vigorish owed, and with Complimentary Vigorish Forms."""

from __future__ import annotations

from typing import Final

from croupier import acts
from croupier.baccarat.wagers import BANKER, PLAYER, TIE
from croupier.scenarios.people import DEALER, PIT_BOSS, PIT_CLERK
from croupier.scenarios.recipes.recipe import NATURAL, Recipes, everybody_leaves
from croupier.scenarios.stage import Stage
from croupier.scenarios.stakes import MOST_LOSSES, fitting_stake, least_stake, patrons
from croupier.table.machine.core import due
from croupier.table.parts.forms import FormBook

RECIPES: Final = Recipes()


def _deferred(stage: Stage) -> bool:
    terms = stage.rules.vigorish
    return terms.deferred and terms.win_rate is not None


def _forms(stage: Stage) -> bool:
    owed = any(patron.owed_cents for patron in stage.state.seats.values())
    return owed and stage.rules.applies("forms.prepared")


@RECIPES.start("A patron owes vigorish and has too few chips to pay it", "betting", _deferred)
def _short_of_chips(stage: Stage) -> None:
    rules, seat = stage.rules, patrons(stage.rules)
    stake = least_stake(rules, BANKER.id)
    stage.execute(acts.LeaveTable(seat), acts.SeatPatron(seat, "Patron 4"))
    stage.execute(acts.BuyChips(seat, stake), acts.PlaceWager(seat, BANKER.id, stake))
    stage.play(NATURAL)
    for _ in range(MOST_LOSSES):
        patron = stage.state.seats[seat]
        if patron.chips_cents < patron.owed_cents:
            return
        for wager in (PLAYER.id, TIE.id):
            chips = stage.state.seats[seat].chips_cents
            if chips >= least_stake(rules, wager):
                lost = fitting_stake(rules, wager, chips)
                stage.execute(acts.PlaceWager(seat, wager, lost))
        patron, action = stage.state.seats[seat], due(stage.state, rules)
        asked = action is not None and action.command is acts.CollectVigorish
        # A continuous device takes back each round's cards: vigorish is due before the next.
        if not stage.state.stakes or (asked and patron.chips_cents < patron.owed_cents):
            return
        stage.play(NATURAL)


@RECIPES.start("A Complimentary Vigorish Form has been voided", "betting", "forms.prepared")
def _form_void(stage: Stage) -> None:
    serial = stage.state[FormBook].next_serial or 0
    stage.execute(acts.VoidForm(serial, PIT_CLERK, PIT_BOSS))


@RECIPES.start("The table has closed with Forms unused", "form-void")
def _closed_with_forms(stage: Stage) -> None:
    everybody_leaves(stage)
    stage.close()


@RECIPES.start("The gaming day of a closed table has been ended", "closed-with-forms")
def _day_ended(stage: Stage) -> None:
    stage.execute(acts.EndGamingDay(PIT_CLERK))


@RECIPES.start("A Complimentary Vigorish Form has been prepared", "second-round", _forms)
def _form_prepared(stage: Stage) -> None:
    seat = min(seat for seat, patron in stage.state.seats.items() if patron.owed_cents)
    serial = stage.state[FormBook].next_serial or 0
    signed = acts.PrepareForm(serial, seat, PIT_CLERK, DEALER, PIT_BOSS, patron_signed=True)
    stage.execute(signed)


@RECIPES.start("A Complimentary Vigorish Form has been dropped", "form-prepared")
def _form_dropped(stage: Stage) -> None:
    serial = max(stage.state[FormBook].used)
    stage.execute(acts.DropForm(serial, PIT_BOSS, PIT_CLERK))


@RECIPES.start("The patron of a Complimentary Vigorish Form has left", "form-prepared", _forms)
def _form_of_one_gone(stage: Stage) -> None:
    seat = next(iter(stage.state[FormBook].used.values())).seat
    stage.execute(acts.LeaveTable(seat))
