"""The address and token of ``croupier table --connect``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from getpass import getpass
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from croupier.cli.common.extras import needing
from croupier.cli.common.output import error_console, fail
from croupier.files.streams import is_typed

if TYPE_CHECKING:
    from croupier.cli.tables.sitting.served import ServedDoor

_TOKEN: Final = "CROUPIER_TOKEN"  # noqa: S105  (the name of a variable)
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}
_TABLE: Final = re.compile(r"/tables/([^/]+)/?")
_KEPT: Final = (
    f"a shell keeps what is typed: set {_TOKEN}, or leave it out and type it when it is asked for"
)


class _Address(NamedTuple):
    place: str
    table: str = ""
    link: str = ""


def _address(text: str) -> _Address:
    try:
        found = urlsplit(text)
        host, port = found.hostname or "", found.port
    except ValueError as error:
        fail(f"--connect {text!r}: {error}")
    if found.scheme not in {"http", "https"} or not host:
        fail(f"--connect {text!r}: write an address such as http://127.0.0.1:8750")
    if found.username is not None or found.password is not None:
        fail(f"--connect: an address has no token in it; {_KEPT}")
    if found.scheme == "http" and host not in _LOOPBACK:
        fail(f"--connect {text!r}: http would send the token in the clear; use https")
    query, table = parse_qs(found.query), _TABLE.fullmatch(found.path)
    link = query.pop("link", [""])[0]
    if query:
        fail(f"--connect: {', '.join(query)} is not part of an address; {_KEPT}")
    if not table and found.path not in {"", "/", "/tables", "/enter"}:
        fail(f"--connect {text!r}: {found.path} is not a page of a service")
    shown = f"[{host}]" if ":" in host else host
    place = f"{found.scheme}://{shown}" + ("" if port is None else f":{port}")
    return _Address(place, "" if table is None else unquote(table[1]), link)


def _token(place: str) -> str:
    token = os.environ.get(_TOKEN, "").strip()
    if token:
        return token
    if not is_typed():
        fail(f"{place}: no token; set {_TOKEN}, or connect to a one-time link")
    try:
        return getpass("Token, or one-time link: ").strip()
    except EOFError:
        return ""


def door_to(text: str, table: str, ask: Callable[[str], str]) -> ServedDoor:
    with needing("--connect", "client"):
        from croupier.cli.tables.sitting.served import served_table  # noqa: PLC0415  (an extra)
    address = _address(text)
    token = ""
    if address.link:
        error_console().print("The link is used up now: what the shell keeps of it opens nothing.")
    else:
        token = _token(address.place)
        if "link=" in token:
            address, token = address._replace(link=token.rpartition("link=")[2]), ""

    def choose(names: Sequence[str]) -> str:
        if not is_typed():
            return ""
        return ask(f"Which table: {', '.join(names)}? ").strip()

    def code() -> str:
        if not is_typed():
            return ""
        return ask("Code that the person who consented has given you: ").strip()

    wanted, link = table or address.table, address.link
    return served_table(address.place, token, link=link, table=wanted, choose=choose, code=code)
