"""Pending consents, shown to everyone who may give them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from croupier.reports.words import office_words, say
from croupier.server.pages.forms import hidden
from croupier.server.pages.html import Html, join, tag

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from croupier.server.pages.looked import Looked


def consents(looks: Iterable[Looked], back: str = "") -> Html:
    """Return the pending consents, each with a form."""
    forms = [_consent(look, one, back) for look in looks for one in look.consents]
    return join(*forms) if forms else tag("p", say("consents.none"), class_="hint")


def _consent(look: Looked, one: Mapping[str, Any], back: str) -> Html:
    who = ", ".join(f"{by['person']} ({office_words(by['office'])})" for by in one["by"])
    until = datetime.fromtimestamp(one["until"] / 1000, UTC).strftime("%H:%M:%S")
    if one["mine"]:
        needs = say("and").join(one["needs"])
        answers = join(
            tag("p", say("waits.for.consent", who=needs), class_="hint"),
            tag("button", say("consent.withdraw"), name="consent", value="no"),
        )
    else:
        answers = join(
            tag("button", say("consent.yes"), name="consent", value="yes", class_="primary"),
            tag("button", say("consent.no"), name="consent", value="no"),
        )
    return tag(
        "form",
        hidden(look, f"c-{one['id']}"),
        tag("h3", one["words"]),
        tag("p", say("consent.asked", table=look.name, who=who, until=until), class_="hint"),
        answers,
        method="post",
        action=f"/tables/{look.name}/consents/{one['id']}{back}",
        id=f"consent-{one['id']}",
        class_="act consent",
    )
