"""The page of people and their grants."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from croupier.acts.roles import offices_in_words
from croupier.reports.tags import Html, hidden_inputs, hint, join, labeled, post_form, tag
from croupier.reports.words import office_words, say
from croupier.server.pages.forms import consent_buttons
from croupier.server.pages.looked import Session
from croupier.server.pages.pieces import part, table_of
from croupier.server.pages.shell import page

_HERE = "/people"


class GrantSeen(NamedTuple):
    """A grant that the viewer ``may`` consent to if pending, else revoke."""

    id: str
    person: str
    office: str
    tables: Sequence[str]
    seat: int | None
    until: int
    maker: str
    needs: Sequence[str]
    may: bool


class People(NamedTuple):
    """The visible grants, and the ``offices`` and ``tables`` open to new ones."""

    grants: Sequence[GrantSeen]
    waiting: Sequence[GrantSeen]
    offices: Sequence[str]
    tables: Sequence[str]


def people_page(session: Session, people: People, answer: Html | None = None) -> str:
    waits = [_waiting(session, grant) for grant in people.waiting]
    none = hint(say("people.waits.none"))
    parts = [part("people-waiting", say("people.waits"), join(*waits) if waits else none)]
    if people.offices:
        parts.append(part("people-new", say("people.new"), _new(session, people)))
    if people.grants:
        parts.append(part("people-grants", say("people.grants"), _grants(session, people)))
    return page(session, say("people"), parts, kind="people", answer=answer, data={"here": _HERE})


def _waiting(session: Session, grant: GrantSeen) -> Html:
    buttons = (
        consent_buttons()
        if grant.may
        else hint(say("waits.for.consent", who=office_words(offices_in_words(grant.needs, "or"))))
    )
    asked = say("people.asked", who=grant.maker, until=time_of(grant.until))
    return post_form(
        f"{_HERE}/{grant.id}",
        form_field(session),
        tag("h3", title_of(grant)),
        tag("p", asked),
        buttons,
        id=f"grant-{grant.id}",
        class_="act consent whole",
    )


def _grants(session: Session, people: People) -> Html:
    heads = [say(name) for name in ("people.person", "people.until", "people.by", "people.revoke")]
    rows = [
        (
            title_of(grant),
            time_of(grant.until),
            grant.maker,
            revoke_form(session, grant, f"{_HERE}/{grant.id}/revoke") if grant.may else "",
        )
        for grant in people.grants
    ]
    return table_of(say("people.grants"), heads, rows)


def revoke_form(session: Session, grant: GrantSeen, action: str) -> Html:
    return post_form(
        action,
        form_field(session),
        tag(
            "button", say("people.revoke"), aria_label=f"{say('people.revoke')}: {title_of(grant)}"
        ),
        id=f"revoke-{grant.id}",
        data_whole=True,
    )


def _new(session: Session, people: People) -> Html:
    offices = (tag("option", office_words(office), value=office) for office in people.offices)
    every = tag("option", say("people.tables.all"), value="")
    tables = (tag("option", table, value=table) for table in people.tables)
    return post_form(
        _HERE,
        form_field(session),
        hint(say("people.words")),
        _field("person", tag("input", type="text", name="person", required=True, maxlength="40",
                             autocomplete="off", id="people-person")),
        _field("office", tag("select", *offices, name="office", id="people-office")),
        _field("table", tag("select", every, *tables, name="table", id="people-table")),
        _field("seat", tag("input", type="text", name="seat", inputmode="numeric", size="6",
                           autocomplete="off", id="people-seat")),
        tag("button", say("people.make")),
        id="new-grant", class_="act whole",
    )  # fmt: skip


def _field(name: str, given: Html) -> Html:
    return labeled(say(f"people.{name}"), given, of=f"people-{name}")


def form_field(session: Session) -> Html:
    return hidden_inputs({"form": session.form})


def title_of(grant: GrantSeen) -> str:
    seat = [] if grant.seat is None else [f"{say('seat').lower()} {grant.seat}"]
    where = [*grant.tables, *seat]
    return f"{grant.person}, {office_words(grant.office)}" + (
        f" ({', '.join(where)})" if where else ""
    )


def time_of(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M}"


def link_shown(link: str, needs: Collection[str]) -> Html:
    offices = office_words(offices_in_words(needs, "or")) if needs else ""
    then = say("people.needs", who=offices) if offices else say("people.at.once")
    return join(tag("p", tag("code", link)), tag("p", then))
