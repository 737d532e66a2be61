"""A shuffling device that failed: what waits for it, and what is done by hand."""

from __future__ import annotations

from msgspec import Struct

from croupier import acts
from croupier.acts.fields import Flag, RoundNumber
from croupier.law.cite import cites
from croupier.rules import TableRules
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Refusal
from croupier.table.machine.state import IN_THE_DEAL, Phase, TableState, with_slice


@core.keeps("device", past_closing=True)
class Device(Struct, frozen=True):
    """Whether the device is ``down``, and the round of which wagers may be taken back."""

    down: Flag = False
    withdrawable: RoundNumber = 0


@core.applies(acts.DeviceFailed)
def _failed(state: TableState, event: acts.DeviceFailed) -> TableState:
    round_ = state[Device].withdrawable
    if state.round is not None and event.outcome == "withdrawable":
        round_ = state.round.number
    return with_slice(state, Device(not event.replaced, round_))


@core.applies(acts.DeviceRestored)
def _restored(state: TableState, _event: acts.DeviceRestored) -> TableState:
    return with_slice(state, Device(withdrawable=state[Device].withdrawable))


@core.hears(acts.TableOpened)
def _next_day(state: TableState, _event: acts.TableOpened) -> TableState:
    device = state[Device]
    return with_slice(state, Device(device.down)) if device.withdrawable else state


def has_device(rules: TableRules) -> bool:
    return rules.batches == 2 or rules.elected("device", "continuous")


def failure_cites(rules: TableRules) -> tuple[str, ...]:
    return rules.cites("device.failure") or (rules.entry("device_failure.play"),)


def may_take_back(state: TableState) -> bool:
    round_ = state.round
    return (
        round_ is not None
        and state.phase in IN_THE_DEAL
        # A simulated round has the number of the round before it.
        and not round_.simulated
        and state[Device].withdrawable == round_.number
    )


@cites("device.failure.shuffle")
def shuffles_by_hand(state: TableState, rules: TableRules) -> bool:
    """Whether the batch on the table is shuffled by hand while the shuffler is down."""
    if not state[Device].down or rules.batches != 2:
        return False
    if rules.applies("device.failure"):
        return rules.by_word("device.failure.shuffle", {"by-hand": True, "wait": False})
    return rules.reading("device_failure.play") == "by-hand"


def device_down(state: TableState, rules: TableRules) -> Refusal | None:
    if not state[Device].down:
        return None
    message = "the shuffling device failed: a supervisor reports when it works again"
    return Refusal("device_down", failure_cites(rules), message)


@hooks.before_round.join
def no_round(state: TableState, rules: TableRules) -> Refusal | None:
    """Refuse a round, a simulated one included, while a continuous device is down."""
    # The cards of a shuffler with two batches are dealt from a shoe.
    return device_down(state, rules) if rules.elected("device", "continuous") else None


def waits_for_device(state: TableState, rules: TableRules) -> bool:
    if not (state[Device].down and has_device(rules)):
        return False
    if rules.batches == 2:
        has_stack = state.phase is Phase.TO_EXCHANGE and not state.idle
        shuffles = not has_stack and shuffles_by_hand(state, rules)
        return state.phase in {Phase.TO_EXCHANGE, Phase.SHOE_COMPLETED} and not shuffles
    return state.phase is Phase.BETTING
