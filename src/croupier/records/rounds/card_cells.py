"""Cells of external records: cards, winners, totals, and marks. Functions raise ``ValueError``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from croupier.baccarat.cards import DECK, Card, CardNotation, Rank, Shown, Suit
from croupier.baccarat.coup import FACES, WINNERS
from croupier.records.rounds.cells import LONGEST_CELL, listed_in_cell, plain, readable, whole
from croupier.records.rounds.record import MARKS, IrregularityMark

NO_CARD: Final = "-"

_MEMORY: Final = 200_000
"""Maximum number of cached hands: slightly more than the number of three suited cards."""

_BETWEEN: Final = re.compile(r"[\s,;|/+_]+|(?<=[0-9])-(?=[0-9])")
_ABSENT: Final = frozenset(
    {"-", "--", "---", "\u2013", "\u2014", "\u2212", "-1", "none", "null", "nan"}
)

_MAY_BE_ABSENT: Final = re.compile("[-\u2013\u2014\u2212]|none|null|nan", re.IGNORECASE)
_HANDS: Final = re.compile(
    r"(?i)\b(p(?:layer|unto)?|b(?:anker|anco)?)\b(?:'s)?(?:\s+hand\b)?[\s:=]*"
)
_AROUND: Final = " \t/|;,.()[]"
_RANK_WORDS: Final = {rank.name: rank.value for rank in Rank}
_SUIT_WORDS: Final = {suit.name: suit.value for suit in Suit} | {
    suit.name.removesuffix("S"): suit.value for suit in Suit
}
_WORDS: Final = re.compile(
    rf"\b(?P<rank>{'|'.join(_RANK_WORDS)}|10|[2-9AKQJT])(?:[\s_-]*(?:OF[\s_-]*)?"
    rf"(?P<suit>{'|'.join(sorted(_SUIT_WORDS, key=len, reverse=True))}))?\b"
)
_HAS_WORD: Final = re.compile(rf"{'|'.join((*_RANK_WORDS, *_SUIT_WORDS))}")
_NUMBER: Final = re.compile("[0-9]{1,3}")
_WITH_POINT: Final = re.compile(r"(?<![0-9.])([0-9]{1,3})[.]0+(?![0-9.])")
_WHOLE: Final = {card.notation: card for card in DECK}
PAIR_OF_NUMBERS: Final = re.compile(r"(?<![0-9])([0-9]{1,2})-([0-9]{1,2})(?![0-9])")
"""A rank and a suit, such as ``13-2``, if the suits are known by number."""

_BY_NUMBER: Final = {"1": "A", "11": "J", "12": "Q", "13": "K"}


class CardReader:
    """Reads the cards of a cell, or of a list of cells.

    Numbers up to 52 are never read as ranks without a report: see ``number_fault`` and
    ``number_note``.

    >>> CardReader()("9h K♦ 10"), CardReader()("1 12"), CardReader()("King of Hearts, Two of Clubs")
    ((Card.of('9h'), Card.of('Kd'), <Rank.TEN: 'T'>), (<Rank.ACE: 'A'>, <Rank.QUEEN: 'Q'>), (Card.of('Kh'), Card.of('2c')))
    """  # noqa: E501

    def __init__(
        self,
        ranks: Mapping[str, str] | None = None,
        suits: Mapping[str, str] | None = None,
        *,
        suit_first: bool = False,
        deck: Sequence[Card] | None = None,
        first_number: int = 0,
    ) -> None:
        self._notation = CardNotation(ranks, suits, suit_first=suit_first)
        self._known: dict[str, tuple[Shown, ...]] = {}
        self._suit_first = suit_first
        self._own = {name.strip() for name in ranks or ()}
        self._suits = {name.strip(): suit for name, suit in (suits or {}).items()}
        self._has_suit_numbers = any(map(str.isdecimal, self._suits))
        self._numbers = {
            str(number): card for number, card in enumerate(deck or (), start=first_number)
        }
        # If cards are numbered from one, zero means no card.
        self._absent = _ABSENT | {"0"} if deck and first_number else _ABSENT
        self._is_plain = not (ranks or suits or suit_first or deck)
        self.counts: Counter[str] = Counter()

    def __call__(self, value: object) -> tuple[Shown, ...]:
        if isinstance(value, Sequence) and not isinstance(value, str):
            if len(value) > LONGEST_CELL:
                raise ValueError(f"{len(value)} cards in one place")
            value = " ".join(self._card_text(item) or NO_CARD for item in value)
        text = plain(value)
        cards = self._known.get(text)
        if cards is None:
            if len(self._known) >= _MEMORY:
                self._known.clear()
            numbers = _WITH_POINT.sub(r"\1", text) if ".0" in text else text
            cards = self._known[text] = self._read(numbers)
        return cards

    def hands(self, value: object) -> tuple[tuple[Shown, ...], ...]:
        """Return Player's Hand and Banker's of a cell that names both, or else all its cards.

        >>> CardReader().hands("P: 9h 4c / B: Kd 2s")
        ((Card.of('9h'), Card.of('4c')), (Card.of('Kd'), Card.of('2s')))
        """
        hands = hands_in_cell(value) or owned_cards(value)
        return tuple(map(self, hands)) or (self(value),)

    def _card_text(self, value: object) -> str:
        if not isinstance(value, Mapping):
            return plain(value)
        rank, suit = (plain(value.get(name, value.get(name[0]))) for name in ("rank", "suit"))
        return suit + rank if self._suit_first else rank + suit

    def _read(self, text: str) -> tuple[Shown, ...]:
        if self._is_plain:
            # Our own card notation, which most others use too.
            try:
                cards = tuple([_WHOLE[word] for word in text.split()])
            except KeyError:
                pass
            else:
                self.counts["lettered"] += len(cards)
                return cards
        if self._has_suit_numbers:
            text = PAIR_OF_NUMBERS.sub(self._pair, text)
        if _MAY_BE_ABSENT.search(text) or self._absent > _ABSENT:
            text = self._with_places(text)
        if self._numbers:
            return self._by_number(text)
        if any(_NUMBER.fullmatch(part) for part in _BETWEEN.split(text)):
            text = self._ranks(text)
        elif not text.isascii() or any(character.isalpha() for character in text):
            self.counts["lettered"] += 1
        capitals = text.upper()
        if _HAS_WORD.search(capitals):
            text = _WORDS.sub(self._word, capitals)
        return self._notation.read(text)

    def _pair(self, match: re.Match[str]) -> str:
        number, suit = match.groups()[:: -1 if self._suit_first else 1]
        rank, suit = _BY_NUMBER.get(number, number), self._suits.get(suit, suit)
        return suit + rank if self._suit_first else rank + suit

    def _with_places(self, text: str) -> str:
        parts = _BETWEEN.split(text.strip())
        while parts and (parts[-1].casefold() in self._absent or not parts[-1]):
            parts.pop()
        for place, part in enumerate(parts, start=1):
            if part.casefold() in self._absent:
                raise ValueError(f"{readable(text)!r}: card {place} is missing, and one follows it")
        return " ".join(parts)

    def _by_number(self, text: str) -> tuple[Shown, ...]:
        cards = []
        for part in filter(None, _BETWEEN.split(text)):
            card = self._numbers.get(part.lstrip("0") or "0")
            if card is None:
                last = len(self._numbers) - 1 + int(next(iter(self._numbers)))
                raise ValueError(
                    f"{readable(part)!r} is not a number from {next(iter(self._numbers))} to {last}"
                )
            cards.append(card)
        return tuple(cards)

    def _ranks(self, text: str) -> str:
        parts = [part for part in _BETWEEN.split(text) if part]
        if len(parts) == 1 and parts[0] in {"11", "12", "13"} and parts[0] not in self._own:
            raise ValueError(
                f"{readable(text)!r} may be one card or two: write a space between cards, or J Q K"
            )
        bad_number = ""
        for place, part in enumerate(parts):
            if not _NUMBER.fullmatch(part) or part in self._own:
                self.counts["lettered"] += 1
                continue
            self.counts["digits"] += 1
            self.counts["ten and more"] += len(part) > 1
            if part in _BY_NUMBER:
                self.counts["numbered"] += 1
                parts[place] = _BY_NUMBER[part]
            elif not 2 <= int(part) <= 10:
                self.counts["beyond"] += 1
                self.counts["zeros"] += part == "0"
                bad_number = bad_number or part
        # Ranks may be written without separators: 25 is two cards, but not next to a third.
        if bad_number and len(parts) > 1:
            raise ValueError(f"{readable(text)!r}: {bad_number} is not a rank")
        return " ".join(parts)

    def _word(self, match: re.Match[str]) -> str:
        rank = _RANK_WORDS.get(match["rank"], match["rank"])
        suit = _SUIT_WORDS.get(match["suit"] or "", "")
        return f" {suit}{rank} " if self._suit_first else f" {rank}{suit} "

    @property
    def has_faces(self) -> bool:
        cards = (card for hand in self._known.values() for card in hand)
        return any(
            card is not None and (card.rank if isinstance(card, Card) else card) in FACES
            for card in cards
        )

    @property
    def number_fault(self) -> str | None:
        if not self.counts["beyond"] or self.counts["lettered"]:
            return None
        if self.counts["beyond"] == self.counts["zeros"] and not self.counts["ten and more"]:
            return (
                "the cards are numbers 0 to 9: if 0 stands for ten, jack, queen, and king, say so "
                'in a mapping: [values.rank] 0 = "T" and [cards] tens = "ten-valued"'
            )
        return (
            "the cards look like numbers 0 to 51 or 1 to 52, whose order is not known: name it in "
            'a mapping, such as [cards] numbers = "1-52", suits = "cdhs", ranks = "A23456789TJQK", '
            'by = "suit"'
        )

    @property
    def number_note(self) -> str | None:
        is_unlettered = self.counts["digits"] and not self.counts["lettered"]
        if not self.counts["numbered"] and not is_unlettered:
            return None
        return (
            "Cards written as numbers were read as ranks, 1, 11, 12, and 13 as ace, jack, queen, "
            "and king; if they are numbers of cards, name their order with [cards] numbers in a "
            "mapping."
        )


def hands_in_cell(value: object) -> tuple[str, ...]:
    """Return the texts of Player's Hand and Banker's of a cell that names both, or nothing.

    >>> hands_in_cell("Banker Kd,2s | Player 9h,4c"), hands_in_cell("9h Kd 4c 2s")
    (('9h,4c', 'Kd,2s'), ())
    """
    parts = _HANDS.split(value) if isinstance(value, str) and len(value) <= LONGEST_CELL else ()
    if len(parts) != 5 or parts[0].strip(_AROUND):
        return ()
    hands = {
        name[0].casefold(): cards.strip(_AROUND)
        for name, cards in zip(parts[1::2], parts[2::2], strict=True)
    }
    return (hands["p"], hands["b"]) if len(hands) == 2 else ()


def owned_cards(value: object) -> tuple[list[object], ...]:
    """Return Player's cards and Banker's of a list in which each card names its hand, or nothing.

    >>> owned_cards([{"to": "P", "card": "9h"}, {"to": "B", "card": "Kd"}])
    (['9h'], ['Kd'])
    """
    hands: dict[str, list[object]] = {"p": [], "b": []}
    listed = listed_in_cell(value)
    for entry in listed if isinstance(listed, list) else ():
        items = entry.items() if isinstance(entry, Mapping) else ()
        owners = [text[0].casefold() for _, text in items if _is_hand(text)]
        if len(owners) != 1:
            return ()
        card = {key.casefold(): item for key, item in items if not _is_hand(item)}
        hands[owners[0]].append(card.get("card", card))
    return tuple(hands.values()) if all(hands.values()) else ()


def _is_hand(text: object) -> bool:
    return isinstance(text, str) and _HANDS.fullmatch(text) is not None


_WINNERS: Final = (
    {name: name for name in WINNERS}
    | {name[0]: name for name in WINNERS}
    | {
        name: winner
        for winner, names in {
            "player": "punto joueur spieler jugador giocatore",
            "banker": "bank banco banque banquier bankier banca",
            "tie": "draw égalité egalite empate pareggio unentschieden standoff stand-off",
        }.items()
        for name in names.split()
    }
)
_WINS: Final = re.compile(r"^win[_ ]+|[_ ]+(?:wins?|won|hand|game)$")


def wager_name(text: str) -> str:
    """Return the id of a wager from its written name.

    >>> wager_name("Dragon 7"), wager_name("Bonus-Player")
    ('dragon_7', 'bonus_player')
    """
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


def winner_reader(names: Mapping[str, str]) -> Callable[[object], str | None]:
    winners = _WINNERS | {name.strip().casefold(): winner for name, winner in names.items()}

    def winner_of(value: object) -> str | None:
        text = plain(value)
        if not text:
            return None
        winner = winners.get(text.casefold()) or winners.get(_WINS.sub("", text.casefold()))
        if winner is None:
            raise ValueError(f"{readable(text)!r} is not a winner: write player, banker, or tie")
        return winner

    return winner_of


def total_of(value: object) -> int | None:
    text = plain(value)
    if not text:
        return None
    if not re.fullmatch("[0-9]{1,2}", whole(text)):
        raise ValueError(f"{readable(text)!r} is not a Point Count: write 0 to 9")
    return int(whole(text))


def mark_reader(
    cards_of: CardReader, names: Mapping[str, str]
) -> Callable[[object], tuple[IrregularityMark, ...]]:
    """Read marks such as ``void`` or ``disclosed=9h; void``."""
    mapped_kinds = {name.strip().casefold(): kind for name, kind in names.items()}

    def mark_of(text: str) -> IrregularityMark | None:
        kind, _, card = re.sub(r"\s*[=:]\s*", "=", text).partition("=")
        mapped_kind = mapped_kinds.get(kind.strip().casefold())
        kind = kind.strip().casefold().replace("_", "-").replace(" ", "-")
        kind = kind if mapped_kind is None else mapped_kind
        if not kind or kind == "none":
            return None
        if kind not in MARKS:
            raise ValueError(f"{readable(text)!r} is not a mark: the marks are {', '.join(MARKS)}")
        cards = cards_of(card)
        if len(cards) != MARKS[kind]:
            need = f"one card, such as {kind}=9h" if MARKS[kind] else "no card"
            raise ValueError(f"{readable(text)!r}: this mark requires {need}")
        if None in cards:
            raise ValueError(f"{readable(text)!r}: the mark must name a card")
        return IrregularityMark(kind, cards[0] if cards else None)

    def marks_of(value: object) -> tuple[IrregularityMark, ...]:
        if isinstance(value, list | tuple):
            if len(value) > LONGEST_CELL:
                raise ValueError(f"{len(value)} marks on one round")
            texts = [_mark_text(item) for item in value]
        else:
            texts = re.split(r"[;,]", plain(value))
        return tuple(mark for mark in map(mark_of, texts) if mark is not None)

    return marks_of


def _mark_text(value: object) -> str:
    if isinstance(value, Mapping):
        kind, card = plain(value.get("kind")), plain(value.get("card"))
        return f"{kind}={card}" if card else kind
    return plain(value)
