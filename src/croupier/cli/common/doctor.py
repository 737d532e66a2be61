"""``croupier doctor``: examine this installation, without the network."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final, Literal

import click

from croupier.cli.common.documents import Examination, Examined
from croupier.cli.common.files import document_options, give
from croupier.cli.common.output import command_line, exit_unless
from croupier.cli.common.terminal import has_symbols
from croupier.files.errors import FileError
from croupier.files.toml import read_toml
from croupier.law.built import INCLUDED
from croupier.law.faults import LawError
from croupier.law.folders import law_files, named_folders, package_folders, toml_files
from croupier.law.resolve import instruments
from croupier.records.stores.places import is_database
from croupier.records.stores.sqlite_reading import VERSION, check_layout, reading
from croupier.records.stores.stream import StoreError
from croupier.reports.verification import doctor_tree
from croupier.rules import checked_law
from croupier.rules.documents import made

EXTRAS: Final = {
    "client": "a typed client of the service, and croupier table --connect",
    "cluster": "simulations on several machines",
    "duckdb": "exports to DuckDB files",
    "kernels": "simulate, session, and count at speed",
    "parquet": "records, rounds, and sessions as Parquet",
    "plots": "plots of sessions",
    "postgres": "a store in PostgreSQL",
    "reports": "reports as PDF and XLSX",
    "server": "croupier serve",
    "sign": "signed logs, heads, and law packs, and sealed vaults",
    "vendors": "records in XLSX, XLS, and ODS workbooks",
}

_REQUIREMENT: Final = re.compile(r"([\w.-]+)(?:\[[^]]*\])?(?:>=([\d.]+))?(?:.*extra == '(\w+)')?")
_GIB: Final = 1 << 30
_LEAST_FREE: Final = 100 << 20
_MOST_SKEW: Final = 3.0
"""Seconds: some file systems keep times of two seconds."""

_WAIT: Final = 0.05
_MOST_DRIFT: Final = 0.5
_NARROW: Final = 60


@click.command("doctor", short_help="Examine this installation, and advise what to do.")
@click.option("--store", "stores", multiple=True, help="Store of a service; repeatable.")
@document_options()
def doctor(stores: tuple[str, ...], output_format: str) -> None:
    """Examine Python, extras, law files, stores, clock, fonts, terminal, and disk.

    Each fault has advice. Nothing is changed, and the network is not used. Exit status: 1 if there
    is a fault; a missing extra is none.
    """
    areas: list[tuple[str, Callable[[], Iterator[Examined]]]] = [
        ("python", _python),
        ("extra", _extras),
        ("law", _laws),
        *(("store", partial(_store, store)) for store in stores),
        ("clock", _clock),
        ("fonts", _fonts),
        ("terminal", _terminal),
        ("disk", _disk),
    ]
    findings = [item for area, examine in areas for item in _examined(area, examine)]
    is_sound = all(item["standing"] != "fault" for item in findings)
    document: Examination = {
        "format": "croupier-doctor/1",
        **made(command_line()),
        "is_sound": is_sound,
        "found": findings,
    }
    give(document, doctor_tree, output_format)
    exit_unless(is_sound)


def _examined(area: str, examine: Callable[[], Iterator[Examined]]) -> Iterator[Examined]:
    try:
        yield from examine()
    except Exception as error:  # noqa: BLE001  (what cannot be examined is a finding)
        advice = "repair what the error names, then run croupier doctor again"
        yield _fault(area, "examination", f"{type(error).__name__}: {error}", advice)


def _finding(
    area: str, name: str, text: str, advice: str = "", *, is_fault: bool = False
) -> Examined:
    standing: Literal["good", "note", "fault"] = (
        "fault" if is_fault else "note" if advice else "good"
    )
    return {"area": area, "name": name, "found": text, "standing": standing, "advice": advice}


_fault = partial(_finding, is_fault=True)


def _python() -> Iterator[Examined]:
    python = f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    yield _finding("python", "Python", python)
    yield _finding("python", "platform", f"{platform.platform()}, {os.cpu_count()} processors")
    yield _finding("python", "SQLite", sqlite3.sqlite_version)


def _extras() -> Iterator[Examined]:
    faults_by_extra: dict[str, list[str]] = {"": [], **{name: [] for name in EXTRAS}}
    try:
        requirements = metadata.requires("croupier") or []
    except metadata.PackageNotFoundError:
        advice = "install it with pip, in place of running its sources"
        yield _finding("extra", "croupier", "is not installed, so its extras are unknown", advice)
        return
    for module in requirements:
        if (match := _REQUIREMENT.match(module)) and (match[3] or "") in faults_by_extra:
            faults_by_extra[match[3] or ""] += _lacking(match[1], match[2] or "0")
    for name, faults in faults_by_extra.items():
        install = f"pip install 'croupier[{name}]'" if name else "install the wheel again with pip"
        title = name or "required packages"
        purpose = EXTRAS.get(name, "every command")
        if not faults:
            yield _finding("extra", title, f"installed: {purpose}")
        elif name and all(fault.endswith(" is missing") for fault in faults):
            text = f"not installed: {purpose}"
            yield _finding("extra", title, text, f"for it, {install} ({', '.join(faults)})")
        else:
            yield _fault("extra", title, f"{', '.join(faults)}: {purpose}", install)


def _lacking(package: str, minimum: str) -> Iterator[str]:
    try:
        version = metadata.version(package)
    except metadata.PackageNotFoundError:
        yield f"{package} is missing"
        return
    if _numbers(version) < _numbers(minimum):
        yield f"{package} {version} is older than {minimum}"


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version.partition("+")[0])]


def _laws() -> Iterator[Examined]:
    for folders in (lambda: (INCLUDED,), named_folders, package_folders):
        try:
            places: Sequence[Path] = folders()
        except LawError as error:
            advice = "name folders that exist (croupier help law-file)"
            yield _fault("law", "folders", str(error), advice)
            return
        for folder in places:
            yield from _laws_in(folder)
    try:
        instruments()
    except LawError as error:
        advice = "correct the faults above, or remove one of two files"
        yield _fault("law", "regulations together", str(error).partition("\n")[0], advice)


def _laws_in(folder: Path) -> Iterator[Examined]:
    files = [*law_files(folder)]
    if not files:
        yield _finding("law", str(folder), "no law file", "name a folder of law files")
    for file in files:
        try:
            text = checked_law(file.path)
        except LawError as error:
            reason = str(error).partition("\n")[0]
            yield _fault("law", str(file.path), reason, f"croupier law check {file.path}")
        else:
            place = "included" if folder == INCLUDED else str(file.path)
            yield _finding("law", text.key, f"SHA-256 {text.sha256}, {place}")
    # A file whose head cannot be read is not searched for laws.
    for path in sorted({*toml_files(folder)} - {file.path for file in files}):
        try:
            read_toml(path)
        except (FileError, OSError) as error:
            yield _fault("law", str(path), str(error).partition("\n")[0], "correct the file")


def _store(place: str) -> Iterator[Examined]:
    if is_database(place):
        advice = "check it with croupier store check"
        yield _finding("store", "database", "not examined: it is reached by the network", advice)
        return
    path = Path(place)
    # While a process has it open, or after a crash, its log lies next to it.
    is_idle = not Path(f"{path.resolve()}-wal").exists()
    try:
        with reading(path, is_idle=is_idle) as source:
            version = check_layout(path, source)
            (records,) = source.execute("select count(*) from stream").fetchone()
    except StoreError as error:
        advice = "name a store that this program or an older one wrote, or restore a backup"
        yield _fault("store", place, str(error), f"{advice} (croupier store restore)")
        return
    layout_advice = f"back it up: the service that opens it next brings its layout to {VERSION}"
    text = f"layout {version}, {records} records"
    yield _finding("store", place, text, layout_advice if version < VERSION else "")


def _clock() -> Iterator[Examined]:
    local_time = datetime.now().astimezone()
    zone = f"{local_time.tzname()} (UTC{local_time:%z}); records are in UTC"
    yield _finding("clock", "time zone", zone)
    offset = time.time() - time.monotonic()
    time.sleep(_WAIT)
    drift = time.time() - time.monotonic() - offset
    text = f"the wall clock moved {drift * 1000:+.1f} ms against the monotonic clock"
    advice = "let a time service set the clock, and wait until it has"
    yield _within(_MOST_DRIFT, drift, "steadiness", text, advice)
    early_seconds = Path(__file__).stat().st_mtime - local_time.timestamp()
    yield _within(_MOST_SKEW, max(early_seconds, 0), "date", f"{local_time:%Y-%m-%d}", advice)
    with TemporaryDirectory() as folder:
        skew = Path(folder).stat().st_mtime - time.time()
    text = f"times of new folders differ from the clock by {skew:+.1f} s"
    yield _within(_MOST_SKEW, skew, "file system", text, "set the clock of the file server")


def _within(limit: float, difference: float, name: str, text: str, advice: str) -> Examined:
    is_fault = abs(difference) > limit
    return _finding("clock", name, text, advice if is_fault else "", is_fault=is_fault)


def _fonts() -> Iterator[Examined]:
    try:
        import typst  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError:
        yield _finding("fonts", "PDF", "none needed until the extra reports is installed")
        return
    families = typst.Fonts(include_system_fonts=False).families()
    system = {*typst.Fonts().families()} - {*families}
    text = f"embedded: {', '.join(families)}; others of the system: {len(system)}"
    advice = "" if system else "for names in other scripts, install fonts such as Noto"
    yield _finding("fonts", "PDF", text, advice)


def _terminal() -> Iterator[Examined]:
    encoding = sys.stdout.encoding or "unknown"
    symbols = "set LANG to a UTF-8 locale, such as C.UTF-8: cards are printed as Qc and Ts"
    yield _finding("terminal", "encoding", encoding, "" if has_symbols() else symbols)
    size = shutil.get_terminal_size()
    text = f"{size.columns} columns, {size.lines} lines"
    advice = f"widen it to {_NARROW} columns or more"
    yield _finding("terminal", "width", text, advice if size.columns < _NARROW else "")
    term = os.environ.get("TERM", "")
    reasons = {
        "standard output is not a terminal": not sys.stdout.isatty(),
        "NO_COLOR is set": "NO_COLOR" in os.environ,
        f"TERM is {term!r}": term in {"", "dumb"},
    }
    yield _finding(
        "terminal", "color", "; ".join(text for text, is_so in reasons.items() if is_so) or "yes"
    )


def _disk() -> Iterator[Examined]:
    for name, folder in (("current folder", Path.cwd()), ("temporary folder", Path(gettempdir()))):
        free_bytes = shutil.disk_usage(folder).free
        text = f"{folder}: {free_bytes / _GIB:.1f} GiB free"
        if free_bytes < _LEAST_FREE:
            yield _fault("disk", name, text, "free some space: logs and stores need it")
        elif not os.access(folder, os.W_OK):
            advice = "write to another folder, with -o FILE or --log FILE"
            yield _finding("disk", name, f"{text}, read-only", advice)
        else:
            yield _finding("disk", name, text, "free some space" if free_bytes < _GIB else "")
