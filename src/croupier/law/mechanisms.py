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
    """Register a call with the name of a mechanism after its code was imported.

    It may raise ``MechanismError``.
    """
    _CHECKS.append(check)
    return check


def owner_of(made: Any) -> str:
    """Mechanism to which a function or class belongs; empty for all other code."""
    package = made.__module__.partition(".")[0]
    owner = _OWNERS.get(package, "")
    if _LOADING and not owner and package != "croupier":
        raise MechanismError(f"mechanism {_LOADING[0]}: code of {package} is not in its package")
    return owner


def claim(made: Any, what: object, taken: object) -> None:
    """Refuse code of a mechanism that replaces something. Raises ``MechanismError``."""
    if taken and (owner := owner_of(made) or "".join(_LOADING)):
        raise MechanismError(f"mechanism {owner}: {what} is the program's: use another name")


def reserve(made: Any, what: str) -> None:
    """Refuse code of a mechanism where it would act at all tables. Raises ``MechanismError``."""
    if owner := owner_of(made):
        raise MechanismError(f"mechanism {owner}: {what} is the program's: it acts at all tables")


def mechanism_of(table: Table, name: str, *, imports: bool = True) -> Mechanism:
    """Mechanism that a table of a law file names, with its code imported.

    Raises ``FieldError``, also if it would have to import the code and may not.
    """
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
    found = [(_normal(one.dist.name), one) for one in points if one.dist is not None]
    here = [one for dist, one in found if dist == _normal(package)]
    if len(here) > 1:
        raise MechanismError(f"{package}: has several entry points {name}")
    point = here[0] if here else None
    if point is None or point.dist is None:
        names = ", ".join(dist for dist, _ in found)
        others = f"; installed is one of {names}" if names else ""
        raise MechanismError(
            f"needs the mechanism {name} of the package {package}, which is not installed"
            f"{others}: pip install {package}"
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
        found = msgspec.convert(read_toml(path).tables, _Contracts).rules
        known = {*contracts().rules, *found}
        for rule_id, one in found.items():
            _ = one.allowed
            conditions = (part for both in (*one.when, *one.unless) for part in both.split(" & "))
            strange = [part for part in conditions if part.partition(" = ")[0] not in known]
            if family_of(rule_id) != name or rule_id == name or strange:
                why = f"names no rule: {strange[0]}" if strange else f"does not begin with {name}."
                raise MechanismError(f"{path}: {rule_id}: {why}")
    except (FileError, OSError, ValueError) as error:
        if isinstance(error, MechanismError):
            raise
        raise MechanismError(f"{path}: {error}") from error
    return found


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


def _imported(found: Mechanism) -> Mechanism | MechanismError:
    if other := _OWNERS.get(found.module):
        return MechanismError(f"{found}: its package is that of the mechanism {other}")
    _OWNERS[found.module] = found.name
    try:
        with _from_source(found.name):
            import_module(found.module)
        if installed(found.name, found.package).stated != found.stated:
            return MechanismError(f"{found} was changed while it was imported")
        for check in _CHECKS:
            check(found.name)
        cited = set(_functions_of(found))
        if unequal := sorted(cited ^ set(found.contracts)):
            lacks = "a contract" if unequal[0] in cited else "a function under @cites"
            return MechanismError(f"{found}: {unequal[0]} lacks {lacks}")
    except MechanismError as error:
        return error
    except (Exception, SystemExit) as error:  # noqa: BLE001  (another party's code)
        return MechanismError(f"{found} cannot be imported: {type(error).__name__}: {error}")
    return found


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


def _functions_of(found: Mechanism) -> Mapping[str, tuple[str, ...]]:
    mine = f"{found.module}."
    named = {
        rule_id: tuple(name for name in names if name.startswith(mine))
        for rule_id, names in cited_rules().items()
    }
    return {rule_id: names for rule_id, names in named.items() if names}


def mechanism_functions() -> Mapping[str, tuple[str, ...]]:
    imported = (one for one in _LOADED.values() if isinstance(one, Mechanism))
    return {rule_id: names for one in imported for rule_id, names in _functions_of(one).items()}
