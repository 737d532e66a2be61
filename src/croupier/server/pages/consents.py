"""Pending consents, shown to everyone who may give them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from croupier.reports.words import say
from croupier.server.pages.forms import hidden
from croupier.server.pages.html import Html, join, tag

if TYPE_CHECKING:
    from croupier.reports.screen import Pending
    from croupier.server.pages.looked import Looked


def consents(looks: Iterable[Looked], back: str = "") -> Html:
    forms = [_consent(look, consent, back) for look in looks for consent in look.screen.consents]
    return join(*forms) if forms else tag("p", say("consents.none"), class_="hint")


def _consent(look: Looked, pending: Pending, back: str) -> Html:
    if pending.is_own:
        answers = join(
            tag("p", pending.needs, class_="hint"),
            tag("button", say("consent.withdraw"), name="consent", value="no"),
        )
    else:
        answers = join(
            tag("button", say("consent.yes"), name="consent", value="yes", class_="primary"),
            tag("button", say("consent.no"), name="consent", value="no"),
        )
    return tag(
        "form",
        hidden(look, f"c-{pending.id}"),
        tag("h3", pending.words),
        tag("p", look.name, ": ", pending.asked, class_="hint"),
        answers,
        method="post",
        action=f"/tables/{look.name}/consents/{pending.id}{back}",
        id=f"consent-{pending.id}",
        class_="act consent",
    )
