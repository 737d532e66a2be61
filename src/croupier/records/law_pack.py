"""Packs: the law files of a folder in one signed file, for another machine."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from croupier.files.text import parse_json, read_bytes
from croupier.files.write import write_file
from croupier.law.faults import LawError
from croupier.law.folders import law_files
from croupier.law.model import Instrument
from croupier.records.entry import moment, system_clock
from croupier.records.signing import SignatureError, Signer, Trust, check_signature, key_id
from croupier.rules import checked_law

_FORMAT: Final = "croupier-law-pack/1"
_MANIFEST: Final = "manifest.json"
_SIGNATURE: Final = "manifest.sig"
_NAME: Final = re.compile(
    r"(?:[A-Za-z0-9_@-][A-Za-z0-9_@.-]*/)*[A-Za-z0-9_@-][A-Za-z0-9_@.-]*\.toml"
)
_MOST_BYTES: Final = 32 << 20
_WHEN: Final = (1980, 1, 1, 0, 0, 0)


class PackError(ValueError):
    """A folder that cannot be packed, or a pack that is not whole."""


def pack(folder: Path, signer: Signer) -> bytes:
    """Pack a folder's TOML files. Raises ``LawError`` and ``PackError``."""
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.toml"))}
    bad_names = [name for name in paths if not _NAME.fullmatch(name)]
    if bad_names:
        raise PackError(f"{folder}: letters, digits, and _@.- only in the name {bad_names[0]!r}")
    for path in paths.values():
        if not path.resolve().is_relative_to(folder.resolve()):
            raise PackError(f"{path}: is a link to a file outside {folder}; put a copy there")
    laws = laws_below(folder)
    if not laws:
        raise PackError(f"{folder}: has no law file")
    files = {name: read_bytes(path) for name, path in paths.items()}
    mechanisms = {name: one.stated for law in laws for name, one in law.mechanisms.items()}
    manifest = {
        "format": _FORMAT,
        "laws": {law.key: law.sha256 for law in laws},
        **({"mechanisms": mechanisms} if mechanisms else {}),
        "files": {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items()},
        "public_key": signer.public_key,
    }
    data = json.dumps(manifest, indent=1).encode()
    return _archive({_MANIFEST: data, _SIGNATURE: signer.sign(data).encode(), **files})


def laws_below(folder: Path) -> list[Instrument]:
    """Load a folder's laws. Raises ``LawError``, also for two of one key."""
    laws: dict[str, Instrument] = {}
    for file in law_files(folder):
        law = checked_law(file.path)
        if law.key in laws:
            raise LawError(f"{file.path}: {law.key} is also in another file: remove one")
        laws[law.key] = law
    return [*laws.values()]


def _archive(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, raw in files.items():
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.create_system = 3
            archive.writestr(entry, raw)
    return buffer.getvalue()


class Unpacked:
    """A whole pack. Raises ``PackError``, ``SignatureError``, and ``FileError``."""

    def __init__(self, path: Path) -> None:
        raw = read_bytes(path, _MOST_BYTES)
        files = _files(path, raw)
        manifest_data, signature = files.pop(_MANIFEST, b""), files.pop(_SIGNATURE, b"")
        manifest = _manifest(path, manifest_data)
        public_key = manifest["public_key"]
        self.key_id = key_id(str(path), public_key)
        """The id of the key that signed the pack."""
        self.mechanisms: Mapping[str, Mapping[str, str]] = manifest.get("mechanisms", {})
        """The packages with which its laws were packed. A pack contains no code."""
        self.laws: Mapping[str, str] = manifest["laws"]
        check_signature(str(path), public_key, signature.decode("ascii", "replace"), manifest_data)
        hashes = {name: hashlib.sha256(file).hexdigest() for name, file in files.items()}
        if hashes != manifest["files"]:
            names = sorted(dict(hashes.items() ^ manifest["files"].items()))
            raise PackError(f"{path}: not as signed: {', '.join(names)}")
        if bad_names := [name for name in files if not _NAME.fullmatch(name)]:
            raise PackError(f"{path}: has the name {bad_names[0]!r}")
        if raw != _archive({_MANIFEST: manifest_data, _SIGNATURE: signature, **files}):
            raise PackError(f"{path}: not as it was made")
        self.files: Mapping[str, bytes] = files

    def write(self, folder: Path) -> None:
        """Write the files to a folder that has none of these names."""
        for name, raw in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, raw)


def _files(path: Path, raw: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = archive.infolist()
            # A stored entry is no larger than the archive.
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise PackError(f"{path}: not a pack: its files are compressed")
            return {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, RuntimeError) as error:
        raise PackError(f"{path}: not a whole pack: {error}") from error


def _manifest(path: Path, data: bytes) -> dict[str, Any]:
    try:
        manifest = parse_json(data.decode())
    except ValueError as error:
        raise PackError(f"{path}: not a pack of law files: {error}") from error
    kinds = {"format": str, "laws": dict, "files": dict, "public_key": str}
    types = {key: type(one) for key, one in manifest.items()} if isinstance(manifest, dict) else {}
    if types not in (kinds, {**kinds, "mechanisms": dict}) or manifest["format"] != _FORMAT:
        raise PackError(f"{path}: not a pack of the format {_FORMAT}")
    if not all(isinstance(digest, str) for digest in manifest["files"].values()):
        raise PackError(f"{path}: its manifest lists a file without its SHA-256")
    for name, mechanism in manifest.get("mechanisms", {}).items():
        if not isinstance(mechanism, dict) or {*map(type, mechanism.values())} != {str}:
            raise PackError(f"{path}: {name} is not a mechanism: package, version, and sha256")
    return dict(manifest)


def check_key(path: Path, unpacked: Unpacked, trust: Trust) -> None:
    """Raise ``SignatureError`` unless a pack was signed with a key that is trusted now."""
    key = trust.keys.get(unpacked.key_id)
    if key is None:
        raise SignatureError(f"{path}: signed with another key, SHA-256 {unpacked.key_id}")
    if reason := key.why_not(moment(system_clock())):
        raise SignatureError(f"{path}: signed with {key.label}: {reason}")
