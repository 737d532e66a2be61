"""Rules of one table, from a licensee's submission and a law."""

from __future__ import annotations

from croupier.rules.build import read_rules, rules_of_tables, rules_under, rules_with, table_rules
from croupier.rules.custom_wagers import wager_of, with_limits
from croupier.rules.drafting import (
    SubmissionDraft,
    choices_of,
    clauses_of_choice,
    condition_text,
    default_of,
    draft_rules,
    key_of,
    offered_when,
    opening_limit,
    template,
)
from croupier.rules.offer_builder import build_offers
from croupier.rules.offers import (
    Award,
    CustomWagerError,
    Decision,
    Offer,
    Outcome,
    Pays,
    VigorishTerms,
)
from croupier.rules.pit import law_named, other_table, pit_errors
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
from croupier.rules.table import TableRules, as_elected, checked_law, remembered

__all__ = [
    "MOST_SEATS", "Award", "CustomWagerError", "Decision", "Limit", "MalformedSubmissionError",
    "Offer", "Outcome", "Pays", "Submission", "SubmissionDraft", "TableLayout", "TableRules",
    "VigorishTerms", "as_elected", "build_offers", "checked_law", "choices_of", "clauses_of_choice",
    "condition_text", "default_of", "default_submission", "draft_rules", "fitting", "key_of",
    "law_named", "offered_when", "opening_limit", "other_table", "pit_errors", "read_rules",
    "read_submission", "remembered", "rules_of_tables", "rules_under", "rules_with",
    "submission_of", "table_rules", "template", "wager_of", "with_limits",
]  # fmt: skip
