"""What the public functions raise, beside what they define themselves."""

from __future__ import annotations

from croupier.files.errors import FileError
from croupier.law.elect import SubmissionError
from croupier.law.load import LawError

__all__ = ["FileError", "LawError", "SubmissionError"]
