"""The rules wing: a licensee's submission and a law become the rules of one table.

Everything above this package imports from here, and nothing that lies inside it.
"""

from __future__ import annotations

from croupier.rules.elections import Elections, VigorishTerms, once
from croupier.rules.offering import METERS, OFFERED_BY
from croupier.rules.offers import Award, Decision, Offer, Outcome, Pays
from croupier.rules.pit import pit_faults
from croupier.rules.submission import (
    MOST_SEATS,
    Layout,
    Limit,
    MalformedSubmissionError,
    Submission,
    fitting,
    plain_submission,
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
    "Layout",
    "Limit",
    "MalformedSubmissionError",
    "Offer",
    "Outcome",
    "Pays",
    "Submission",
    "TableRules",
    "VigorishTerms",
    "fitting",
    "once",
    "pit_faults",
    "plain_submission",
    "read_rules",
    "read_submission",
    "submission_of",
    "table_rules",
]
