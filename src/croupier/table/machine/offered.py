"""What may be done next as something to show and to fill in: words, fields, bounds, defaults.

``legal`` and ``due`` list bare actions, because a table asks them a hundred thousand times an hour.
An ``Act`` puts words and fields to one of them when somebody looks: a page, a terminal, or whoever
has no will of their own needs nothing else to give a command. The bounds of a field are those of
``decide``, and its choices are what ``decide`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts import Command, PauseTable, ResumeTable
from croupier.acts.command import TERMS
from croupier.acts.fields import label_of
from croupier.acts.roles import Role
from croupier.rules import TableRules
from croupier.table.machine.core import Action, due, legal, turn_of
from croupier.table.machine.state import AnyPhase, Phases, TableState
from croupier.table.machine.wording import act_in_words
from croupier.table.people.offices import Actor, is_open_to

Choices = tuple[tuple[object, str], ...]


class Field(Struct, frozen=True):
    """One thing that a command has to be told.

    ``kind`` is ``card``, ``hand``, ``seat``, ``cents``, ``count``, ``choice``, ``text``,
    ``person``, ``stakes``, ``chips``, ``time``, ``flag``, ``serials`` or ``secret``. Amounts lie
    from ``least`` to ``most`` in steps of ``unit``. ``source`` says where a value comes from that
    nobody chooses: ``reader``, ``person``, ``clock`` or ``vault``; one that is ``needed`` has no
    default. A default from the reader or the vault is for whoever plays the table, and for no eye.
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
    """What a field is made of: the action, and the table that it is for."""

    action: Action
    state: TableState
    rules: TableRules


Maker = Callable[[Situation, str], Field]
Offerer = Callable[[TableState, TableRules], Iterable[Action]]
MakerType = TypeVar("MakerType", bound=Maker)
OffererType = TypeVar("OffererType", bound=Offerer)

_MAKERS: Final[dict[str, Maker]] = {}
_ALSO: Final[list[tuple[Phases | frozenset[AnyPhase], Offerer]]] = []


def fills_in(*fields: str) -> Callable[[MakerType], MakerType]:
    """Register what makes a field, by its name or for one command alone as ``Command.field``."""

    def register(maker: MakerType) -> MakerType:
        _MAKERS.update(dict.fromkeys(fields, maker))
        return maker

    return register


def also_offers(*phases: AnyPhase | Phases) -> Callable[[OffererType], OffererType]:
    """Register what may be done although the course of play does not ask for it."""

    def register(offerer: OffererType) -> OffererType:
        _ALSO.extend(
            (one if isinstance(one, Phases) else frozenset({one}), offerer) for one in phases
        )
        return offerer

    return register


class Act:
    """Something that may be done next, or ``must``, with all that is needed to do it.

    ``who`` are the offices of which one gives the command, ``also`` those that consent.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier.table import new_table
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> opening, *_ = acts(new_table(rules), rules)
    >>> opening.words, [one.name for one in opening.fields]
    ('Open the table', ['inventory_cents', 'dealer', 'floorperson', 'gaming_date'])
    >>> opening.make(inventory_cents=5_000_000, gaming_date=date(2011, 2, 22)).dealer
    'dealer'
    """

    def __init__(self, action: Action, state: TableState, rules: TableRules) -> None:
        self.action = action
        self._of = Situation(action, state, rules)

    def __repr__(self) -> str:
        return f"Act({self.action})"

    @property
    def command(self) -> type[Command]:
        """The type of the command."""
        return self.action.command

    @property
    def must(self) -> bool:
        """Whether it comes before anything else goes on."""
        return self.action.must

    @property
    def seat(self) -> int | None:
        """The seat that it is about, if it is about one."""
        return self.action.seat

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses behind it."""
        return self.action.clauses

    @property
    def who(self) -> tuple[Role, ...]:
        """The offices of which one gives the command, the one asked for first."""
        return _who(self.command.__name__, self.action.who)

    @property
    def also(self) -> tuple[Role, ...]:
        """The offices that consent in the same entry."""
        return TERMS[self.command.__name__].together

    @cached_property
    def words(self) -> str:
        """What is to be done, as it is put to whoever does it."""
        return act_in_words(*self._of)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """What the command has to be told, in its order."""
        kind = self.command
        return tuple(
            replace(
                (_MAKERS.get(f"{kind.__name__}.{name}") or _MAKERS[name])(self._of, name),
                label=label_of(kind, name),
            )
            for name in kind.__struct_fields__
        )

    def is_open_to(self, one: Actor) -> bool:
        """Return whether a person may have a part in it, as far as it depends on the person."""
        return is_open_to(self._of.state, self.command, one)

    def plain(self) -> Command:
        """Return the command with every default. Raises ``ValueError`` where one is needed."""
        return self.make()

    def make(self, **values: object) -> Command:
        """Return the command with these values, and the defaults of the other fields.

        Raises ``ValueError`` for a field that needs a value, or that the command does not have.
        """
        name = self.command.__name__
        told: dict[str, object] = {}
        for one in self.fields:
            if one.needed and one.name not in values:
                raise ValueError(f"{name} needs {one.name}: it comes from the {one.source}")
            told[one.name] = values.get(one.name, one.default)
        if unknown := values.keys() - told.keys():
            known = ", ".join(told) or "none"
            raise ValueError(f"{name} has no field {', '.join(sorted(unknown))}; it has {known}")
        make: Callable[..., Command] = self.command
        return make(**told)


@cache
def _who(command: str, asked: Role) -> tuple[Role, ...]:
    """Return the offices of which one gives a command, the one asked for first."""
    does = TERMS[command].does
    # A dealer deals, or a curator: never whichever of the two comes first.
    others = () if Role.CURATOR in does else does
    return tuple(dict.fromkeys((asked, *others)))


def acts(state: TableState, rules: TableRules, *, paused: bool = False) -> tuple[Act, ...]:
    """Return all that may or must be done next: what play asks for, and what else is allowed.

    While a table is paused, only what the pause does not hold up.
    """
    asked = legal(state, rules)
    listed = (*asked, *_more(state, rules, asked))
    return tuple(Act(one, state, rules) for one in listed if _goes_on(one, paused=paused))


def _goes_on(action: Action, *, paused: bool) -> bool:
    """Return whether a pause, or that there is none, leaves an action be."""
    if action.command is (PauseTable if paused else ResumeTable):
        return False
    return not paused or TERMS[action.command.__name__].while_paused


def act_due(state: TableState, rules: TableRules) -> Act | None:
    """Return the first thing that must be done next; ``None`` where nothing must."""
    action = due(state, rules)
    return None if action is None else Act(action, state, rules)


def _more(state: TableState, rules: TableRules, listed: tuple[Action, ...]) -> Iterator[Action]:
    """Yield what else is allowed, but not what play asks for already."""
    asked = {(one.command, one.seat) for one in listed}
    for offerer in _offerers_besides(state.phase, len(_ALSO)):
        for action in offerer(state, rules):
            if (action.command, action.seat) not in asked:
                yield action


@cache
def _offerers_besides(phase: AnyPhase, registered: int) -> tuple[Offerer, ...]:
    """Return what offers more in a phase, in order; parts register theirs as they are imported."""
    del registered
    found = sorted(_ALSO, key=lambda also: turn_of(also[1]))
    return tuple(offerer for phases, offerer in found if phase in phases)


def makers() -> Mapping[str, Maker]:
    """Return what makes each field, by its name or as ``Command.field``."""
    return _MAKERS
