"""Sets of vectors for tests: made once for each submission, by whichever process needs one first.

A set takes seconds to make, and the processes that share the tests need the same ones. So a set is kept in
``.pytest_cache``, under a name that changes with any byte of the package or of its submission.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from croupier.rules import TableRules, read_submission, table_rules
from croupier.scenarios.vectors.pack import Pack, RulesSource, pack
from support.project import ROOT, SUBMISSIONS
from support.volume import spread

KEPT: Final = ROOT / ".pytest_cache" / "vectors"

_TOGETHER: Final = {
    "ma-house-money-half", "ma-royal-9", "ma-royal-9-to-one", "nj-minibaccarat-dragon-7",
    "nj-punto-banco-4-percent", "nj-punto-banco-dragon-7", "nj-punto-banco-total-cards-5-percent",
    "ny-mini-4-percent",
}  # fmt: skip

_OTHERS: Final = spread((one for one in SUBMISSIONS if one.stem not in _TOGETHER), 0, 8)
SETS: Final = tuple(one for one in SUBMISSIONS if one.stem in _TOGETHER or one in _OTHERS)
"""The submissions whose vectors are tried: under every text, and as many as reach every refusal together."""


@cache
def made(submission: Path) -> Pack:
    """Return the vectors of a submission, which are made once."""
    content = submission.read_bytes()
    state = hashlib.sha256(_package() + content).hexdigest()[:16]
    kept = KEPT / f"{submission.stem}-{state}.pickle"
    with _alone(submission.stem):
        if kept.exists():
            known: Pack = pickle.loads(kept.read_bytes())  # noqa: S301  (we have written it)
            return known
        new = pack(table_rules(read_submission(submission)), RulesSource(submission.name, content))
        for older in KEPT.glob(f"{submission.stem}-{'[0-9a-f]' * 16}.pickle"):
            older.unlink()
        kept.write_bytes(pickle.dumps(new))
    return new


def known(
    rules: TableRules, source: RulesSource, progress: Callable[[str], None], laws: Sequence[str]
) -> Pack:
    """Stand for ``pack`` where a command is tried that writes vectors: these were made before."""
    progress("files")
    assert not laws
    found = made(ROOT / "submissions" / source.name)
    assert (found.manifest["rules_hash"], found.manifest["submission"]) == (
        rules.sha256,
        {"file": source.name, "sha256": hashlib.sha256(source.content).hexdigest()},
    )
    return found


def read(submission: Path, topic: str) -> dict[str, Any]:
    """Return what stands in a file of a submission's vectors."""
    found: dict[str, Any] = json.loads(made(submission).files[f"{topic}.json"])
    return found


@cache
def _package() -> bytes:
    """Return a fingerprint of all that makes vectors: the package, and the interpreter."""
    fingerprint = hashlib.sha256(sys.version.encode())
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix in {".py", ".toml", ".json"}:
            fingerprint.update(f"{path}\0".encode() + path.read_bytes())
    return fingerprint.digest()


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Keep other processes from making the same set meanwhile."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f"{name}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
