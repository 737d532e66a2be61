"""RFC 3161 time stamps over signed heads, by the program ``openssl``."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from croupier.records.heads import Heads
from croupier.records.trust import Trust

_TIME: Final = re.compile(r"^Time stamp: (\w+ +\d+ [\d:]+)(?:\.\d+)? (\d+) GMT$", re.MULTILINE)
_IMPRINT: Final = re.compile(r"^ +[0-9a-f]{4} - ((?:[0-9a-f]{2}[ -]){16})", re.MULTILINE)


class StampError(Exception):
    """A time stamp that cannot be requested or read."""


class WrongStampError(StampError):
    """A time stamp that is not valid for these heads."""


class Stamped(NamedTuple):
    number: int
    at: datetime


def stamp_request(heads: Path) -> tuple[int, bytes]:
    """Request a stamp (DER) over the last line. Raises ``StampError``, ``FileError``."""
    lines = Heads.read(heads, Trust({}))
    if not lines.digests:
        raise StampError(f"{heads}: it has no line")
    if lines.faults:
        raise WrongStampError("\n".join(lines.faults))
    digest = next(reversed(lines.digests))
    done = _openssl("-query", "-digest", digest, "-sha256", "-cert")
    if done.returncode:
        raise StampError(f"openssl: {_why(done)}")
    return lines.digests[digest], done.stdout


def check_stamp(heads: Path, token: Path, authority: Path) -> Stamped:
    """Verify a response at its time. Raises ``StampError`` and ``FileError``."""
    done = _openssl("-reply", "-in", token, "-text")
    if done.returncode:
        raise StampError(f"{token}: not a response of a time stamp authority (DER)")
    # The status before it is not signed, and its text is printed with any line ends.
    text = done.stdout.decode("utf-8", "replace").rpartition("\nTST info:\n")[2]
    time, imprint = _TIME.search(text), "".join(_IMPRINT.findall(text))
    if time is None:
        raise WrongStampError(f"{token}: the authority granted no time stamp")
    at = datetime.strptime(f"{time[1]} {time[2]}", "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    lines, digest = Heads.read(heads, Trust({})), re.sub("[ -]", "", imprint)
    number = lines.digests.get(digest)
    if number is None:
        raise WrongStampError(f"{token}: no line of {heads} is the one that was stamped")
    if lines.faults:
        raise WrongStampError("\n".join(lines.faults))
    # A certificate that expired since was valid when it signed.
    when = ("-attime", str(int(at.timestamp())))
    done = _openssl("-verify", "-digest", digest, "-in", token, "-CAfile", authority, *when)
    if done.returncode:
        raise WrongStampError(f"{token}: not signed by the authority: {_why(done)}")
    return Stamped(number, at)


def _openssl(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    command = ["openssl", "ts", *(os.fspath(word) for word in words)]
    try:
        return subprocess.run(  # noqa: S603  (options and files, without a shell)
            command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"}
        )
    except OSError as error:
        raise StampError(
            f"time stamps need the program openssl, which cannot be run: {error.strerror}"
        ) from error


def _why(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode("utf-8", "replace").splitlines() or ["it gives no reason"]
    return next((line for line in lines if "error" in line.lower()), lines[0]).rpartition(":")[2]
