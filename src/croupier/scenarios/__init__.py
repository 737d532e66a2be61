"""Tables at any point of the procedure."""

from __future__ import annotations

from croupier.scenarios.plainest import plainest
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Starts, starts

__all__ = ["Stage", "Starts", "plainest", "starts"]
