"""The page of a pit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.reports.tags import Html, join, tag
from croupier.reports.words import say
from croupier.server.pages.forms import pit_form
from croupier.server.pages.house import decided_words
from croupier.server.pages.pieces import part, table_of
from croupier.server.pages.shell import page

if TYPE_CHECKING:
    from croupier.server.pages.looked import PitActSeen, Session


def decided_page(
    session: Session,
    decided: Mapping[str, Any] | None,
    tables: Mapping[str, bool],
    acts: Sequence[PitActSeen],
    answer: Html | None = None,
) -> str:
    """Return a pit's page; ``tables`` are marked admitted or not."""
    forms = [
        tag("details", tag("summary", act.words), pit_form(session, act), id=f"pit-{act.command}")
        for act in acts
    ]
    rows = [(name, say("yes" if there else "no")) for name, there in tables.items()]
    others = () if decided is None else decided["others"]
    rows += [(f"{one['table']} ({one['game']})", say("yes")) for one in others]
    heads = [say("table.short"), say("pit.admitted")]
    said = decided_words(decided) if decided else tag("p", say("pit.none"), class_="hint")
    asked = join(*forms) if forms else tag("p", say("pit.licensee"), class_="hint")
    parts = [
        part("pit-acts", say("pit.acts"), asked),
        part("pit", say("pit.decided"), said),
        part("pit-tables", say("tables"), table_of(say("tables"), heads, rows)),
    ]
    here = {"here": f"/pits/{session.pit}"}
    return page(session, say("pit.title", pit=session.pit), parts, kind="pit", answer=answer,
                data=here)  # fmt: skip
