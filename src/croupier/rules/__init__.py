"""The rules wing: a licensee's submission and a law become the rules of one table.

Everything above this package imports from here, and nothing that lies inside it.
"""

from __future__ import annotations

from croupier.rules.elections import Elections, VigorishTerms, once
from croupier.rules.offering import METERS, OFFERED_BY
from croupier.rules.offers import Award, Decision, Offer, Outcome, Pays
from croupier.rules.pit import pit_errors
from croupier.rules.submission import (
    MOST_SEATS,
    Limit,
    MalformedSubmissionError,
    Submission,
    TableLayout,
    default_submission,
    fitting,
    read_submission,
    submission_of,
)
from croupier.rules.table import MOST_DECKS, TableRules, read_rules, table_rules

__all__ = [
    "METERS",
    "MOST_DECKS",
    "MOST_SEATS",
    "OFFERED_BY",
    "Award",
    "Decision",
    "Elections",
    "Limit",
    "MalformedSubmissionError",
    "Offer",
    "Outcome",
    "Pays",
    "Submission",
    "TableLayout",
    "TableRules",
    "VigorishTerms",
    "default_submission",
    "fitting",
    "once",
    "pit_errors",
    "read_rules",
    "read_submission",
    "submission_of",
    "table_rules",
]
