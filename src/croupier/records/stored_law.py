"""The law of a log, stored in its header for machines that do not have the law's folder."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from msgspec import Struct

from croupier.files.text import read_bytes
from croupier.files.write import write_file
from croupier.law.faults import LawError
from croupier.law.interpretations import REGISTER
from croupier.law.load import load_instrument
from croupier.law.model import Instrument
from croupier.law.resolve import law_path


class StoredLaw(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    law: str
    register: str = ""

    @property
    def register_sha256(self) -> str:
        return hashlib.sha256(self.register.encode()).hexdigest() if self.register else ""

    def instrument(self, law_id: str, law_sha256: str) -> Instrument:
        """Return the law as a law file is read. Raises ``LawError``.

        Nothing in a log shows that this is the law: it is what the log was made under.
        """
        raw = self.law.encode()
        if hashlib.sha256(raw).hexdigest() != law_sha256:
            raise LawError(f"the law stored in it is not the law file {law_sha256} of its header")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "law.toml")
            write_file(path, raw)
            if self.register:
                write_file(path.with_name(REGISTER), self.register.encode())
            try:
                found = load_instrument(path, imports=False)
            except LawError as error:
                raise LawError(f"the law stored in it has faults: {error}") from error
        if found.id != law_id:
            raise LawError(f"the law stored in it is {found.id}, not {law_id}")
        return found


def stored_law(law: Instrument) -> StoredLaw | None:
    """Return what a log stores; ``None`` for a law that every program has."""
    path = law_path(law)
    if path is None:
        return None
    register = path.with_name(REGISTER)
    own = read_bytes(register).decode() if register.is_file() else ""
    stored = StoredLaw(read_bytes(path).decode(), own)
    if stored.instrument(law.id, law.sha256).register != law.register:
        raise LawError(f"{register}: was changed since it was read")
    return stored
