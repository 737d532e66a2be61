"""Mechanisms: rules that an installed Python package implements for the laws that name it.

A package has an entry point in the group ``croupier.mechanisms``. Its contracts are data, and its
code is imported only when a law that names it is read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
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
from croupier.law.fields import TEXT, FieldError, Keys, Table, only_keys, text_of
from croupier.law.model import Mechanism

Check: TypeAlias = Callable[[str], None]

_GROUP: Final = "croupier.mechanisms"
_CONTRACTS: Final = "contracts.toml"
NAME: Final = "[a-z][a-z0-9_]*"
_LOCK: Final = RLock()
_OWNERS: dict[str, str] = {}
"""The mechanism of each package's code."""
_LOADED: dict[str, Mechanism | MechanismError] = {}
_CHECKS: Final[list[Check]] = []

MECHANISM_KEYS: Final[Keys] = {"id": TEXT, "package": TEXT}


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
    """Return the mechanism to which a function or class belongs; empty for all other code."""
    return _OWNERS.get(made.__module__.partition(".")[0], "")


def claim(made: Any, what: object, taken: object) -> None:
    """Refuse code of a mechanism that replaces something. Raises ``MechanismError``."""
    if taken and (owner := owner_of(made)):
        raise MechanismError(f"mechanism {owner}: {what} is the program's: use another name")


def mechanism_of(table: Table, name: str) -> Mechanism:
    """Return the mechanism that a table of a law file names, with its code imported.

    Raises ``FieldError``.
    """
    only_keys(table, MECHANISM_KEYS)
    package = text_of(table, "package")
    if not re.fullmatch(NAME, name) or name in {family_of(one) for one in contracts().rules}:
        message = f"{name!r} must be lower-case letters, digits, and _, and no family of rules"
        raise FieldError("id", message)
    try:
        return _loaded(installed(name, package))
    except (MechanismError, FileError) as error:
        raise FieldError("package", str(error), "mechanism") from error


def installed(name: str, package: str) -> Mechanism:
    """Return an installed mechanism without importing it. Raises ``MechanismError``."""
    # Importing the metadata of packages takes longer than checking a submission.
    from importlib.metadata import entry_points  # noqa: PLC0415
    from importlib.util import find_spec  # noqa: PLC0415

    points = [one for one in entry_points(group=_GROUP, name=name) if one.dist is not None]
    found = {_normal(one.dist.name): one for one in points if one.dist is not None}
    point = found.get(_normal(package))
    if point is None or point.dist is None:
        others = f"; installed is one of {', '.join(found)}" if found else ""
        raise MechanismError(
            f"needs the mechanism {name} of the package {package}, which is not installed"
            f"{others}: pip install {package}"
        )
    module = point.value
    spec = find_spec(module) if module.isidentifier() else None
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
    """Return the hash of all files of a package, by name, except compiled ones."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            content = hashlib.sha256(read_bytes(path)).hexdigest()
            digest.update(f"{content} {path.relative_to(folder).as_posix()}\n".encode())
    return digest.hexdigest()


def _loaded(found: Mechanism) -> Mechanism:
    with _LOCK:
        before = _LOADED.get(found.name)
        if before is None:
            before = _LOADED[found.name] = _imported(found)
    if isinstance(before, MechanismError):
        raise before
    if before.stated != found.stated:
        raise MechanismError(f"{found} was changed since it was read: start the program again")
    return before


def _imported(found: Mechanism) -> Mechanism | MechanismError:
    _OWNERS[found.module] = found.name
    try:
        import_module(found.module)
        for check in _CHECKS:
            check(found.name)
        _check_functions(found)
    except MechanismError as error:
        return error
    except (Exception, SystemExit) as error:  # noqa: BLE001  (another party's code)
        return MechanismError(f"{found} cannot be imported: {type(error).__name__}: {error}")
    return found


def _check_functions(found: Mechanism) -> None:
    cited = set(_functions_of(found))
    if unequal := sorted(cited ^ set(found.contracts)):
        lacks = "a contract" if unequal[0] in cited else "a function under @cites"
        raise MechanismError(f"{found}: {unequal[0]} lacks {lacks}")


def _functions_of(found: Mechanism) -> Mapping[str, tuple[str, ...]]:
    mine = f"{found.module}."
    named = {
        rule_id: tuple(name for name in names if name.startswith(mine))
        for rule_id, names in cited_rules().items()
    }
    return {rule_id: names for rule_id, names in named.items() if names}


def mechanism_functions() -> Mapping[str, tuple[str, ...]]:
    """Return the functions of all imported mechanisms by rule id."""
    imported = (one for one in _LOADED.values() if isinstance(one, Mechanism))
    return {rule_id: names for one in imported for rule_id, names in _functions_of(one).items()}
