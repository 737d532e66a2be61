"""A custom betting system: bet on the hand that won last.

``croupier session --system docs/examples/follow.py:follow --wager player --wager banker ...``
"""
# ruff: noqa: INP001  (it is a file of its own, in no package)

from typing import Any

import numba

TIE = 2


@numba.njit
def follow(view: Any, stakes: Any, _memory: Any) -> None:
    """Stake a unit on the hand that won last; sit out until one has won."""
    for result in view.results[::-1]:
        if result != TIE:
            stakes[result] = view.unit
            return
