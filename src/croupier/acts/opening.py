"""The opening procedure of a table."""

from __future__ import annotations

from msgspec import Struct

from croupier.acts.fields import Count, Flag


class OpeningProcedure(Struct, frozen=True):
    """The steps that the regulation requires from the receipt of the cards to the first round.

    ``verifies`` is set if the floorperson verifies the inspection, ``seals`` if also the seals of
    pre-shuffled cards, and ``spread`` if the cards are spread for the first participant. The cards
    are divided into ``batches``.
    """

    verifies: Flag = True
    spread: Flag = True
    seals: Flag = True
    batches: Count = 1
