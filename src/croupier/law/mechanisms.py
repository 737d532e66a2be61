"""Mechanisms: rules that an installed Python package implements for the laws that name it.

A package has an entry point in the group ``croupier.mechanisms``. Its contracts are data, and its
code is imported only when a law that names it is read.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, Final, TypeAlias

import msgspec

from croupier.files.errors import FileError
from croupier.files.text import read_bytes
from croupier.files.toml import read_toml
from croupier.law.cite import cited_rules
from croupier.law.contracts import Contract, contracts, family_of
from croupier.law.faults import LawError
from croupier.law.fields import ID, TEXT, FieldError, Keys, Table, only_keys, text_of
from croupier.law.folders import with_folder
from croupier.law.model import Mechanism

Check: TypeAlias = Callable[[str], None]

_GROUP: Final = "croupier.mechanisms"
_CONTRACTS: Final = "contracts.toml"
NAME: Final = "[a-z][a-z0-9_]*"
_COPY: Final = re.compile(r"/__pycache__/\w+\.[\w-]+(\.opt-\w+)?\.pyc$")
_LOCK: Final = RLock()
_OWNERS: dict[str, str] = {}
"""The mechanism of each package's code."""
_LOADING: list[str] = []
"""The package that is imported now."""
_LOADED: dict[str, Mechanism | MechanismError] = {}
_CHECKS: Final[list[Check]] = []

MECHANISM_KEYS: Final[Keys] = {"id": ID, "package": TEXT}


class MechanismError(LawError):
    """A mechanism that is missing, is not valid, or failed."""


class _Contracts(msgspec.Struct, forbid_unknown_fields=True):
    rules: dict[str, Contract]


def after_loading(check: Check) -> Check:
    """Register a call after a mechanism's code was imported; it may raise ``MechanismError``."""
    _CHECKS.append(check)
    return check


def owner_of(record: Any) -> str:
    """Mechanism to which a function or class belongs; empty for all other code."""
    package = record.__module__.partition(".")[0]
    owner = _OWNERS.get(package, "")
    if _LOADING and not owner and package != "croupier":
        raise MechanismError(f"mechanism {_LOADING[0]}: code of {package} is not in its package")
    return owner


def claim(record: Any, name: object, is_taken: object) -> None:
    """Refuse code of a mechanism that replaces something. Raises ``MechanismError``."""
    if is_taken and (owner := owner_of(record) or "".join(_LOADING)):
        raise MechanismError(f"mechanism {owner}: {name} is the program's: use another name")


def reserve(record: Any, name: str) -> None:
    """Refuse code of a mechanism where it would act at all tables. Raises ``MechanismError``."""
    if owner := owner_of(record):
        raise MechanismError(f"mechanism {owner}: {name} is the program's: it acts at all tables")


def mechanism_of(table: Table, name: str, *, imports: bool = True) -> Mechanism:
    """Mechanism that a table of a law file names, imported. Raises ``FieldError``."""
    only_keys(table, MECHANISM_KEYS)
    package = text_of(table, "package")
    if not re.fullmatch(NAME, name) or name in {family_of(rule) for rule in contracts().rules}:
        message = f"{name!r} must be lower-case letters, digits, and _, and no family of rules"
        raise FieldError("id", message)
    try:
        return _loaded(installed(name, package), imports=imports)
    except (MechanismError, FileError) as error:
        raise FieldError("package", str(error), "mechanism") from error


def installed(name: str, package: str) -> Mechanism:
    """Find an installed mechanism without importing it. Raises ``MechanismError``."""
    # Importing the metadata of packages takes longer than checking a submission.
    from importlib.metadata import entry_points  # noqa: PLC0415
    from importlib.util import find_spec  # noqa: PLC0415

    points = entry_points(group=_GROUP, name=name)
    found = [(_normal(point.dist.name), point) for point in points if point.dist is not None]
    matches = [point for dist, point in found if dist == _normal(package)]
    if len(matches) > 1:
        raise MechanismError(f"{package}: has several entry points {name}")
    point = matches[0] if matches else None
    if point is None or point.dist is None:
        names = ", ".join(dist for dist, _ in found)
        hint = f"; installed is one of {names}" if names else ""
        raise MechanismError(
            f"needs the mechanism {name} of the package {package}, which is not installed"
            f"{hint}: pip install {package}"
        )
    module = point.value
    # A module that runs as a script has no specification.
    spec = find_spec(module) if module.isidentifier() and module != "__main__" else None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if len(places) != 1 or module == "croupier":
        raise MechanismError(f"{package}: entry point {name}: {module} is not a package of its own")
    folder = Path(places[0])
    rules = _contracts(folder, name)
    return Mechanism(name, point.dist.name, point.dist.version, _sha256(folder), module, rules)


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def _contracts(folder: Path, name: str) -> Mapping[str, Contract]:
    path = folder / _CONTRACTS
    try:
        own = msgspec.convert(read_toml(path).tables, _Contracts).rules
        rule_ids = {*contracts().rules, *own}
        for rule_id, one in own.items():
            _ = one.allowed
            conditions = (part for both in (*one.when, *one.unless) for part in both.split(" & "))
            unknown = [part for part in conditions if part.partition(" = ")[0] not in rule_ids]
            if family_of(rule_id) != name or rule_id == name or unknown:
                why = f"names no rule: {unknown[0]}" if unknown else f"does not begin with {name}."
                raise MechanismError(f"{path}: {rule_id}: {why}")
    except (FileError, OSError, ValueError) as error:
        if isinstance(error, MechanismError):
            raise
        raise MechanismError(f"{path}: {error}") from error
    return own


def _sha256(folder: Path) -> str:
    """Hash of all files of a package, by name, except compiled copies.

    Raises ``MechanismError`` for a link to a folder, whose files would not be among them.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() and path.is_dir():
            raise MechanismError(f"{path}: a link to a folder is not part of a package")
        if path.is_file() and not _COPY.search(path.as_posix()):
            content = hashlib.sha256(read_bytes(path)).hexdigest()
            digest.update(f"{content} {path.relative_to(folder).as_posix()}\n".encode())
    return digest.hexdigest()


def _loaded(found: Mechanism, *, imports: bool) -> Mechanism:
    with _LOCK:
        before = _LOADED.get(found.name)
        if before is None and not imports:
            raise MechanismError(
                f"needs the {found}, and a mechanism is imported for a law of a folder, not for "
                f"that of a log: name the folder of its law {with_folder()}"
            )
        if before is None:
            before = _LOADED[found.name] = _imported(found)
    if isinstance(before, MechanismError):
        raise before
    if before.stated != found.stated:
        raise MechanismError(f"{found} was changed since it was read: start the program again")
    return before


def _imported(mechanism: Mechanism) -> Mechanism | MechanismError:
    if other := _OWNERS.get(mechanism.module):
        return MechanismError(f"{mechanism}: its package is that of the mechanism {other}")
    _OWNERS[mechanism.module] = mechanism.name
    try:
        with _from_source(mechanism.name):
            import_module(mechanism.module)
        if installed(mechanism.name, mechanism.package).stated != mechanism.stated:
            return MechanismError(f"{mechanism} was changed while it was imported")
        for check in _CHECKS:
            check(mechanism.name)
        rule_ids = set(_functions_of(mechanism))
        if differences := sorted(rule_ids ^ set(mechanism.contracts)):
            lacks = "a contract" if differences[0] in rule_ids else "a function under @cites"
            return MechanismError(f"{mechanism}: {differences[0]} lacks {lacks}")
    except MechanismError as error:
        return error
    except (Exception, SystemExit) as error:  # noqa: BLE001  (another party's code)
        return MechanismError(f"{mechanism} cannot be imported: {type(error).__name__}: {error}")
    return mechanism


@contextmanager
def _from_source(name: str) -> Iterator[None]:
    """Import without compiled copies, which may differ from the source that is hashed."""
    before, sys.pycache_prefix = sys.pycache_prefix, os.devnull
    _LOADING.append(name)
    try:
        yield
    finally:
        _LOADING.pop()
        sys.pycache_prefix = before


def _functions_of(mechanism: Mechanism) -> Mapping[str, tuple[str, ...]]:
    prefix = f"{mechanism.module}."
    functions = {
        rule_id: tuple(name for name in names if name.startswith(prefix))
        for rule_id, names in cited_rules().items()
    }
    return {rule_id: names for rule_id, names in functions.items() if names}


def mechanism_functions() -> Mapping[str, tuple[str, ...]]:
    modules = (mechanism for mechanism in _LOADED.values() if isinstance(mechanism, Mechanism))
    return {rule_id: names for one in modules for rule_id, names in _functions_of(one).items()}
