"""Narration of amounts, seats, hands, and people. Hidden values are written ``??``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any, Final

from croupier.acts.roles import POSTED, Role
from croupier.baccarat.cards import face, faces
from croupier.baccarat.coup import Hand
from croupier.law.usage import money, named
from croupier.money.chips import chips_in_words

HANDS: Final = {Hand.PLAYER: "Player's Hand", Hand.BANKER: "Banker's Hand"}

_STEPS: Final = {
    "plug": "plugs the cards behind the cutting card",
    "riffle": "riffles the stack",
    "turn": "turns one half of the stack",
    "strip": "strips the stack",
}
_OFFERS: Final = {
    "cut": "the cut",
    "shoe": "the shoe",
    "hand": "the hand on offer",
    "look": "a look at the cards",
}


def who(name: str) -> str:
    """Begin a sentence with a person: by name, or by office if no name was given.

    >>> who("Flo"), who("floorperson"), who("patron")
    ('Flo', 'The floorperson', 'A patron')
    """
    if name == "patron":
        return named("A patron")
    return named(Role(name).words).replace("the ", "The ", 1) if name in POSTED else name


def amount(cents: int | None) -> str:
    return "??" if cents is None else money(cents)


def short(cents: int | None) -> str:
    """Write an amount without its cents if they are zero."""
    return amount(cents).removesuffix(".00")


def seat_words(seat: int | None) -> str:
    return named("the dealer") if seat is None else f"seat {seat}"


def cards_words(cards: Iterable[str]) -> str:
    return faces(cards)


_FORMATS: Final[Mapping[str, Callable[[Any], str]]] = {
    "amount": amount,
    "short": short,
    "who": who,
    "named": named,
    "seat": seat_words,
    "Seat": lambda seat: seat_words(seat).capitalize(),
    "hand": HANDS.__getitem__,
    "card": face,
    "faces": faces,
    "meters": lambda shown: ", ".join(f"{meter} {short(cents)}" for meter, cents in shown.items()),
    "list": lambda several: ", ".join(map(str, several)),
    "chips": lambda chips: chips_in_words(chips) or "??",
    "step": _STEPS.__getitem__,
    "offer": _OFFERS.__getitem__,
    "count": lambda several: str(len(several)),
    "cards": lambda several: f"{len(several)} card{'s' * (len(several) != 1)}",
}


class _Template(Formatter):
    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        del kwargs
        return getattr(args[0], str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        write = _FORMATS.get(format_spec)
        return format(value, format_spec) if write is None else write(value)


_TEMPLATE: Final = _Template()


def filled_in(template: str) -> Callable[[Any], str]:
    """Return a function that fills a template with an event's fields.

    >>> from croupier.acts import FillReceived
    >>> filled_in("Fill {slip} is in the tray: {cents:amount}")(FillReceived(3, 50_000, ()))
    'Fill 3 is in the tray: $500.00'
    """
    return lambda event: _TEMPLATE.format(named(template), event)
