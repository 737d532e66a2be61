"""Places that refuse, and that no table need reach, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["UNREACHED"]

_GUARDS: Final = "its phase never stands without a round: it guards a state without commands to it"

UNREACHED: Final[Mapping[str, str]] = {
    "house_money._settle: not_now": _GUARDS,
    "settling._settle: not_now": _GUARDS,
    "settling._clear: not_now": _GUARDS,
    **dict.fromkeys(
        (
            "preparing._open: gaming_day",
            "forms._day_not_ended: gaming_day (2)",
            "forms._day_not_ended: gaming_day",
        ),
        "each table opens on one day, and no other day is tried",
    ),
    **dict.fromkeys(
        ("forms._off_duty: not_on_duty", "forms._unsigned: statement"),
        "nobody is assigned here but the dealer, who signs, and no statement is tried",
    ),
    **dict.fromkeys(
        (
            "cutting._recut: reason",
            "patrons._seat: nobody",
            "preparing._open: nobody",
            "preparing._verify: not_on_duty",
        ),
        "every act here names its reason, and the persons who are on duty",
    ),
    "house_money._cannot_add: walked_away": "nobody walks away here while House Money is due",
    "forms._void_form: patron_left": "no patron leaves before a Form is voided here",
    **{
        f"timed_decks._not_these: {code}": "decks come once to the tables that are asked here"
        for code in ("decks_removed", "decks_unnamed", "decks_too_old")
    },
    "progressive._end: late": "no round here follows one in which the value was hit and withheld",
    "election_changes._moment: time (2)": "each act is tried after none that names a time",
    "election_changes._moment: time (3)": "the tables that are asked here have no clock",
}
"""Places that a table need not reach, whatever its rules."""
