"""Places that need not be reached, with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_GUARDS: Final = "its phase never stands without a round: it guards a state without commands to it"

UNREACHED: Final[Mapping[str, str]] = {
    "house_money._settle: not_now": _GUARDS,
    "settling._settle: not_now": _GUARDS,
    "settling._clear: not_now": _GUARDS,
    **dict.fromkeys(
        ("patrons._seat: nobody", "verifying.not_verified_by: not_on_duty"),
        "every act here names the persons who are at the table, or on duty",
    ),
    "house_money._cannot_add: walked_away": "nobody walks away here while House Money is due",
    "forms._take_over: custody": "no pit clerk is assigned to the tables that are asked here",
    "core.mechanism_failed: mechanism_failed": "a mechanism that works fails at no command",
    "election_changes._moment: time (3)": "the tables that are asked here have no clock",
}
"""Places that need not be reached, whatever the rules."""
