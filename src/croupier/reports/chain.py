"""The chain of a table log in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_LISTED: Final = 10
"""Changed lines that a person is shown; a document lists them all."""


def chain_warnings(chain: Mapping[str, Any]) -> list[str]:
    """Return a warning for each of the first ten changed lines, and one for the rest."""
    faults = chain["faults"]
    warnings = [
        f"line {one['line']}: this record was changed: {one['message']}" for one in faults[:_LISTED]
    ]
    if more := len(faults) - len(warnings):
        warnings.append(f"{more:,} more lines of this record were changed")
    return [f"WARNING: {warning}" for warning in warnings]


def chain_in_words(chain: Mapping[str, Any]) -> str:
    """Return what was checked of a log, as a sentence."""
    head = chain["head"]
    through = f"through entry {head['entry']}, {head['sha256']}"
    if chain["faults"]:
        return f"The chain of this record is BROKEN; it was checked {through}."
    torn = "" if chain["torn_line"] is None else f" Line {chain['torn_line']} breaks off."
    is_open = "; still open" if chain["open"] else ""
    if part := chain.get("index"):
        return (
            f"Entries {part['first']} to {part['last']} of this record were read, and fit their"
            f" seals and an index made at {part['made_at']}, when the chain was intact"
            f" {through}{is_open}.{torn} The rest was not read now: croupier verify checks it all."
        )
    return f"The chain of this record is intact {through}{is_open}.{torn}"
