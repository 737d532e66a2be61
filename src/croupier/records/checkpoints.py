"""Signed lines, and checkpoints, which detect a log that was resealed entirely."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypedDict, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from croupier.files.errors import FileError
from croupier.files.lines import line_blocks
from croupier.files.text import parse_json
from croupier.records.chain import time_fault
from croupier.records.documents import Base64, Moment
from croupier.records.entry import FIRST, moment, sha256, system_clock
from croupier.records.signing import SignatureError, Signer, Trust, TrustedKey, check_signature
from croupier.records.stores.file_stream import FileStream
from croupier.records.stores.stream import StoreError
from croupier.rules.documents import Count, Hash, Positive

Number = Annotated[Positive, "The number of the line."]
Before = Annotated[Hash, "SHA-256 of the line before, without its line feed; zeros in line 1."]
SignedAt = Annotated[Moment, "The time of signing, by the clock of the signer."]
KeyId = Annotated[Hash, "SHA-256 of the public key (DER, SubjectPublicKeyInfo)."]
Signature = Annotated[Base64, "Ed25519 signature of the line without this key."]

Kinds = Mapping[str, type]


def kinds_of(document: type) -> Kinds:
    hints = get_type_hints(document)
    return {
        name: str if get_origin(hint) is Literal else get_origin(hint) or hint
        for name, hint in hints.items()
    }


class SignedLine(Struct, frozen=True):
    """A line whose signature counts with ``key``, or why it does not.

    A ``fault`` is a change of the file; ``uncounted`` is a key that is not trusted at that time.
    ``digest`` is the ``prev`` of the next line.
    """

    number: int
    data: Mapping[str, Any]
    digest: str
    key: TrustedKey | None = None
    fault: str = ""
    uncounted: str = ""


def read_signed(path: Path, formats: Mapping[str, Kinds], trust: Trust) -> Iterator[SignedLine]:
    """Yield lines; then raise ``FileError`` with all that have none of the formats."""
    digest, time, errors = FIRST, "", []
    pairs = (pair for start, lines in line_blocks(path) for pair in enumerate(lines, start))
    for number, line in pairs:
        if not line.endswith(b"\n"):
            break
        try:
            data = _parse(line, formats)
        except ValueError as error:
            errors.append(f"{path}:{number}: {error}")
            continue
        fault = ""
        if "prev" in data:
            if (data["number"], data["prev"]) != (number, digest):
                fault = "a line before it is missing, out of place, or changed"
            fault = fault or time_fault(data["at"], time) or ""
            time = data["at"]
        digest = sha256(line[:-1])
        signed_line = SignedLine(number, data, digest, fault=fault)
        message = _line({name: item for name, item in data.items() if name != "signature"})[:-1]
        yield signed_line if fault else _with_key(signed_line, message, trust)
    if errors:
        raise FileError(*errors)


def _parse(line: bytes, formats: Mapping[str, Kinds]) -> dict[str, Any]:
    data = parse_json(line.decode())
    kinds = formats.get(str(data.get("format"))) if isinstance(data, dict) else None
    actual_kinds = [(name, type(value)) for name, value in data.items()] if kinds else []
    if kinds is None or actual_kinds != [*kinds.items()] or _line(data) != line:
        raise ValueError(f"not a line of the format {' or '.join(formats)}")
    return dict(data)


def _with_key(line: SignedLine, message: bytes, trust: Trust) -> SignedLine:
    data, key = line.data, None
    if "key" not in data:
        key = trust.signer_of(data["signature"], message)
        fault = "" if key else "not signed with a trusted key, or changed"
    elif (key := trust.keys.get(data["key"])) is None:
        return replace(line, uncounted=f"the key {data['key'][:16]}… is not trusted")
    else:
        fault = ""
        try:
            check_signature(key.label, key.pem, data["signature"], message)
        except SignatureError as error:
            fault = str(error)
    if key is None or fault:
        return replace(line, fault=fault)
    if reason := key.why_not(data["at"]):
        return replace(line, uncounted=f"signed with {key.label} at {data['at']}: {reason}")
    return replace(line, key=key)


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def append_signed(
    path: Path, signer: Signer, kind: str, fields: Mapping[str, Any], *, previous: str | None = None
) -> SignedLine:
    """Append durably, after the digest ``previous`` if given. Raises ``StoreError``."""
    with FileStream.open(path) if path.exists() else FileStream.create(path) as file:
        last_line = next(file.lines(file.count - 1), b"") if file.count else b""
        try:
            last_data = parse_json(last_line.decode() or "{}")
            before_at = str(last_data.get("at", ""))
        except (ValueError, AttributeError) as error:
            raise StoreError(f"{path}:{file.count}: not a signed line: {error}") from error
        prev = sha256(last_line[:-1]) if last_line else FIRST
        if previous not in {None, prev}:
            raise StoreError(f"{path}: another program has changed it: begin another file")
        data = {
            "format": kind,
            "number": file.count + 1,
            "prev": prev,
            **fields,
            "at": max(moment(system_clock()), before_at),
            "key": signer.key_id,
        }
        line = _line(data | {"signature": signer.sign(_line(data)[:-1])})
        file.append(file.count, [line])
        return SignedLine(file.count, data, sha256(line[:-1]))


FORMAT: Final = "croupier-checkpoint/2"


class CheckpointOfFormat1(TypedDict):
    """A signed head of a log, without a chain."""

    format: Literal["croupier-checkpoint/1"]
    stream: str
    entry: Count
    sha256: Hash
    at: SignedAt
    signature: Signature


class Checkpoint(TypedDict):
    """A signed head of a log."""

    format: Literal["croupier-checkpoint/2"]
    number: Number
    prev: Before
    stream: Annotated[str, "The stream of the log."]
    entry: Annotated[Count, "The number of its last entry."]
    sha256: Annotated[Hash, "The seal of its last line."]
    closed: Annotated[bool, "Whether that line closes the log."]
    at: SignedAt
    key: KeyId
    signature: Signature


_FORMATS: Final = {
    "croupier-checkpoint/1": kinds_of(CheckpointOfFormat1),
    FORMAT: kinds_of(Checkpoint),
}


def checkpoints_of(log: Path) -> Path:
    return log.with_name(f"{log.name}.checkpoints")


class Checkpoints:
    def __init__(self, signer: Signer, log: Path, stream: str, *, is_new: bool) -> None:
        self._signer: Final = signer
        self._path: Final = checkpoints_of(log)
        self._stream: Final = stream
        self._anew = is_new

    def sign(self, entry: int, sha256: str, *, is_closed: bool) -> None:
        """Sign a log up to an entry, or its last line. Raises ``StoreError``."""
        if self._anew:
            self._path.unlink(missing_ok=True)
            self._anew = False
        head = {"stream": self._stream, "entry": entry, "sha256": sha256, "closed": is_closed}
        append_signed(self._path, self._signer, FORMAT, head)


class SignedThrough(NamedTuple):
    entry: int
    sha256: str
    closed: bool
    key: str
    key_id: str
    at: str


class Vouched(NamedTuple):
    """Checkpoints that count, by stream; ``faults`` of the file; the rest and why not."""

    through: dict[str, list[SignedThrough]]
    faults: list[str]
    uncounted: list[str]


def read_checkpoints(path: Path, trust: Trust) -> Vouched:
    """Read checkpoints. Raises ``FileError``."""
    evidence = Vouched({}, [], [])
    for line in read_signed(path, _FORMATS, trust):
        place = f"checkpoint {line.number}, of entry {line.data['entry']}"
        if line.fault:
            evidence.faults.append(f"{place}: {line.fault}")
        elif (key := line.key) is None:
            evidence.uncounted.append(f"{place}, is not counted: {line.uncounted}")
        else:
            of, closed = line.data, line.data.get("closed", False)
            proof = SignedThrough(of["entry"], of["sha256"], closed, key.label, key.id, of["at"])
            evidence.through.setdefault(of["stream"], []).append(proof)
    return evidence


def misplaced(
    signatures: Iterable[SignedThrough], heads: Mapping[str, tuple[int, bool]]
) -> Iterator[str]:
    """Yield what is wrong, by the entry of each seal and whether its line closes the log."""
    for signature in signatures:
        entry, is_closed = heads.get(signature.sha256, (signature.entry, signature.closed))
        if signature.entry != entry or (signature.closed and not is_closed):
            entry_text = f"entry {signature.entry}{' as the last line' * signature.closed}"
            yield f"a checkpoint of {entry_text} has the seal of a line of entry {entry}"
