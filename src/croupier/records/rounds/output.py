"""Files that appear whole or not at all, packed where their name says so."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from croupier.files.errors import FileError

__all__ = ["UnwritableError", "written_whole"]

_MODE = 0o644


class UnwritableError(FileError):
    """What was read cannot be written so, or there."""


@contextmanager
def written_whole(out: Path) -> Iterator[IO[bytes]]:
    """Open a file to be written, which takes its place when the context ends well.

    Its folder is made where there is none. A name that ends in ``.gz`` is packed, the same bytes
    always in the same way. Raises ``UnwritableError`` where it cannot be written; what stood there
    before then stands there still.
    """
    scratch: Path | None = None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
        scratch = Path(name)
        with os.fdopen(handle, "wb") as raw:
            if out.suffix == ".gz":
                # Neither name nor time goes into it.
                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                    yield cast("IO[bytes]", packed)
            else:
                yield raw
        scratch.chmod(_MODE)
        scratch.replace(out)
    except OSError as error:
        raise UnwritableError(f"{out}: it cannot be written: {error.strerror or error}") from error
    finally:
        if scratch is not None:
            scratch.unlink(missing_ok=True)
