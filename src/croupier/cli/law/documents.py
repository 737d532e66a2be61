"""JSON documents of the commands about the law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.acts.sheet import ActSheet
from croupier.rules.documents import Count, Counts, Day, Made, OfLaw, Texts, Word

ClauseIds = list[Word]
StandingWord = Annotated[
    Literal["text", "reading", "silent", "substitute", "unverified"],
    "Its standing: the text, a reading of it, a decision on what it leaves open, or a "
    "substitute for a text that is not included.",
]


class LawText(OfLaw):
    """A text, and what is known of it."""

    authority: Word
    cited_as: Annotated[Word, "The usual citation of its sections."]
    in_force_known: Annotated[Day, "The last date on which it is known to have been in force."]
    observed_on: Day
    partial: Annotated[bool, "Whether it is an excerpt."]


# --- list and show -----------------------------------------------------------------------------


class ListedLaw(LawText):
    """A text in the list."""

    clauses: Annotated[Count, "Number of clauses."]


class LawList(Made):
    """The texts that are held."""

    format: Literal["croupier-law-list/1"]
    laws: list[ListedLaw]


ClauseOfLaw = TypedDict(
    "ClauseOfLaw",
    {
        "id": Word,
        "citation": Word,
        "class": Word,
        "says": str,
        "disposition": Word,
        "reason": str | None,
        "outside": Annotated[
            str | None, "What people check outside the table; empty if it only goes on file."
        ],
        "standing": StandingWord,
        "interpretations": Annotated[
            list[Word], "Entries that it names, and those about a rule that cites it."
        ],
        "implemented_by": Annotated[list[Word], "The rules and constraints that cite it."],
        "functions": Annotated[list[Word], "The functions that implement those rules."],
        "commands": Annotated[
            list[Word], "Commands whose events cite it, or whose actor one of those rules names."
        ],
        "events": Annotated[
            list[Word], "Events that cite it in the project's playthroughs and scenarios."
        ],
        "tests": Annotated[list[Word], "Tests and scenarios that name it."],
    },
)


class RuleOfLaw(TypedDict):
    """A rule: what it settles or leaves open, to whom, and when it counts."""

    id: Word
    kind: Word
    title: str
    cites: Annotated[ClauseIds, "Clauses, or an entry of the register if the text is silent."]
    standing: StandingWord
    does: Annotated[
        str | None, "What a procedure does, in the same words in all texts that say the same."
    ]
    value: object
    open: str | None
    by: str | None
    applies_when: Annotated[Mapping[str, list[object]], "By rule, the values for which it applies."]
    in_words: Annotated[str, "What it settles or leaves open, and when, in words."]
    interpretations: Annotated[list[Word], "Entries of the register about it."]


class EntryShown(TypedDict):
    """An entry of the register, with its readings."""

    id: Word
    title: str
    problem: str
    standing: StandingWord
    reading: Annotated[str, "The adopted reading: its name, or its text if there is one only."]
    readings: Annotated[Texts, "The text of each reading that may be elected."]


class ConstraintShown(TypedDict):
    """A condition between rules."""

    id: Word
    kind: Word
    says: str
    cites: ClauseIds


class LawTextShown(Made, LawText):
    """A text, or some of its clauses."""

    format: Literal["croupier-law/1"]
    asked: Annotated[str | None, "The clause or rule asked for; null for the whole text."]
    citation: Annotated[str, "The beginning of its printed citations."]
    source: Annotated[dict[str, str], "Where the text was read, when, and by whom, if known."]
    mechanisms: Annotated[Texts, "Packages that implement rules of it, by name."]
    clauses: list[ClauseOfLaw]
    rules: list[RuleOfLaw]
    constraints: list[ConstraintShown]
    interpretations: list[EntryShown]


class Found(TypedDict):
    """Something found by its words."""

    kind: Annotated[Word, "clause, rule, reading, command, or event."]
    law: Word | None
    id: Word
    says: str
    score: Annotated[Count, "How many of the words it has."]


class LawSearch(Made):
    """What contains the words searched for, best first."""

    format: Literal["croupier-law-search/1"]
    words: list[str]
    unknown: Annotated[list[str], "Words that nothing found has."]
    matches: Annotated[Count, "How many match; the best of them are listed."]
    found: list[Found]


class FoundHelp(TypedDict):
    """Something that ``croupier help`` found."""

    kind: Annotated[Word, "topic, term, command, option, act, rule, clause, reading, or event."]
    id: Word
    says: Annotated[str, "The line that matches."]
    score: Annotated[Count, "How many of the words it has."]
    more: Annotated[Word, "The command that shows it."]


class HelpSearch(Made):
    """What the documents, commands, and laws contain of the words, best first."""

    format: Literal["croupier-help-search/1"]
    words: list[str]
    unknown: Annotated[list[str], "Words that nothing found has."]
    matches: Annotated[Count, "How many match; the best of each kind are listed."]
    found: list[FoundHelp]


class LawOfActs(LawText):
    """The acts of one regulation."""

    acts: list[ActSheet]


class ActSheets(Made):
    """A sheet for each act, by regulation."""

    format: Literal["croupier-act-sheets/1"]
    laws: list[LawOfActs]


# --- coverage and the register -----------------------------------------------------------------

ClauseCoverage = TypedDict(
    "ClauseCoverage",
    {
        "id": Word,
        "class": str | None,
        "disposition": str | None,
        "standing": str | None,
        "by": list[Word],
        "tests": list[Word],
    },
)


class CoverageTotals(TypedDict):
    """How many clauses there are, and how many lack something."""

    number: Count
    by_class: Counts
    by_disposition: Counts
    gaps: Count


class CoveredLaw(OfLaw):
    """What became of the clauses of a text."""

    clauses: list[ClauseCoverage]
    totals: Annotated[CoverageTotals, "Of all its clauses, with --gaps too."]


class LawCoverage(Made):
    """What became of every clause, by what, and the tests that name it."""

    format: Literal["croupier-law-coverage/1"]
    laws: list[CoveredLaw]
    totals: CoverageTotals


class RestingRule(TypedDict):
    """A rule that rests on a reading."""

    id: Word
    cites: ClauseIds


class ReadIntoLaw(OfLaw):
    """A text that a reading is about."""

    clauses: ClauseIds
    rules: list[RestingRule]


class ReadIntoLaws(TypedDict):
    """An entry of the register: what is in doubt, and how it is read."""

    id: Word
    name: Word | None
    title: Word
    problem: Word
    reading: Word
    readings: Annotated[Texts, "The text of each reading that may be elected."]
    standing: StandingWord
    acknowledge: Annotated[bool, "Whether a submission must name the reading."]
    warnings: Texts
    rests: Annotated[list[Word], "The rules that rely on it."]
    laws: list[ReadIntoLaw]


class LawInterpretations(Made):
    """The register of what is read into the texts."""

    format: Literal["croupier-law-interpretations/1"]
    interpretations: list[ReadIntoLaws]


# --- elections ---------------------------------------------------------------------------------


class ChoiceOfLaw(TypedDict):
    """One choice of an election."""

    choice: Annotated[object, "As a submission writes it."]
    cites: Annotated[ClauseIds, "The clauses of this choice; empty if it has none of its own."]


class ElectionOfLaw(RuleOfLaw):
    """A rule that the licensee elects."""

    choices: Annotated[list[ChoiceOfLaw], "All that may be elected; empty if a bound is given."]
    minimum: Annotated[object, "The least that may be elected, if there is such a bound."]
    maximum: object
    or_better: Annotated[bool, "Whether a pay table better on every line may be elected too."]
    default: Annotated[object, "As a submission writes it; null if it must be filled in."]
    may_be_left_out: Annotated[bool, "Whether a submission without it takes the default."]
    only_with: Annotated[str | None, "When it applies, in words; null if always."]
    interpretations: Annotated[list[Word], "The entries of the register that it relies on."]


class ConstraintOfLaw(TypedDict):
    """A relation between elections."""

    id: Word
    kind: Word
    says: Word
    binds: Annotated[Word, "What it ties together, by rule and value."]
    cites: ClauseIds


class LawElections(Made, LawText):
    """All that a regulation leaves to the licensee."""

    format: Literal["croupier-law-elections/1"]
    elections: list[ElectionOfLaw]
    constraints: list[ConstraintOfLaw]
    readings: Annotated[list[ReadIntoLaws], "The interpretations whose reading may be elected."]


# --- in time and side by side ------------------------------------------------------------------

LawSpan = TypedDict(
    "LawSpan",
    {
        "from": Day | None,
        "to": Day | None,
        "law": Annotated[ListedLaw | None, "Null for dates without a version."],
    },
)


class AmendmentOfLaw(TypedDict):
    """What a text says of an amendment."""

    sections: list[Word]
    by: str | None
    note: str | None


class DayOfChange(TypedDict):
    """A day on which a regulation changed."""

    on: Day
    held: Annotated[bool, "Whether the version of that date is included."]
    amendments: list[AmendmentOfLaw]


class LawHistory(Made):
    """When a regulation was changed, and which days of it are held."""

    format: Literal["croupier-law-history/1"]
    law: Word
    spans: list[LawSpan]
    days: list[DayOfChange]


class DifferenceSide(TypedDict):
    """What one of two texts says."""

    says: str
    clauses: ClauseIds
    standing: StandingWord


class LawDifference(TypedDict):
    """A rule or a constraint that differs; a side is null where a text lacks it."""

    id: Word
    title: str
    change: Word
    excerpt: Annotated[bool, "Whether it is missing only because the text is an excerpt."]
    a: DifferenceSide | None
    b: DifferenceSide | None


class LawDifferences(Made):
    """In what two texts differ."""

    format: Literal["croupier-law-diff/1"]
    a: LawText
    b: LawText
    alike: Annotated[Count, "Number of rules on which both texts agree."]
    differences: list[LawDifference]


class RuleCompared(TypedDict):
    """The rule of one text; null where it has none of that name."""

    law: Word
    in_force_from: Day
    says: Annotated[str | None, "Its value or choices, in short."]
    rule: RuleOfLaw | None


class ComparedRules(TypedDict):
    """One rule in several texts."""

    id: Word
    title: str
    group: str
    laws: list[RuleCompared]


class ComparedLaw(LawText):
    """A text that is compared."""

    name: Annotated[Word, "Its name in tables."]


class LawComparison(Made):
    """Several texts side by side."""

    format: Literal["croupier-law-comparison/1"]
    laws: list[ComparedLaw]
    rules: list[ComparedRules]


class FaultOfLaw(TypedDict):
    """A fault of a law file, or of the register in its folder."""

    file: Word
    line: Count
    column: Count
    id: Annotated[Word, "The clause, rule, constraint, reading, or table that it concerns."]
    message: Word
    code: Word
    cause: Annotated[Word | None, "The id whose own fault caused this one."]


class WarningOfLaw(TypedDict):
    """Duties that a law file leaves to one office, and what the program requires anyway."""

    id: Word
    message: Word


class CheckedLawFile(TypedDict):
    """A law file and its faults."""

    file: Word
    law: Annotated[Word | None, "The regulation, as ID@DATE, if the file is accepted."]
    accepted: bool
    faults: list[FaultOfLaw]
    warnings: list[WarningOfLaw]


class LawCheck(Made):
    """Law files, checked as they are read."""

    format: Literal["croupier-law-check/1"]
    files: list[CheckedLawFile]


class ScenarioPlayed(TypedDict):
    """A scenario and its differences from what it expects."""

    id: Word
    title: str
    law: Word
    file: str
    line: int | None
    clauses: list[str]
    result: Annotated[str, "pass, fail, or pending."]
    pending: Annotated[str, "What a pending scenario still lacks."]
    differences: list[str]


class UntestedPartsOfLaw(TypedDict):
    """Clauses of logic and procedure, and elected choices, that no scenario covers."""

    law: Word
    clauses: list[str]
    choices: list[str]


class MutantPlayed(TypedDict):
    """A changed value of a rule; ``noticed_by`` is null if every scenario still passes."""

    law: Word
    rule: Word
    value: str
    changed: str
    noticed_by: str | None


class LawTest(Made):
    """The scenarios of a regulation, played."""

    format: Literal["croupier-law-test/1"]
    passed: Count
    failed: Count
    pending: Count
    scenarios: list[ScenarioPlayed]
    untested: list[UntestedPartsOfLaw]
    mutants: list[MutantPlayed]
