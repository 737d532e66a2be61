"""Exceptions of the public functions that other packages define."""

from __future__ import annotations

from croupier.files.errors import FileError
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.rules import CustomWagerError

__all__ = ["CustomWagerError", "FileError", "LawError", "SubmissionError"]
