"""The law: regulations as cited, dated data. Knows no game.

One complete TOML file per instrument, game and date in force. ``load`` reads one and refuses a bad
one, ``resolve`` finds the one in force, ``resolve_elections`` fills in what the law leaves to the
licensee, ``coverage`` shows what became of every clause.
"""

from croupier.law.cite import cites
from croupier.law.elect import ErrorDetail, SubmissionError, resolve_elections
from croupier.law.load import LawError, load_instrument
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
