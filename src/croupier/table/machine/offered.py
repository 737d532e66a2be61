"""Acts to show and fill in: words, offices, fields with bounds and defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts import Command, PauseTable, ResumeTable
from croupier.acts.command import TERMS, CommandTerms
from croupier.acts.fields import label_of
from croupier.acts.roles import Role
from croupier.baccarat.coup import Hand
from croupier.law.mechanisms import reserve
from croupier.rules import TableRules, remembered
from croupier.table.cards.mixing import step_due
from croupier.table.dealing.dealing import card_due
from croupier.table.machine.core import Action, due, legal, turn_of
from croupier.table.machine.house import House
from croupier.table.machine.state import AnyPhase, Phase, Phases, TableState
from croupier.table.people.duty import terms_under
from croupier.table.people.offices import NO_HOUSE

_STEPS: Final[Mapping[str | None, str]] = {
    "plug": "Plug the cards behind the cutting card",
    "riffle": "Riffle the stack",
    "turn": "Turn one half of the stack",
    "strip": "Strip the stack",
    None: "Go on with the shuffle",
}
_ORDINAL: Final = ("first", "second", "third")


def act_in_words(action: Action, state: TableState, rules: TableRules) -> str:
    words = TERMS[action.command.__name__].title
    if "{" not in words:
        return words
    hand = hand_meant(state).title
    return words.format(
        seat=action.seat or "?", hand=hand, draw=_drawn(state), step=_STEPS[step_due(state, rules)]
    )


def hand_meant(state: TableState) -> Hand:
    """Hand on offer, to be turned, or due a card; otherwise Player's Hand."""
    round_ = state.round
    if round_ is None:
        return Hand.PLAYER
    if round_.offering is not None:
        return round_.offering.hand
    return round_.down[0] if round_.down else round_.coup.due or Hand.PLAYER


def _drawn(state: TableState) -> str:
    round_ = state.round
    if state.to_discard:
        return f"Discard a card: {state.to_discard} to go"
    if state.phase is Phase.TO_BURN:
        return "Burn the first card" if state.to_burn is None else f"Burn {state.to_burn} more"
    # The destination of a third card follows from the hands, and is secret while they are face
    # down.
    hand = None if round_ is None or not card_due(state) else round_.coup.due
    if round_ is None or hand is None:
        return "Draw the next card"
    return f"Draw the {_ORDINAL[len(round_.coup.hand(hand))]} card to {hand.title}"


class Prompt(NamedTuple):
    words: str
    clauses: tuple[str, ...]


def dealing_prompt(state: TableState, rules: TableRules) -> Prompt | None:
    """Prompt to deal and place the first four cards of a round, if one is due."""
    round_ = state.round
    if round_ is None or not card_due(state) or len(round_.coup.banker) == 2:
        return None
    for rule_id in ("deal.face_up", "deal.face_down", "deal.hand_over"):
        if rules.applies(rule_id):
            return Prompt(rules.law.rules[rule_id].does, rules.cites(rule_id))
    return None


Choices = tuple[tuple[object, str], ...]


class Field(Struct, frozen=True):
    """A field of a command.

    Amounts range from ``least`` to ``most`` in steps of ``unit``. ``source`` is the origin of a
    value that nobody chooses. Defaults from the reader or the vault are never shown.
    """

    name: str
    kind: str
    label: str = ""
    choices: Choices = ()
    least: int | None = None
    most: int | None = None
    unit: int = 1
    default: Any = None
    source: str = ""
    needed: bool = False


class Situation(NamedTuple):
    action: Action
    state: TableState
    rules: TableRules
    today: date | None
    house: House


Maker = Callable[[Situation, str], Field]
Offerer = Callable[[TableState, TableRules], Iterable[Action]]
MakerType = TypeVar("MakerType", bound=Maker)
OffererType = TypeVar("OffererType", bound=Offerer)

MAKERS: Final[dict[str, Maker]] = {}
_ALSO: Final[list[tuple[Phases | frozenset[AnyPhase], Offerer]]] = []


def fills_in(*fields: str) -> Callable[[MakerType], MakerType]:
    """Register the maker of a field by name, or for one command as ``Command.field``."""

    def register(maker: MakerType) -> MakerType:
        reserve(maker, "@fills_in")
        MAKERS.update(dict.fromkeys(fields, maker))
        return maker

    return register


def also_offers(*phases: AnyPhase | Phases) -> Callable[[OffererType], OffererType]:
    """Register permitted acts that play does not require."""

    def register(offerer: OffererType) -> OffererType:
        reserve(offerer, "@also_offers")
        _ALSO.extend(
            (one if isinstance(one, Phases) else frozenset({one}), offerer) for one in phases
        )
        return offerer

    return register


class Act:
    """An act that may or ``must`` be done next, with its fields."""

    def __init__(
        self, action: Action, state: TableState, rules: TableRules, today: date | None = None,
        house: House = NO_HOUSE,
    ) -> None:  # fmt: skip
        self.action = action
        self.command: type[Command] = action.command
        self.must, self.awaited = action.must, action.awaited
        self.seat, self.clauses = action.seat, action.clauses
        self._of = Situation(action, state, rules, today, house)

    def __repr__(self) -> str:
        return f"Act({self.action})"

    @property
    def terms(self) -> CommandTerms:
        return terms_under(self.command.__name__, self._of.rules)

    @property
    def who(self) -> tuple[Role, ...]:
        """The offices that may give the command, the expected one first."""
        return _offices_of(self.command.__name__, self.action.who, self._of.rules)

    @property
    def also(self) -> tuple[Role, ...]:
        return self.terms.together

    @cached_property
    def words(self) -> str:
        """The title as shown to the person who acts."""
        situation = self._of
        return situation.rules.law.usage.named(
            act_in_words(situation.action, situation.state, situation.rules)
        )

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the command, each with its label and its choices."""
        kind, usage = self.command, self._of.rules.law.usage
        named = usage.offices
        fields = (
            (MAKERS.get(f"{kind.__name__}.{name}") or MAKERS[name])(self._of, name)
            for name in kind.__struct_fields__
        )
        return tuple(
            replace(
                field,
                label=usage.named(label_of(kind, field.name)),
                choices=tuple((value, named.get(label, label)) for value, label in field.choices),
            )
            for field in fields
        )

    def plain(self) -> Command:
        """Command with every default. Raises ``ValueError`` if a field needs a value."""
        return self.make()

    def make(self, **values: object) -> Command:
        """Return the command; other fields have their defaults. Raises ``ValueError``."""
        name = self.command.__name__
        arguments: dict[str, object] = {}
        for field in self.fields:
            if field.needed and field.name not in values:
                raise ValueError(f"{name} needs {field.name}: it comes from the {field.source}")
            arguments[field.name] = values.get(field.name, field.default)
        if unknown := values.keys() - arguments.keys():
            names = ", ".join(arguments) or "none"
            raise ValueError(f"{name} has no field {', '.join(sorted(unknown))}; it has {names}")
        make: Callable[..., Command] = self.command
        return make(**arguments)


@remembered
def _offices_of(command: str, role: Role, rules: TableRules) -> tuple[Role, ...]:
    offices = terms_under(command, rules).does
    if offices != TERMS[command].does:
        return offices  # The law says who.
    # Either the dealer or a curator deals, never whichever acts first.
    others = () if Role.CURATOR in offices else offices
    return tuple(dict.fromkeys((role, *others)))


def acts(
    state: TableState, rules: TableRules, house: House = NO_HOUSE, today: date | None = None
) -> tuple[Act, ...]:
    """All acts that may or must be done next; while paused, only those a pause permits.

    A date proposed for a new gaming day is ``today`` at the earliest, where it is known.
    """
    required = legal(state, rules)
    actions = (*required, *_optional_actions(state, rules, required))
    return tuple(
        Act(action, state, rules, today, house)
        for action in actions
        if _goes_on(action, paused=bool(house.pause))
    )


def _goes_on(action: Action, *, paused: bool) -> bool:
    if action.command is (PauseTable if paused else ResumeTable):
        return False
    return not paused or TERMS[action.command.__name__].while_paused


def act_due(state: TableState, rules: TableRules) -> Act | None:
    action = due(state, rules)
    return None if action is None else Act(action, state, rules)


def _optional_actions(
    state: TableState, rules: TableRules, actions: tuple[Action, ...]
) -> Iterator[Action]:
    keys = {(action.command, action.seat) for action in actions}
    for offerer in _offerers_besides(state.phase, len(_ALSO)):
        for action in offerer(state, rules):
            if (action.command, action.seat) not in keys:
                yield action


@cache
def _offerers_besides(phase: AnyPhase, _registered: int) -> tuple[Offerer, ...]:
    offerers = sorted(_ALSO, key=lambda entry: turn_of(entry[1]))
    return tuple(offerer for phases, offerer in offerers if phase in phases)
