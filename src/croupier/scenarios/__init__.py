"""Tables set at any point of the procedure, and players without a will of their own.

Tests, conformance vectors, and drills draw from here: ``starts`` sets a table at every point that
its rules leave room for, a ``Stage`` plays on from there, ``plainest`` answers what must be done
next, and the ``Autopilot`` deals whole shoes.
"""

from __future__ import annotations

from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.plainest import plainest
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Start, Starts, starts

__all__ = ["Autopilot", "Stage", "Start", "Starts", "plainest", "starts"]
