"""The frame of every page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from croupier.acts.roles import LOOKS, POSTED, Access, has_access
from croupier.reports.tags import Html, details, head, hidden_inputs, hint, join, post_form, tag
from croupier.reports.words import SCRIPT, notation, office_words, say
from croupier.server.pages.looked import Session

_KIOSK: Final = "board"


def _head(title: str, *scripts: str) -> Html:
    return head(
        title,
        tag("link", rel="icon", href="/icon.svg"),
        tag("link", rel="stylesheet", href="/style.css"),
        *(tag("script", src=f"/{script}.js", defer=True) for script in scripts),
    )


def answer_region(said: str = "", *, refused: bool = False, more: Html | None = None) -> Html:
    """Live region for responses, present from the start."""
    return tag("div", said, more, id="answer", role="alert", class_="bad" if refused else "good")


def sign_out(form: str, here: str = "/") -> Html:
    """Form that ends a session; the next person goes on ``here``."""
    hidden, button = hidden_inputs({"form": form, "to": here}), tag("button", say("leave"))
    return post_form("/leave", hidden, button, class_="leave")


def page(  # noqa: PLR0913  (what a page has)
    session: Session,
    title: str,
    parts: Sequence[Html],
    *,
    kind: str,
    prompt: str = "",
    calls: str = "",
    answer: Html | None = None,
    data: dict[str, str] | None = None,
    keys: str = "",
) -> str:
    """Return a page with live regions and updatable sections; one that looks on has no links."""
    kiosk = kind == _KIOSK and "seq" in (data or {})
    who = (
        say("office.seat", person=session.person, seat=session.seat)
        if session.seat is not None
        else say("office", person=session.person, office=office_words(session.office))
    )
    here = (data or {}).get("here", "/")
    reload = tag("a", say("reload"), href=here)
    seq = (data or {}).get("seq")
    state = tag("span", say("as.of", seq=seq) if seq else "", id="state")
    learns = session.office in POSTED
    drills = join(" ", tag("a", say("drills"), href="/drills")) if learns else None
    grants = has_access(session.office, Access.PEOPLE) or has_access(session.office, Access.PATRONS)
    people = join(" ", tag("a", say("people"), href="/people")) if grants else None
    sees = session.office in LOOKS
    tables = tag("a", say("tables"), href="/tables") if sees else say("pit.title", pit=session.pit)
    ways = None if kiosk else tag("p", tables, people, drills, class_="up")
    header = tag(
        "header",
        ways,
        tag("h1", title),
        None if kiosk else tag("p", who, class_="who"),
        None if kiosk else sign_out(session.form, here),
        tag("p", None if kiosk else join(reload, " "), state, id="connection"),
        tag("p", "", id="held", role="status"),
        answer or answer_region(),
        tag("p", calls, id="calls", role="status", aria_live="polite"),
        tag("p", prompt, id="due", role="alert", aria_live="assertive", class_="unseen"),
    )
    use = tag("label", tag("input", type="checkbox", id="keys", checked=True), say("keys.on"))
    sheet = tag("div", use, hint(keys), class_="sheet")
    drawer = details(say("keys"), sheet, class_="drawer", name="drawer")
    attributes = {f"data-{name}": one for name, one in (data or {}).items()}
    body = tag(
        "body",
        None if kiosk else tag("a", say("skip"), href="#main", class_="skip"),
        header,
        tag("main", *parts, id="main"),
        tag("footer", drawer) if keys else None,
        tag("p", "", id="end", hidden=True),
        data_words=json.dumps(SCRIPT, separators=(",", ":")),
        data_money=json.dumps(notation()),
        # The style must not wait for what comes last: nothing moves as a page arrives.
        class_=f"{kind} one-screen" if any('id="beside"' in one for one in parts) else kind,
        **attributes,
    )
    top = _head(title, *(("table", "keys") if data else ()))
    return f"<!doctype html>{tag('html', top, body, lang='en')}"


def plain_page(title: str, *body: Html | str, script: str = "") -> str:
    top = _head(title, *([script] if script else []))
    main = tag("main", tag("h1", title), *body, id="main")
    shown = tag("html", top, tag("body", main, class_="plain"), lang="en")
    return f"<!doctype html>{shown}"
