"""The opening procedure of a table."""

from __future__ import annotations

from msgspec import Struct

from croupier.acts.fields import Count, Flag


class OpeningProcedure(Struct, frozen=True):
    """The required steps from the receipt of the cards to the first round.

    ``verifies`` is set if the floorperson verifies the inspection, ``seals`` if also the seals of
    pre-shuffled cards.
    """

    verifies: Flag = True
    spread: Flag = True
    seals: Flag = True
    batches: Count = 1
