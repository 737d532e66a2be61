"""Equipment that proves itself by a TLS client certificate."""

from __future__ import annotations

import ssl
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import time
from typing import Any, Final

from msgspec import Struct

from croupier.acts.roles import LOOKS, Role
from croupier.server.http.problems import Problem
from croupier.server.logs import note
from croupier.server.sign_on import CERTIFICATE, Identity, read_tables, schema_of_tables

_OFFICES: Final = tuple(str(role) for role in LOOKS if role.office.equipment)


class Machine(Struct, frozen=True, forbid_unknown_fields=True):
    """Office and tables of the holder of a certificate with this common name."""

    name: str
    tables: tuple[str, ...]
    office: str = Role.MACHINE
    pit: str = "1"


class _Handshake(ssl.SSLObject):
    def do_handshake(self) -> None:
        try:
            super().do_handshake()
        except ssl.SSLCertVerificationError as error:
            _note_refusal(error.verify_message)
            raise
        # A resumed session is not verified again; Python cannot turn off resumption of TLS 1.2.
        # A session is forgotten when its connection breaks, so the next one begins another.
        if self.session_reused and self.getpeercert():
            _note_refusal("the session is resumed")
            raise ssl.SSLError("a session with a client certificate is not resumed")


def _note_refusal(reason: str) -> None:
    fields = {"code": "certificate", "reason": reason}
    note("refusal", "a client certificate is refused", fields)


class Equipment:
    """Certificate authorities and revocation lists of equipment, and its permissions."""

    def __init__(self, authorities: Path, machines: Sequence[Machine]) -> None:
        self.authorities: Final = authorities
        self._machines: Final = {machine.name: machine for machine in machines}
        self._context: ssl.SSLContext | None = None

    def ask(self, context: ssl.SSLContext) -> None:
        """Have a context ask clients for certificates. Raises ``OSError``."""
        context.load_verify_locations(self.authorities)
        found = context.cert_store_stats()
        if not (found["x509_ca"] and found["crl"]):
            raise OSError(f"{self.authorities}: add an authority and its revocation list, in PEM")
        context.verify_mode = ssl.CERT_OPTIONAL
        context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
        context.sslobject_class = _Handshake
        context.options |= ssl.OP_NO_TICKET
        context.num_tickets = 0
        self._context = context

    def identity(self, line: ssl.SSLObject) -> Identity | None:
        """Machine at a connection, if it has a certificate. Raises ``Problem``."""
        certificate: Mapping[str, Any] = line.getpeercert() or {}
        if not certificate:
            return None
        ends = ssl.cert_time_to_seconds(certificate["notAfter"])
        if line.context is not self._context or ends < time():
            close = {"Connection": "close"}
            raise Problem("not_trusted", "connect again with a valid certificate", headers=close)
        names = [value for part in certificate["subject"] for key, value in part
                 if key == "commonName"]  # fmt: skip
        machine = self._machines.get(names[0]) if len(names) == 1 else None
        if machine is None:
            raise Problem("not_trusted", "the certificate is not that of a machine of this service")
        place = machine.office, machine.pit
        return Identity(machine.name, {place: tuple(sorted(machine.tables))}, CERTIFICATE)


def read_equipment(
    authorities: Path | None, table: object, *, tls: bool
) -> tuple[Equipment | None, list[str]]:
    """Return the settings of equipment, if any, and every error in them."""
    machines, faults = read_tables("equipment", Machine, _OFFICES, table)
    names = [one.name for one in machines.values()]
    for number, machine in machines.items():
        place = f"serve.equipment[{number}]"
        if names.count(machine.name) > 1 or not machine.name.strip():
            faults.append(f"{place}: name: {machine.name!r} is repeated, or empty")
        if not machine.tables:
            faults.append(f"{place}: tables: name at least one")
    if (authorities is None) is bool(table) or (table and not isinstance(table, list)):
        faults.append("client certificates take --client-ca and the tables [[serve.equipment]]")
    if authorities is not None and not tls:
        faults.append("--client-ca: a service that does not speak TLS sees no certificate: --tls")
    if authorities is None:
        return None, faults
    equipment = Equipment(authorities, [*machines.values()])
    try:
        equipment.ask(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    except OSError as error:
        faults.append(f"--client-ca: {error}")
    return equipment, faults


def schema_of_equipment() -> Mapping[str, object]:
    return schema_of_tables(Machine, _OFFICES, "Equipment by the name of its client certificate.")
