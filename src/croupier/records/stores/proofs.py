"""What the lines of a store prove about its leases and its answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from croupier.records.entry import entry_head
from croupier.records.stores.store import SqlReader

_READING: Final = re.compile(r"pit-[0-9]+-meters")
"""Key of an entry that no request asked for."""
_PLACE: Final = re.compile(r"-[0-9]+$")
"""End of the key of one command of several: their answer has the key of the request."""


def disproved(records: SqlReader) -> Iterator[str]:
    """Yield records whose lease was set back, or whose requests have no answer any more.

    A service writes a line with the epoch of its lease, and with the answer to its request.
    """
    if not records.has_service:
        return
    asked: dict[str, set[str]] = {}
    for name in records.names:
        highest, keys = 0, asked.setdefault(name, set())
        for number, (epoch, line) in enumerate(records.written(name), start=1):
            if 0 < epoch < highest:
                yield f"{name}: line {number} is of epoch {epoch}, after one of epoch {highest}"
            highest = max(highest, epoch)
            head = entry_head(line) if epoch else None
            if head is not None and head.key is not None and not _READING.fullmatch(head.key):
                keys.add(head.key)
        # Whoever wrote a line had the lease before.
        lease = records.lease(name)
        if (found := 0 if lease is None else lease.epoch) < highest:
            yield f"{name}: its lease was set back to epoch {found}: a line is of epoch {highest}"
    # A part of a request at another record is answered there.
    answered = {key for name in asked for key in records.answered(name)}
    for name, keys in asked.items():
        if lost := [key for key in keys if answered.isdisjoint({key, _PLACE.sub("", key)})]:
            yield f"{name}: {len(lost):,} answers are missing: repeated requests are done again"
