"""The fixed sentences of a test report."""

from __future__ import annotations

from typing import Final

METHOD: Final = (
    (
        "Each round is verified by itself from its cards: number of cards, third cards, Point "
        "Counts, winner. Each recorded wager is settled again in whole cents under the rules "
        "of the table, and compared with what is recorded."
    ),
    (
        "The rounds of a shoe are verified together: order, burn, last hand, and the "
        "composition of the cards."
    ),
    (
        "What one error explains is reported with that error and not a second time. A "
        "decision is reported only if it is wrong whichever card may be missing. Missing "
        "fields are not checked."
    ),
    (
        "Results are compared with the exact odds of a fresh shoe: classes of results by "
        "chi-square, the return of each wager by its z-score, and the order of results within "
        "shoes by the number of runs of Player and Banker. The p-values are also adjusted for "
        "the number of tests (Holm)."
    ),
)
"""How external rounds are tested, a paragraph for each step."""

LOG_METHOD: Final = (
    (
        "Every event of the table log is recomputed from its commands under the rules of the "
        "table, the chain of hashes is checked, and each line is compared with the expected "
        "events."
    ),
    METHOD[3],
)
"""How a table log is tested."""

LIMITATIONS: Final = (
    (
        "This report is about the record, not about the equipment or the shuffle that made "
        "it: what is not recorded cannot be verified, and a record can be consistent and "
        "still not be what happened."
    ),
    (
        "Only the files, columns, and rules listed here were tested. Rounds missing at the "
        "beginning or the end of the record cannot be detected."
    ),
)
"""What no test of a record can say."""
