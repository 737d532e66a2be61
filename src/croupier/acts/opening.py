"""The opening procedure of a table."""

from __future__ import annotations

from msgspec import Struct

from croupier.acts.fields import Count, Flag


class OpeningProcedure(Struct, frozen=True):
    """The steps that the regulation requires from the receipt of the cards to the first round.

    Whether the floorperson ``verifies`` the inspection, including the ``seals`` of pre-shuffled
    cards, whether the cards are ``spread`` for the first participant, and into how many ``batches``
    they are divided.
    """

    verifies: Flag = True
    spread: Flag = True
    seals: Flag = True
    batches: Count = 1
