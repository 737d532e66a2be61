"""Tables at any point of the procedure."""

from __future__ import annotations

from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.plainest import plainest
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Start, Starts, starts

__all__ = ["Autopilot", "Stage", "Start", "Starts", "plainest", "starts"]
