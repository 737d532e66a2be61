"""Chance: every number as likely as any other, from the system's generator unless a seed is asked for."""

import hashlib
import secrets
import struct
from collections import Counter
from itertools import permutations

import pytest

from croupier.table.cards import chance as shuffling
from croupier.table.cards.chance import Chance

ALL = 1 << 32


def chance_of(*words: int) -> Chance:
    """Chance that draws these 32-bit words, and then only noughts."""
    chance = Chance(seed=0)
    block = struct.pack(">1024I", *words, *[0] * (1024 - len(words)))
    chance._fetch = lambda: block  # noqa: SLF001  (the generator is what the test replaces)
    return chance


@pytest.mark.parametrize("number", [1, 2, 3, 10, 52, 416, 832, 2**31 + 1, ALL])
def test_words_that_would_favour_small_numbers_are_thrown_away(number: int) -> None:
    # Of the words 0 to 2**32 - 1 the first `fair` part into equal classes; those after do not.
    fair = ALL // number * number
    assert chance_of(fair - 1).below(number) == number - 1
    if fair < ALL:
        assert chance_of(fair, ALL - 1, 5).below(number) == 5 % number


def test_each_number_stands_for_as_many_words_as_any_other() -> None:
    # A generator of one byte in place of four would be too coarse to see; classes of words are not.
    number = 7
    fair = ALL // number * number
    starts = [chance_of(word).below(number) for word in range(21)]
    ends = [chance_of(fair - 1 - word).below(number) for word in range(21)]
    assert Counter(starts) == Counter(ends) == dict.fromkeys(range(number), 3)


@pytest.mark.parametrize("number", [0, -1, ALL + 1])
def test_there_is_no_choice_among_none_or_too_many(number: int) -> None:
    with pytest.raises(ValueError, match="not a valid bound"):
        Chance(seed=1).below(number)


def test_every_order_of_four_cards_comes_from_one_run_of_choices() -> None:
    # Fisher and Yates choose below 4, then 3, then 2: twenty-four runs for twenty-four orders.
    orders = []
    for first in range(4):
        for second in range(3):
            for third in range(2):
                items = list("abcd")
                chance_of(first, second, third).shuffle(items)
                orders.append(tuple(items))
    assert sorted(orders) == sorted(permutations("abcd"))


def test_without_a_seed_the_bytes_are_the_systems_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def token_bytes(number: int) -> bytes:
        asked.append(number)
        return bytes(number)

    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    chance = Chance()
    assert chance.below(52) == 0
    assert asked == [shuffling._BLOCK]  # noqa: SLF001
    assert chance.described == "cryptographic"


def test_two_tables_do_not_share_their_chance() -> None:
    assert [Chance().below(ALL) for _ in range(4)] != [Chance().below(ALL) for _ in range(4)]


def test_a_seed_names_its_cards_for_good() -> None:
    # SHA-256 of "croupier shuffle 7 0" begins with these words: the stream is what it was defined as.
    chance = Chance(seed=7)
    drawn = [chance.below(ALL) for _ in range(2)]
    assert drawn == _words_of("croupier shuffle 7 0")
    assert chance.described == "seed 7"
    assert Chance(seed=8).below(ALL) != Chance(seed=7).below(ALL)


def _words_of(text: str) -> list[int]:
    digest = hashlib.sha256(text.encode()).digest()
    return [int.from_bytes(digest[at : at + 4], "big") for at in (0, 4)]


def test_the_stream_goes_on_after_a_block() -> None:
    chance, again = Chance(seed=3), Chance(seed=3)
    many = [chance.below(1000) for _ in range(3000)]
    assert many == [again.below(1000) for _ in range(3000)]
    assert len(set(many[:1024])) > 1
    assert many[:1000] != many[1024:2024]


def test_a_shuffled_shoe_has_no_more_fixed_points_than_chance_gives() -> None:
    # The number of cards that stay in place has mean 1 and variance 1, whatever the size; over 2,000
    # shuffles its mean is within 5 standard errors (0.11) of that.
    chance = Chance(seed=11)
    stayed = 0
    for _ in range(2000):
        items = list(range(52))
        chance.shuffle(items)
        stayed += sum(place == item for place, item in enumerate(items))
    assert abs(stayed / 2000 - 1) < 0.112
