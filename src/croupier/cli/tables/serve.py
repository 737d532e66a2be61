"""``croupier serve``: the live table as a service over HTTP."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import click
from click.core import ParameterSource
from rich.text import Text

from croupier.acts.roles import Role
from croupier.cli.common.arguments import FiniteRange
from croupier.cli.common.files import input_file, keep_private, output_path
from croupier.cli.common.output import console, fail, needing, print_text, reported, usual_option
from croupier.cli.records.logs import trust_of, trust_option
from croupier.cli.records.record_options import vault_file, with_law_asked, with_law_option
from croupier.cli.submission.rules import own_option, table_of, with_own
from croupier.cli.tables.settings import FAULTS, TABLES, SettingsCommand
from croupier.files.streams import WRONG_USE, signals_default, signals_raised
from croupier.files.write import write_private
from croupier.law.usage import counted
from croupier.records.heads import HeadsFile
from croupier.records.names import Names, names_beside
from croupier.records.signing import Signer
from croupier.records.stores.backup import records_of
from croupier.records.stores.places import is_database, open_store
from croupier.records.stores.store import Store
from croupier.records.stores.stream import StoreError
from croupier.records.stores.vault import Cipher, StoreVault, VaultError
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.server.equipment import Equipment
    from croupier.server.service import Service
    from croupier.server.sign_on import SignOn


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise click.BadParameter(f"{text}: write [HOST:]PORT, such as 127.0.0.1:9750 or [::1]:9750")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text}: write a time, such as 2026-11-22T12:00Z") from None
    return time if time.tzinfo else time.astimezone()


@click.command(cls=SettingsCommand)
@click.argument("submissions", nargs=-1, type=input_file)
@own_option
@usual_option(
    "--store",
    "store_place",
    metavar="FILE|postgresql://...",
    default="croupier.sqlite",
    help="Keep the records here: a file, or a database that several services may share.",
)
@usual_option("--host", default="127.0.0.1", help="Listen on this address.")
@usual_option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8750,
    help="Listen on this port; 0 takes a free one.",
)
@click.option(
    "--name",
    "hosts",
    multiple=True,
    metavar="HOST",
    help="Clients ask for the service under this host name; repeatable.",
)
@click.option(
    "--tls",
    nargs=2,
    metavar="CERT KEY",
    type=input_file,
    help="Speak TLS with this certificate chain and key.",
)
@click.option(
    "--client-ca",
    metavar="FILE",
    type=input_file,
    help="Certificate authorities of equipment with their revocation lists, in PEM;"
    " [[serve.equipment]] of croupier.toml maps certificates to offices.",
)
@click.option(
    "--behind-proxy",
    "origin",
    metavar="HOST",
    default="",
    help="A proxy in front speaks TLS, and is asked for under this host name.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy at this address or network names authenticated people and their groups, which"
    " [[serve.groups]] of croupier.toml maps to offices; repeatable.",
)
@usual_option(
    "--person-header",
    default="X-Forwarded-User",
    metavar="NAME",
    help="Header in which the proxy names the person.",
)
@usual_option(
    "--groups-header",
    default="X-Forwarded-Groups",
    metavar="NAME",
    help="Header in which the proxy names the person's groups, separated by commas.",
)
@with_law_option
@click.option("--pit", default="", help="Put the tables of SUBMISSIONS into this pit.")
@click.option(
    "--notified",
    metavar="TIME",
    type=_time,
    help="When notice of the elections of SUBMISSIONS was given to those whom their regulations"
    " name, such as 2026-11-22T12:00Z.",
)
@usual_option(
    "--cards",
    type=click.Choice(["dealer", "reader", "sealed", "autopilot"]),
    default="dealer",
    help="Source of the cards of the tables of SUBMISSIONS.",
)
@click.option(
    "--vault-key",
    type=input_file,
    help="Seal the secrets of sealed shoes in a database with this key (croupier key vault).",
)
@click.option(
    "--names",
    "names_path",
    type=vault_file,
    metavar="VAULT",
    help="Vault of the names of patrons, if not STORE.names (croupier names).",
)
@click.option(
    "--heads",
    "heads_path",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="Sign heads of the records here at the end of shoes and days, and compare the store with"
    " them at the start: a second place.",
)
@click.option("--sign", "key_path", metavar="KEY", type=input_file, help="Key that signs --heads.")
@trust_option
@usual_option(
    "--pace",
    type=FiniteRange(0.0, 60.0),
    default=1.0,
    help="Seconds between two steps of the autopilot.",
)
@click.option(
    "--wager-seconds",
    type=click.IntRange(1, 600),
    default=None,
    help="Show patrons a countdown of these seconds between rounds. The dealer's call alone closes"
    " the wagers.",
)
@click.option("--patrons", type=click.IntRange(1), help="Patrons at a table of the autopilot.")
@click.option(
    "--person",
    "people",
    multiple=True,
    metavar="OFFICE=NAME",
    help="Name the person of an office (default: the office).",
)
@click.option(
    "--metrics",
    metavar="[HOST:]PORT",
    type=_place,
    help="Answer probes (/healthz, /readyz) and metrics on this port instead (default host:"
    " 127.0.0.1), under any host name.",
)
@click.option(
    "--access-log",
    metavar="FILE|-|syslog[:ADDRESS]",
    default="",
    help="Write requests, sign-ins, exports, refusals, and events of the service as JSON lines to a"
    " file, standard error, or syslog.",
)
@click.option("--no-links", is_flag=True, help="Make no one-time links.")
@click.option(
    "--links",
    type=output_path,
    metavar="FILE",
    help="Write the links to a new file that only this user may read.",
)
@click.option(
    "--control",
    type=output_path,
    metavar="FILE",
    help="Socket at which croupier grant asks for links (default: STORE.control; for a database,"
    " none).",
)
@click.option(
    "--copies",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The operator's page copies the store into this folder.",
)
@click.option(
    "--check", is_flag=True, help="Report every fault of options, settings, and files, and exit."
)
@click.option(
    "--demo",
    is_flag=True,
    help="Serve three tables that the autopilot deals, and keep nothing. Each office has its own"
    " host name, so that one browser can have all of them open.",
)
@click.option("--open", "opens", is_flag=True, help="Open the dealer's link in a browser.")
@signals_default()
def serve(  # noqa: PLR0913  (each is an option of the command)
    submissions: tuple[Path, ...],
    *,
    own: tuple[Path, ...],
    store_place: str,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    tls: tuple[Path, Path] | None,
    client_ca: Path | None,
    origin: str,
    proxies: tuple[str, ...],
    person_header: str,
    groups_header: str,
    pit: str,
    notified: datetime | None,
    cards: str,
    vault_key: Path | None,
    names_path: Path | None,
    heads_path: Path | None,
    key_path: Path | None,
    trust_path: Path | None,
    pace: float,
    wager_seconds: int | None,
    patrons: int | None,
    people: tuple[str, ...],
    metrics: tuple[str, int] | None,
    access_log: str,
    no_links: bool,
    demo: bool,
    opens: bool,
    links: Path | None,
    control: Path | None,
    copies: Path | None,
    check: bool,
) -> int:
    """Serve tables over HTTP, with their records in one store.

    The tables of the store go on where they stand; those of SUBMISSIONS that it does not have are
    added, and admitted by their pits: if a regulation requires that notice was given of what they
    elect, --notified says when. A link for each office, valid once and for ten minutes, is printed
    on a terminal, or written to the file of --links; croupier grant makes more of them.
    Options have their defaults in the table [serve] of croupier.toml in the current folder: see
    croupier help service, and croupier help running for its operation.

    The service ends by SIGINT or SIGTERM: nothing is lost, and clients resume. The exit status is
    0, or that of the signal (130, 143) if it came before the service was ready; 1 if the store is
    not as --heads has it.
    """
    with needing("serve", "server"):
        from croupier.server import opening, run  # noqa: PLC0415  (an extra)
        from croupier.server.control import control_of  # noqa: PLC0415
        from croupier.server.http.limits import Limits  # noqa: PLC0415
        from croupier.server.logs import logged  # noqa: PLC0415
        from croupier.server.resources.page_calls import PAGES  # noqa: PLC0415
        from croupier.server.service import Service  # noqa: PLC0415
    keep_private()
    faults, secure = _Faults(lists_every=check), tls is not None or bool(origin)
    faults.add(click.get_current_context().meta[FAULTS])
    is_remote, has_names = host not in run.LOOPBACK, bool(hosts or origin)
    faults.of(lambda: _check_host(host, is_remote=is_remote, secure=secure, has_names=has_names))
    faults.of(lambda: _check_demo(submissions, demo=demo))
    checked_rules = [faults.of(partial(_rules, path, own)) for path in submissions]
    rules = [table_rules for table_rules in checked_rules if table_rules is not None]
    names_by_office = faults.of(lambda: _named(people, tuple(opening.PEOPLE))) or {}
    sign_on = _sign_on(faults, proxies, person_header, groups_header)
    equipment = _equipment(faults, client_ca, tls=tls is not None)
    heads_files = faults.of(lambda: _heads(heads_path, key_path, trust_path))
    set_up = partial(
        opening.set_up, tables=rules, pit=pit, cards=cards, patrons=patrons, notified=notified,
        licensee=names_by_office.get(Role.LICENSEE, Role.LICENSEE),
    )  # fmt: skip
    if check:
        faults.of(lambda: _check_files(store_place, tls, vault_key, names_path, access_log))
        if not (faults.number or is_database(store_place) or Path(store_place).exists()):
            faults.of(lambda: _check_opening(set_up, vault_key))
        return faults.told(f"{counted(len(rules), 'submission')} can be served")

    async def begin(service: Service, place: str) -> None:
        await set_up(service)
        shown_links = _Links(links, host if demo else "", opens=opens)
        people = {**opening.PEOPLE, **names_by_office}
        link_lines = [] if no_links else await shown_links.made(service, place, people)
        store_text = ", nothing is kept" if demo else f" from {store.path}"
        print_text(f"Serving {counted(len(service.tables), 'table')} at {place}{store_text}")
        for line in link_lines:
            # A link is never broken across lines.
            console().print(Text(line), soft_wrap=True)

    with ExitStack() as stack:
        if demo:
            store_place = stack.enter_context(_demo_store())
            set_up = partial(
                set_up, tables=opening.demo_tables(), cards="autopilot",
                notified=opening.DEMO_NOTIFIED,
            )  # fmt: skip
        store = stack.enter_context(closing(_open_store(store_place)))
        offices = (*opening.PEOPLE, Role.PATRON) if demo else ()
        aliases = frozenset(map(_alias, offices))
        address = run.Address(host, port, tls, origin, hosts, sign_on, equipment, metrics, aliases)
        with _failing():
            vault = None if vault_key is None else StoreVault(store, vault_key)
            stack.enter_context(logged(access_log))
            names_vault = _names_vault(names_path, store)
            service = Service(
                store, vault=vault, heads=heads_files, names=names_vault, with_law=with_law_asked()
            )
            if control is None and isinstance(store.path, Path):
                control = control_of(store.path)
            asyncio.run(
                run.serve(
                    service, address, pace=pace, more=PAGES, begin=begin,
                    limits=Limits(wager_seconds=wager_seconds or 0),
                    control=(control, partial(opening.wanted_link, service)),
                    copies=(store_place, copies),
                )
            )  # fmt: skip
    return 0


@contextmanager
def _demo_store() -> Iterator[str]:
    # A signal that ends the process at once would leave the folder behind.
    with signals_raised(), TemporaryDirectory(prefix="croupier-") as folder:
        yield str(Path(folder) / "demo.sqlite")


def _sign_on(
    faults: _Faults, proxies: tuple[str, ...], person_header: str, groups_header: str
) -> SignOn | None:
    from croupier.server.sign_on import read_sign_on  # noqa: PLC0415  (an extra)

    groups = _tables().get("groups")
    sign_on, sign_on_faults = read_sign_on(proxies, person_header, groups_header, groups)
    faults.add(sign_on_faults)
    return sign_on


def _tables() -> Mapping[str, object]:
    tables: Mapping[str, object] = click.get_current_context().meta.get(TABLES, {})
    return tables


def _equipment(faults: _Faults, authorities: Path | None, *, tls: bool) -> Equipment | None:
    from croupier.server.equipment import read_equipment  # noqa: PLC0415  (an extra)

    equipment, equipment_faults = read_equipment(authorities, _tables().get("equipment"), tls=tls)
    faults.add(equipment_faults)
    return equipment


@contextmanager
def _failing() -> Iterator[None]:
    from croupier.server.http.problems import Problem  # noqa: PLC0415  (an extra)

    try:
        yield
    except (Problem, OSError) as error:
        body = getattr(error, "body", {"code": "", "clauses": ()})
        clause_text = ", ".join(clause["id"] for clause in body["clauses"])
        advice = "\n  Say when it was given: --notified TIME" if body["code"] == "notice" else ""
        fail(f"{error}{f' [{clause_text}]' if clause_text else ''}{advice}")


class _Links(NamedTuple):
    """Where links are written; ``demo`` is the host whose offices have names of their own."""

    out: Path | None
    demo: str
    opens: bool

    async def made(self, service: Service, place: str, people: Mapping[str, str]) -> Sequence[str]:
        """Return the lines to print: links on a terminal alone."""
        from croupier.server import opening  # noqa: PLC0415  (an extra)

        if not self.demo and self.out is None and not sys.stdout.isatty():
            return ["  For links: croupier grant --office OFFICE, or serve with --links FILE"]
        guests = [opening.demo_patron(service)] if self.demo else []
        lines = []
        for pit_table, office, person, code in await opening.office_links(service, people, guests):
            holder = office if person == office else f"{office} {person}"
            link_place = place.replace(self.demo, _alias(office)) if self.demo else place
            link = f"{link_place}/enter?link={code}"
            lines.append(f"  pit {pit_table}, {holder}: {link}")
            if self.opens and office == Role.DEALER:
                await asyncio.to_thread(webbrowser.open, link)
        if self.out is not None:
            write_private(self.out, "\n".join([*lines, ""]))
            lines = [f"  {self.out} has a link for each office"]
        return lines


def _alias(office: str) -> str:
    # Browsers resolve names below localhost to this machine, and keep the cookies of each apart.
    return f"{office.replace(' ', '-')}.localhost"


T = TypeVar("T")


class _Faults:
    """Faults that end the command at once, or are listed together with ``lists_every``."""

    def __init__(self, *, lists_every: bool) -> None:
        self._every: Final = lists_every
        self.number = 0

    def add(self, messages: Sequence[str]) -> None:
        if messages:
            self.of(lambda: fail("\n".join(messages)))

    def of(self, act: Callable[[], T]) -> T | None:
        """Return ``None`` if the act has printed a fault."""
        try:
            with reported():
                return act()
        except SystemExit:
            if not self._every:
                raise
            self.number += 1
            return None

    def told(self, otherwise: str) -> int:
        if not self.number:
            print_text(f"No faults: {otherwise}")
        return WRONG_USE if self.number else 0


def _check_demo(submissions: Sequence[Path], *, demo: bool) -> None:
    source = click.get_current_context().get_parameter_source("store_place")
    if demo and (submissions or source is ParameterSource.COMMANDLINE):
        fail("--demo has its own tables and keeps nothing: leave out SUBMISSIONS and --store")


def _check_host(host: str, *, is_remote: bool, secure: bool, has_names: bool) -> None:
    if is_remote and not secure:
        fail(f"--host {host} is open to others: add --tls CERT KEY, or --behind-proxy HOST")
    if host in {"0.0.0.0", "::"} and not has_names:  # noqa: S104  (refused)
        fail(f"--host {host} is every address, and not a host to ask for: add --name HOST")


def _rules(path: Path, custom_wagers: tuple[Path, ...]) -> TableRules:
    return with_own(table_of(path), custom_wagers, dealt=True)


def _check_files(
    store: str,
    tls: tuple[Path, Path] | None,
    vault_key: Path | None,
    names_path: Path | None,
    access_log: str,
) -> None:
    from croupier.server.certificates import loads  # noqa: PLC0415  (an extra)

    acts: list[tuple[str, Callable[[], object]]] = [("--store", lambda: _check_store(store))]
    if tls is not None:
        acts.append(("--tls", lambda: loads(tls)))
    if vault_key is not None:
        acts.append(("--vault-key", lambda: Cipher(vault_key, store)))
    if names_path is not None:
        acts.append(("--names", lambda: Names(names_path)))
    if access_log not in {"", "-"}:
        acts.append(("--access-log", lambda: _check_log(access_log)))
    errors = []
    for option, act in acts:
        try:
            act()
        except (OSError, VaultError, StoreError) as error:
            errors.append(f"{option}: {error}")
        except ModuleNotFoundError as error:
            errors.append(f"{option}: it needs {error.name}: pip install 'croupier[postgres]'")
    if errors:
        fail("\n".join(errors))


def _check_store(place: str) -> None:
    if is_database(place) or Path(place).exists():
        with records_of(place):
            return
    _check_folder(Path(place))


def _check_opening(
    set_up: Callable[[Service], Coroutine[None, None, None]], vault_key: Path | None
) -> None:
    """Open the tables of a new store in one that is not kept."""
    from croupier.server.service import Service  # noqa: PLC0415  (an extra)

    async def opened(store: Store) -> None:
        service = Service(store, vault=None if vault_key is None else StoreVault(store, vault_key))
        await service.start()
        try:
            await set_up(service)
        finally:
            await service.stop()

    with _demo_store() as place, closing(_open_store(place)) as kept, _failing():
        asyncio.run(opened(kept))


def _check_log(place: str) -> None:
    from croupier.server.logs import syslog_of  # noqa: PLC0415  (an extra)

    if syslog_of(place) is None:
        _check_folder(Path(place))


def _check_folder(path: Path) -> None:
    if path.is_dir():
        raise OSError(f"{path}: it is a folder")
    # A folder that is missing is created, as that of a store.
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise OSError(f"{path}: {folder} is not a folder that can be written to")


def _heads(path: Path | None, key: Path | None, trust_path: Path | None) -> HeadsFile | None:
    if path is None and key is None and trust_path is None:
        return None
    if path is None or key is None:
        fail("heads are signed in a file with a key: give --heads FILE and --sign KEY")
    return HeadsFile(path, Signer(key), trust_of(trust_path))


def _names_vault(vault: Path | None, store: Store) -> Names | None:
    if vault is None and isinstance(store.path, Path):
        vault = names_beside(store.path)
        return Names(vault) if vault.exists() else None
    return None if vault is None else Names(vault)


def _open_store(place: str) -> Store:
    try:
        with needing("a store in PostgreSQL", "postgres"):
            return open_store(place)
    except OSError as error:
        fail(str(error))


def _named(people: tuple[str, ...], offices: tuple[str, ...]) -> dict[str, str]:
    names_by_office = {}
    for person in people:
        office, equals, name = person.partition("=")
        if not equals or office not in offices or not name.strip():
            fail(f"--person {person}: write OFFICE=NAME, with an office of {', '.join(offices)}")
        names_by_office[office] = name.strip()
    return names_by_office
