"""Single sign-on: a trusted proxy names a person and groups, which are mapped to offices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from croupier.acts.roles import GRANTED, Role
from croupier.server.http.names import checked_name
from croupier.server.http.problems import Problem

DEVICE: Final = "sign-on"
CERTIFICATE: Final = "certificate"
BOUND: Final = frozenset({DEVICE, CERTIFICATE})
"""Devices of grants made by a proxy or a certificate, which are valid only with it."""
_OFFICES: Final = tuple(str(role) for role in GRANTED if role != Role.PATRON)
_FORWARDED: Final = b"x-forwarded-for"
_HEADER: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """An office that the members of a group may hold, at tables of a pit (all if none is named)."""

    group: str
    office: str
    pit: str = "1"
    tables: tuple[str, ...] = ()


class _Placed(Protocol):
    @property
    def office(self) -> str: ...


T = TypeVar("T", bound=_Placed)


class Identity(NamedTuple):
    """A person or equipment with the offices, pits, and tables that the proxy names."""

    person: str
    offices: Mapping[tuple[str, str], tuple[str, ...]]
    device: str = DEVICE


class SignOn(NamedTuple):
    """Trusted proxies, their headers, and the offices of their groups."""

    proxies: tuple[IPv4Network | IPv6Network, ...]
    person_header: str
    groups_header: str
    groups: tuple[Group, ...]

    def trusts(self, peer: str) -> bool:
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        return any(address in proxy for proxy in self.proxies)

    def identity(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> Identity | None:
        """Person who was authenticated, if any. Raises ``Problem`` for another peer."""
        names = self.person_header.lower().encode(), self.groups_header.lower().encode()
        found = [(name, value) for name, value in headers if name in names]
        if not found:
            return None
        if not self.trusts(peer):
            raise Problem("not_trusted", "headers of sign-on come from a trusted proxy alone")
        # A proxy that keeps its client's header next to its own would let the client choose.
        if len({name for name, _ in found}) < len(found):
            raise _repeated()
        try:
            values = {name: value.decode().strip() for name, value in found}
        except UnicodeDecodeError as error:
            raise Problem("malformed", "a header of sign-on is not UTF-8") from error
        person = checked_name(self.person_header, values.get(names[0], ""))
        if "," in person or ", " in values.get(names[1], ""):
            raise _repeated()
        members = {*values.get(names[1], "").split(",")}
        open_to: dict[tuple[str, str], list[Group]] = {}
        for group in self.groups:
            if group.group in members:
                open_to.setdefault((group.office, group.pit), []).append(group)
        return Identity(person, {place: _tables(several) for place, several in open_to.items()})

    def forwarded(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Address of the proxy's client; without a proxy, the peer's own."""
        values = [value for name, value in headers if name == _FORWARDED]
        if not values or not self.trusts(peer):
            return peer
        address = values[-1].decode("latin-1").rpartition(",")[2].strip()
        try:
            return str(ip_address(address))
        except ValueError:
            return peer


def _repeated() -> Problem:
    message = (
        "a header of sign-on is repeated, or has the value of another one before it: the proxy must"
        " replace it, name a person without a comma, and write no space between groups"
    )
    return Problem("malformed", message)


def _tables(groups: Sequence[Group]) -> tuple[str, ...]:
    if not all(group.tables for group in groups):
        return ()
    return tuple(sorted({name for group in groups for name in group.tables}))


def read_sign_on(
    proxies: Sequence[str], person: str, groups: str, table: object
) -> tuple[SignOn | None, list[str]]:
    """Return the settings of sign-on, if any, and every error in them."""
    faults, networks = [], []
    for proxy in proxies:
        try:
            networks.append(ip_network(proxy))
        except ValueError as error:
            faults.append(f"--trusted-proxy {proxy}: {error}")
    found, wrong = read_tables("groups", Group, _OFFICES, table)
    faults += wrong
    for number, group in found.items():
        if not group.group or group.group != group.group.strip() or "," in group.group:
            faults.append(
                f"serve.groups[{number}]: group: {group.group!r} is not the name of a group: no"
                " comma, no space around it"
            )
    if not all(map(_HEADER.fullmatch, (person, groups))) or person.lower() == groups.lower():
        faults.append("--person-header and --groups-header are two names of headers")
    if bool(proxies) != bool(table) or (table and not isinstance(table, list)):
        faults.append("single sign-on takes --trusted-proxy and the tables [[serve.groups]]")
    if not proxies or faults:
        return None, faults
    return SignOn(tuple(networks), person, groups, tuple(found.values())), []


def read_tables(
    key: str, kind: type[T], offices: Sequence[str], table: object
) -> tuple[dict[int, T], list[str]]:
    """Entries of an array of tables by number, and every error in them."""
    faults, read = [], dict[int, T]()
    for number, entry in enumerate(table if isinstance(table, list) else (), start=1):
        place = f"serve.{key}[{number}]"
        try:
            found = read[number] = msgspec.convert(entry, kind)
        except msgspec.ValidationError as error:
            faults.append(f"{place}: {error}")
            continue
        if found.office not in offices:
            names = ", ".join(offices)
            faults.append(f"{place}: office: {found.office!r} is not one of {names}")
    return read, faults


def schema_of_groups() -> Mapping[str, object]:
    description = "Offices open to the members of groups that a trusted proxy names."
    return schema_of_tables(Group, _OFFICES, description)


def schema_of_tables(kind: type[Struct], offices: Sequence[str], says: str) -> Mapping[str, object]:
    text = {"type": "string"}
    properties = {"office": {"enum": [*offices]}, "tables": {"type": "array", "items": text}}
    return {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {field.name: properties.get(field.name, text) for field in fields(kind)},
            "required": [field.name for field in fields(kind) if field.required],
            "additionalProperties": False,
        },
        "description": says,
    }
