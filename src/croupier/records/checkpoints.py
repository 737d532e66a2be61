"""Signed checkpoints, which detect a log that was resealed entirely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, TypedDict

from croupier.records import signed_lines
from croupier.records.signing import Signer
from croupier.records.trust import Trust
from croupier.rules.documents import Count, Hash

FORMAT: Final = "croupier-checkpoint/2"


class CheckpointOfFormat1(TypedDict):
    """A signed head of a log, without a chain."""

    format: Literal["croupier-checkpoint/1"]
    stream: str
    entry: Count
    sha256: Hash
    at: signed_lines.SignedAt
    signature: signed_lines.Signature


class Checkpoint(TypedDict):
    """A signed head of a log."""

    format: Literal["croupier-checkpoint/2"]
    number: signed_lines.Number
    prev: signed_lines.Before
    stream: Annotated[str, "The stream of the log."]
    entry: Annotated[Count, "The number of its last entry."]
    sha256: Annotated[Hash, "The seal of its last line."]
    closed: Annotated[bool, "Whether that line closes the log."]
    at: signed_lines.SignedAt
    key: signed_lines.KeyId
    signature: signed_lines.Signature


_FORMATS: Final = {
    "croupier-checkpoint/1": signed_lines.kinds_of(CheckpointOfFormat1),
    FORMAT: signed_lines.kinds_of(Checkpoint),
}


def checkpoints_of(log: Path) -> Path:
    return log.with_name(f"{log.name}.checkpoints")


class Checkpoints:
    def __init__(self, signer: Signer, log: Path, stream: str, *, anew: bool) -> None:
        self._signer: Final = signer
        self._path: Final = checkpoints_of(log)
        self._stream: Final = stream
        self._anew = anew

    def sign(self, entry: int, sha256: str, *, closed: bool) -> None:
        """Sign a log up to an entry, or its last line. Raises ``StoreError``."""
        if self._anew:
            self._path.unlink(missing_ok=True)
            self._anew = False
        head = {"stream": self._stream, "entry": entry, "sha256": sha256, "closed": closed}
        signed_lines.append_signed(self._path, self._signer, FORMAT, head)


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
    found = Vouched({}, [], [])
    for line in signed_lines.read_signed(path, _FORMATS, trust):
        where = f"checkpoint {line.number}, of entry {line.data['entry']}"
        if line.fault:
            found.faults.append(f"{where}: {line.fault}")
        elif (key := line.key) is None:
            found.uncounted.append(f"{where}, is not counted: {line.uncounted}")
        else:
            of, closed = line.data, line.data.get("closed", False)
            through = SignedThrough(of["entry"], of["sha256"], closed, key.label, key.id, of["at"])
            found.through.setdefault(of["stream"], []).append(through)
    return found


def misplaced(
    signed: Iterable[SignedThrough], heads: Mapping[str, tuple[int, bool]]
) -> Iterator[str]:
    """Yield what is wrong, by the entry of each seal and whether its line closes the log."""
    for one in signed:
        entry, closed = heads.get(one.sha256, (one.entry, one.closed))
        if one.entry != entry or (one.closed and not closed):
            said = f"entry {one.entry}{' as the last line' * one.closed}"
            yield f"a checkpoint of {said} has the seal of a line of entry {entry}"
