"""One round: its explanation, and its report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from croupier.acts.roles import Role
from croupier.law.usage import counted, money
from croupier.reports.audit import message_of
from croupier.reports.document import CLAUSES, WAGER, Data, document, fact, filled
from croupier.reports.felt.drawing import TURN, TURN_CSS, draw_felt, felt_alt_text, print_felt
from croupier.reports.felt.plan import Lying
from croupier.reports.tree import (
    Bullets,
    Conclusion,
    DataTable,
    FactItem,
    FactList,
    Figure,
    Medium,
    Node,
    Note,
    Picture,
    Section,
    SignatureLines,
    Tree,
    Value,
    row,
)
from croupier.reports.verification import chain_in_words, chain_warnings
from croupier.reports.words import person_words

OUTCOMES: Final = {"win": "won", "lose": "lost", "push": "push", "void": "void", None: "?"}
"""Outcomes of a wager in words; the result may be unknown."""

_FELT_STYLE: Final = (
    f"{TURN_CSS}\n.felt {{ display: block; width: 100%; min-width: 44rem; height: auto; }}\n"
    "@media print { .felt { min-width: 0; } }"
)
_UNCHECKED: Final = "The chain of this record was not checked."
_SEAT: Final = Figure("seat", "Seat", "word")
_STAKE: Final = Figure("stake_cents", "Stake", "cents")
_RESULT: Final = Figure("outcome", "Result", "word")
_OWED: Final = Figure("owed_cents", "Owed", "cents")
_VIGORISH: Final = Figure("vigorish_cents", "Vigorish", "cents")
_NET: Final = Figure("net_cents", "Net", "cents")
_WON: Final = Figure("won_cents", "Won", "cents")
_CORRECTED: Final = Figure("corrected_cents", "Corrected", "cents")
_STAKED: Final = Figure("staked_cents", "Staked", "cents")
_PAID: Final = Figure("paid_cents", "Paid", "cents")
_DIFFERENCE: Final = (
    Figure("expected_cents", "Expected", "cents"),
    Figure("recorded_cents", "Recorded", "cents"),
    _OWED,
)
_WHY: Final = Figure("why", "Why")
_HAPPENED: Final = Figure("happened", "What happened")


def round_tree(report: Data) -> Tree:
    if report["format"].startswith("croupier-external"):
        return _external(report)
    felt, layout = report["layout"], report["layout"]["layout"]
    seat = "" if report["seat"] is None else f", seat {report['seat']}"
    wrong = [wager for wager in report["wagers"] if wager["owed_cents"] != wager["paid_cents"]]
    chain = report["record"]
    broken = chain_warnings(chain) if chain else []
    lying = Lying(
        {(stake["seat"], stake["wager"]): stake["cents"] for stake in felt["stakes"]},
        {int(number): cents for number, cents in felt["markers"].items()},
        {int(number): name for number, name in felt["names"].items()},
        totals=felt["totals"],
        won=frozenset((number, wager) for number, wager in felt["won"]),
        **felt["hands"],
    )
    caption = f"The layout after entry {felt['entry']}, {_time(felt['at'])} UTC"
    place = (
        f"{layout['title'] or layout['law_title']}: pit {layout['pit']}, table {layout['table']}"
    )
    facts = [
        fact("Log", report["log"]),
        fact("From, UTC", _time(report["began"])),
        fact("To, UTC", _time(report["ended"])),
        *_duty(report),
    ]
    amounts = (_OWED, _PAID, _VIGORISH, _NET)
    whose = "every wager" if report["seat"] is None else f"every wager of seat {report['seat']}"
    return _tree(
        report,
        (f"Round {report['round']}{seat}", place),
        f"Was {whose} in round {report['round']} paid what it was owed?",
        Conclusion(
            _result(report["result"], felt["totals"]),
            not (wrong or broken or report["corrected"] or report["misread"]),
            [
                _paid(wrong, corrected=report["corrected"] or report["misread"]),
                *["A card was found misread after the settlement."] * report["misread"],
                *["The round was settled again afterward."] * report["corrected"],
                chain_in_words(chain) if chain else _UNCHECKED,
            ],
            broken,
        ),
        [Section("Differences", [_wagers(wrong, amounts)])] if wrong else [],
        [
            _picture(layout, lying, caption),
            Section("Net by seat", [_seats(report)]),
            *_later(report),
            Section("Steps", [_steps(report["steps"], "Every entry of the round")], together=False),
            Section("Wagers", [_wagers(report["wagers"], amounts)], together=False),
        ],
        facts,
    )


def _result(result: str, counts: Mapping[str, int]) -> str:
    counted = [f"{hand.capitalize()} {count}" for hand, count in counts.items()]
    sentence = result[:1].upper() + result[1:] or "Round settled"
    is_said = all(count in sentence for count in counted)
    return sentence if is_said else f"{sentence}: {', '.join(counted)}"


def _tree(  # noqa: PLR0913, PLR0917  (the parts of either report)
    report: Data,
    title: tuple[str, str],
    question: str,
    verdict: Conclusion,
    differences: list[Section],
    parts: list[Node],
    facts: list[FactItem],
) -> Tree:
    law = f"{report['law_title']} ({report['law']})"
    facts = [
        *facts,
        fact("Regulation", f"{law}, from {report['in_force_from']}"),
        fact("Rules SHA-256", report["rules_hash"]),
        fact("Law SHA-256", report["law_hash"]),
        fact("Program", f"{report['program']} {report['version']}"),
        fact("Reproduce with", report["reproduce"]),
    ]
    return Tree(
        title[0],
        f"{title[1]}. {law}, in force from {report['in_force_from']}",
        [
            Note(question),
            verdict,
            *(Note(warning, "warning") for warning in report["warnings"]),
            *differences,
            *map(filled, parts),
            Section("Provenance", [FactList(facts)]),
            Section("Signatures", [SignatureLines(("Prepared by", "Reviewed by"))]),
        ],
        {name: str(report[name]) for name in ("law", "in_force_from", "rules_hash")},
        report["rules_hash"],
    )


def explained_tree(data: Data, prefix: str, cited: Callable[[str], str]) -> Tree:
    """``cited`` shows a clause without ``prefix`` and with its standing."""
    is_external = "line" in data
    story = _sentences(data["narration"], cited)
    wagers = [Section("Settlement of each wager", [_sentences(data["wagers"], cited)])]
    of_law = Note(f"Clauses are those of {prefix}.")
    if is_external:
        shoe = "" if data["shoe"] is None else f" of shoe {data['shoe']}"
        place = f"{shoe}, line {data['line']}"
        nodes = [story, _found(data, cited), *(wagers if data["wagers"] else []), of_law]
    else:
        place = ""
        rows = [(str(seat["seat"]), seat["net_cents"]) for seat in data["seats"]]
        nets = Section("Net by seat", [DataTable((_SEAT, _NET), rows)])
        facts = FactList([fact("Time, UTC", _span(data)), *_duty(data)])
        chain = Note(chain_in_words(data["record"]))
        nodes = [facts, story, *wagers, *_later(data), nets, of_law, chain]
    return document(f"Round {data['round']}{place}", data, *nodes)


def _found(data: Data, cited: Callable[[str], str]) -> Node:
    if not data["divergences"]:
        return Note("This round conforms to the rules.")
    found = [
        {**one, "text": f"{one['kind'].replace('_', ' ')}: {message_of(one)}", "details": []}
        for one in data["divergences"]
    ]
    return Section("Divergences", [_sentences(found, cited)])


def _sentences(lines: Sequence[Data], cited: Callable[[str], str]) -> Bullets:
    return Bullets(
        [
            "\n".join(
                [
                    f"{line['text']} [{', '.join(map(cited, line['clauses']))}]"
                    if line["clauses"]
                    else line["text"],
                    *line["details"],
                ]
            )
            for line in lines
        ]
    )


def _picture(layout: Any, lying: Lying, caption: str) -> Picture:
    draw = partial(_drawn, layout, lying)
    return Picture(draw, felt_alt_text(layout, lying), caption, _FELT_STYLE)


def _drawn(layout: Any, lying: Lying, font: str, medium: Medium) -> list[str]:
    # Shown as surveillance and the floor, who answer disputes, see the table live.
    side = Role.SURVEILLANCE.side
    if medium == "paper":
        return print_felt("felt", layout, lying, side=side, font=font)
    return [TURN + draw_felt("felt", layout, lying, side=side, font=font, turns=True)]


def _paid(wagers: list[Data], *, corrected: bool) -> str:
    if not wagers:
        if corrected:
            return "By what was recorded first, every wager was paid what it was owed."
        return "The record paid every wager what it was owed."
    differences = (
        f"seat {wager['seat']}, {wager['title']}: owed {money(wager['owed_cents'])}, paid"
        f" {money(wager['paid_cents'])}"
        for wager in wagers
    )
    return f"The record paid other amounts than were owed: {'; '.join(differences)}."


def _time(at: str) -> str:
    return at.replace("T", " ").removesuffix("Z")


def _wagers(wagers: Sequence[Data], amounts: Sequence[Figure]) -> DataTable:
    rows = [
        (
            _place(wager["seat"]),
            wager["title"],
            wager["stake_cents"],
            OUTCOMES[wager["outcome"]],
            *(_amount(wager[amount.id]) for amount in amounts),
            wager["why"],
            wager["clauses"],
        )
        for wager in wagers
    ]
    columns = (_SEAT, WAGER, _STAKE, _RESULT, *amounts, _WHY, CLAUSES)
    return DataTable(columns, rows, "What each wager was owed, and why", "Wagers")


def _seats(report: Data) -> DataTable:
    corrected = [_CORRECTED] * report["corrected"]
    amounts = (_STAKED, _WON, _VIGORISH, *corrected, _NET)
    totals = [sum(one[amount.id] for one in report["seats"]) for amount in amounts]
    columns = (_SEAT, Figure("patron", "Patron"), *amounts)
    rows = [row(columns, one, seat=str(one["seat"])) for one in report["seats"]]
    foot = ("all", "", *totals) if len(rows) > 1 else ()
    return DataTable(columns, rows, "What the round brings each seat", "Net by seat", foot)


def _steps(steps: Sequence[Data], title: str) -> DataTable:
    rows = [
        (
            str(step["entry"]),
            _time(step["at"]).partition(" ")[2],
            ", ".join(map(person_words, step["by"])),
            "\n".join(step["lines"]),
            step["clauses"],
        )
        for step in steps
    ]
    columns = (
        Figure("entry", "Entry", "word"),
        Figure("at", "Time, UTC", "word"),
        Figure("by", "By"),
        _HAPPENED,
        CLAUSES,
    )
    return DataTable(columns, rows, title, "Steps")


def _later(data: Data) -> list[Node]:
    title = "Disputes and corrections after the round"
    return [Section("Afterward", [_steps(data["later"], title)])] if data["later"] else []


def _span(data: Data) -> str:
    day = f", gaming day {data['gaming_date']}" if data["gaming_date"] else ""
    return f"{_time(data['began'])} to {_time(data['ended'])}{day}"


def _duty(data: Data) -> list[FactItem]:
    return (
        [fact("On duty", ", ".join(map(person_words, data["on_duty"])))] if data["on_duty"] else []
    )


# --- an external round ---------------------------------------------------------------------------


def _external(report: Data) -> Tree:
    felt, layout = report["layout"], report["layout"]["layout"]
    lying = Lying(
        {(one["seat"], one["wager"]): one["cents"] for one in felt["stakes"]},
        totals=felt["totals"],
        won=frozenset(
            (one["seat"], one["wager"]) for one in report["wagers"] if one["outcome"] == "win"
        ),
        **felt["hands"],
    )
    shoe = "" if report["shoe"] is None else f" of shoe {report['shoe']}"
    seat = "" if report["seat"] is None else f", seat {report['seat']}"
    place = f"{report['file']}, line {report['line']}"
    sentence = report["result"] or "The record does not tell the result"
    return _tree(
        report,
        (f"Round {report['round']}{shoe}{seat}", place),
        f"Does round {report['round']} conform to the rules?",
        Conclusion(sentence, not report["divergences"], [*_conforms(report)]),
        _divergences(report),
        [
            _picture(
                layout,
                lying,
                "The layout as recorded; wagers without a seat are in the table alone",
            ),
            Section("Net by seat", [_external_seats(report)]),
            Section("Steps", [_narration(report)], together=False),
            Section("Wagers", [_wagers(report["wagers"], _DIFFERENCE)], together=False),
        ],
        [fact("Record", place)],
    )


def _conforms(report: Data) -> Iterator[str]:
    if not report["divergences"]:
        yield "This round conforms to the rules."
        return
    owing = []
    for wager in report["wagers"]:
        if difference := wager["owed_cents"]:
            seat = "" if wager["seat"] is None else f"Seat {wager['seat']}, "
            verb = "owed" if difference > 0 else "paid too much"
            owing.append(f"{seat}{wager['title']}: {money(abs(difference))} {verb}")
    amounts = f" {'; '.join(owing)}." if owing else ""
    count = len(report["divergences"])
    yield f"{counted(count, 'divergence')} from the rules.{amounts}"


def _amount(cents: int | None) -> Value:
    return "not recorded" if cents is None else cents


def _place(seat: int | None) -> str:
    return "none" if seat is None else str(seat)


def _divergences(report: Data) -> list[Section]:
    rows = [
        (divergence["kind"].replace("_", " "), divergence["message"], divergence["clauses"])
        for divergence in report["divergences"]
    ]
    if not rows:
        return []
    columns = (Figure("kind", "Kind"), Figure("message", "What was found"), CLAUSES)
    table = DataTable(columns, rows, "What does not conform to the rules", "Divergences")
    return [Section("Divergences", [table])]


def _external_seats(report: Data) -> DataTable:
    rows = [
        (
            _place(seat["seat"]),
            seat["staked_cents"],
            *(_amount(seat[amount.id]) for amount in _DIFFERENCE),
        )
        for seat in report["seats"]
    ]
    columns = (_SEAT, _STAKED, *_DIFFERENCE)
    return DataTable(columns, rows, "What the round brings each seat", "Net by seat")


def _narration(report: Data) -> DataTable:
    rows = [
        ("\n".join([one["text"], *one["details"]]), one["clauses"]) for one in report["narration"]
    ]
    title = "The cards as recorded, and what was due"
    return DataTable((_HAPPENED, CLAUSES), rows, title, "Steps")
