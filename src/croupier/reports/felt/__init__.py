"""The layout of a table as SVG."""

from croupier.reports.felt.drawing import (
    FELT_CSS,
    TURN,
    TURN_CSS,
    draw_felt,
    draw_hands,
    felt_alt_text,
    print_felt,
)
from croupier.reports.felt.plan import Box, Felt, Lying, plan_of

__all__ = [
    "FELT_CSS", "TURN", "TURN_CSS", "Box", "Felt", "Lying", "draw_felt", "draw_hands",
    "felt_alt_text", "plan_of", "print_felt",
]  # fmt: skip
