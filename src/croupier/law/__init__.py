"""Regulations as cited, dated data, independent of any game.

One complete TOML file per instrument, game and effective date.
"""

from croupier.law.cite import cites
from croupier.law.elect import ErrorDetail, SubmissionError, resolve_elections
from croupier.law.faults import LawError
from croupier.law.load import load_instrument
from croupier.law.model import Clause, Constraint, Instrument, Rule
from croupier.law.resolve import instruments, resolve
from croupier.law.values import Kind, Odds, Value

__all__ = [
    "Clause",
    "Constraint",
    "ErrorDetail",
    "Instrument",
    "Kind",
    "LawError",
    "Odds",
    "Rule",
    "SubmissionError",
    "Value",
    "cites",
    "instruments",
    "load_instrument",
    "resolve",
    "resolve_elections",
]
