"""The pages of the floor: a pit at a glance, acts that wait for consent, and one table."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from croupier.reports.words import dollars, say
from croupier.server.pages.dealer import desk_parts, prompt_words
from croupier.server.pages.forms import hidden
from croupier.server.pages.html import Html, join, tag
from croupier.server.pages.pieces import part, result_words, table_of
from croupier.server.pages.shell import page

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from croupier.server.pages.looked import Looked, Session

__all__ = ["consents", "floor_parts", "pit_page"]

_MAKES_LINKS = {"floorperson", "pit boss", "licensee"}


def consents(looks: Iterable[Looked], back: str = "") -> Html:
    """Return the acts that wait for consent, with a form for each."""
    forms = [_consent(look, one, back) for look in looks for one in look.consents]
    return join(*forms) if forms else tag("p", say("consents.none"), class_="hint")


def _consent(look: Looked, one: Mapping[str, Any], back: str) -> Html:
    fields = {name: said for name, said in one["fields"].items() if name not in {"type", "v"}}
    told = ", ".join(
        f"{name.replace('_', ' ')}: {_value(name, said)}" for name, said in fields.items()
    )
    who = ", ".join(f"{by['person']} ({by['office']})" for by in one["by"])
    until = datetime.fromtimestamp(one["until"] / 1000, UTC).strftime("%H:%M:%S")
    mine = look.session.person in {by["person"] for by in one["by"]}
    buttons = (
        tag("p", say("waits.for.consent", who=", ".join(one["needs"])), class_="hint")
        if mine
        else join(
            tag("button", say("consent.yes"), name="consent", value="yes", class_="primary"),
            tag("button", say("consent.no"), name="consent", value="no"),
        )
    )
    return tag(
        "form",
        hidden(look, f"c-{one['id']}"),
        tag("h3", f"{look.name}: {_spaced(one['command'])}"),
        tag("p", told),
        tag("p", say("consent.asked", who=who, until=until), class_="hint"),
        buttons,
        method="post",
        action=f"/tables/{look.name}/consents/{one['id']}{back}",
        id=f"consent-{one['id']}",
        class_="act consent",
    )


def _value(name: str, said: object) -> str:
    if isinstance(said, int) and name.endswith("cents"):
        return dollars(said)
    return str(said)


def _spaced(command: str) -> str:
    """Return the name of a command as words: ``BuyChips`` as ``Buy chips``."""
    words = "".join(f" {one.lower()}" if one.isupper() else one for one in command).strip()
    return words.capitalize()


def floor_parts(look: Looked) -> list[Html]:
    """Return the parts of a table's page for the floor."""
    waits = part("consents", say("consents"), consents([look]))
    if look.session.office not in _MAKES_LINKS:
        return desk_parts(look, waits)
    return desk_parts(look, waits, part("link", say("link"), _link(look)))


def _link(look: Looked) -> Html:
    seats = (tag("option", one["seat"], value=one["seat"]) for one in look.seen["seats"])
    return tag(
        "form",
        hidden(look, "link"),
        tag("p", say("link.words"), class_="hint"),
        tag("label", tag("span", say("link.person")),
            tag("input", type="text", name="person", required=True, maxlength="40",
                autocomplete="off", id="link-person"),
            for_="link-person", class_="field"),
        tag("label", tag("span", say("seat")), tag("select", *seats, name="seat", id="link-seat"),
            for_="link-seat", class_="field"),
        tag("button", say("link.make")),
        method="post", action=f"/tables/{look.name}/links", id="make-link", class_="act whole",
    )  # fmt: skip


def pit_page(session: Session, looks: list[Looked]) -> str:
    """Return the tables of a pit: how each stands, who stands where, and what waits."""
    rows = [_row(one) for one in looks]
    heads = [say(one) for one in ("tables", "phase", "rounds", "last", "staff", "win")]
    parts = [part("tables", say("tables"), table_of(say("tables"), [*heads, say("next")], rows))]
    if session.office not in {"patron", "board", "machine"}:
        waits = consents(looks, "?back=pit")
        parts.insert(0, part("consents", say("consents"), waits))
    return page(
        session, say("tables.of", pit=session.pit), parts, kind="pit",
        data={"here": "/tables", "poll": "/tables"}, keys=say("keys.floor"),
    )  # fmt: skip


def _row(look: Looked) -> list[Html | str | int]:
    seen = look.seen
    staff = "; ".join(
        f"{office}: {', '.join(held)}" for office, held in (seen["staff"] or {}).items()
    )
    phase = f"{seen['phase']['words']} ({say('paused')})" if seen["paused"] else None
    return [
        tag("a", look.name, href=f"/tables/{look.name}"),
        phase or seen["phase"]["words"],
        seen["rounds"],
        result_words(look),
        staff,
        "" if seen["house"] is None else dollars(seen["house"]["win_cents"]),
        prompt_words(look),
    ]
