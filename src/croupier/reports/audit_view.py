"""An audit as formatted text: every figure as page and document show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from croupier.reports.audit_prose import LIMITATIONS, LOG_METHOD, METHOD
from croupier.reports.charts import FONT
from croupier.reports.figures import Sheet, dollars, grouped, visible
from croupier.reports.roads import draw_roads, roads_alt_text
from croupier.reports.view import Grid, in_words

_Title = Callable[[str], str]

_MOST_NAMES: Final = 60
_LEVEL: Final = 0.01
"""An adjusted p-value below this is pointed out."""

_LEAST_ROUNDS: Final = 100
"""With fewer rounds, documents omit the census; JSON includes it."""


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "round"), counted(1200, "round"), counted(2, "loss", "losses")
    ('1 round', '1,200 rounds', '2 losses')
    """
    return f"{grouped(number)} {one if number == 1 else more or one + 's'}"


def place_of(one: Mapping[str, Any]) -> str:
    """Return the place of a finding.

    >>> place_of({"line": 12, "shoe": 3, "round": None})
    'line 12, shoe 3'
    """
    parts = [f"line {one['line']}"]
    parts += [f"{name} {visible(one[name])}" for name in ("shoe", "round") if one[name] is not None]
    return ", ".join(parts)


def message_of(one: Mapping[str, Any]) -> str:
    """Return the message of a finding, with the kinds of its consequences.

    >>> message_of({"message": "a card too many", "follows": ["third_card", "totals"]})
    'a card too many; also affected: third card, totals'
    """
    follows = ", ".join(visible(kind).replace("_", " ") for kind in one["follows"])
    return visible(one["message"]) + (f"; also affected: {follows}" if follows else "")


def headline_of(audit: Sheet) -> str:
    """Return the verdict in one sentence."""
    rounds, shoes = counted(audit["rounds"], "round"), counted(audit["shoes"], "shoe")
    if audit["clean"]:
        return f"PASS: the record conforms to the rules: {rounds} in {shoes} checked."
    found = sum(one["divergences"] for one in audit["by_kind"])
    return (
        f"FAIL: the record does not conform to the rules: {counted(found, 'divergence')};"
        f" {rounds} in {shoes} checked."
    )


def _file(one: Mapping[str, Any], what: str) -> list[tuple[str, str]]:
    return [
        (what, f"{one['name']}, {counted(one['bytes'], 'byte')}"),
        (f"Hash of {what.lower()}", one["sha256"]),
    ]


def _shown(facts: Sequence[tuple[str, str]]) -> list[list[Any]]:
    return [[name, [visible(value)]] for name, value in facts]


def _tested(audit: Sheet) -> list[list[Any]]:
    """Return what was tested: the files, and what of them was read."""
    columns = audit["columns"]
    facts = _file(audit["rounds_file"], "Record")
    if audit["mapping_file"] is not None:
        facts += _file(audit["mapping_file"], "Mapping")
    facts.append(("Extent", f"{counted(audit['rounds'], 'round')} in {_shoes(audit)}"))
    if audit["wagers"]:
        facts.append(("Wagers", ", ".join(one["title"] for one in audit["wagers"])))
    if columns["read"]:
        facts.append(("Columns read", _names(columns["read"])))
        facts.append(("Columns not read", _names(columns["unread"]) or "none"))
    return _shown(facts)


def _titles(audit: Sheet) -> _Title:
    """Return what gives the title of a wager by its id."""
    known = {one["wager"]: one["title"] for one in audit["wagers"]}
    return lambda name: visible(known.get(name) or name.replace("_", " ").capitalize())


def _listed_title(audit: Sheet) -> str:
    """Return what stands above the divergences: all of them, or the first."""
    left_out, listed = audit["divergences_left_out"], len(audit["divergences"])
    if not left_out:
        return "All divergences"
    return f"The first {grouped(listed)} of {grouped(listed + left_out)} divergences"


def _names(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f", and {more} more" if more > 0 else "")


def _shoes(audit: Sheet) -> str:
    return counted(audit["shoes"], "shoe")


def _required(audit: Sheet) -> list[list[Any]]:
    """Return what it was tested against."""
    facts = [
        ("Regulation", f"{audit['law_title']} ({audit['law']})"),
        ("In force from", f"{audit['in_force_from']}, edition {audit['edition']}"),
        ("Hash of regulation", audit["law_hash"]),
        ("Submission", audit["title"].strip() or "untitled"),
    ]
    if audit["submission_file"] is not None:
        facts += _file(audit["submission_file"], "Submission file")
    for one in audit["custom_wager_files"]:
        facts += _file(one, "Custom wager")
    facts.append(("Hash of rules", audit["rules_hash"]))
    facts.append(("Readings", ", ".join(audit["readings"]) or "none"))
    return _shown(facts)


def _method(audit: Sheet) -> list[list[Any]]:
    """Return by what program it was tested, and how to do it again."""
    return _shown(
        [
            ("Program", f"{audit['program']} {audit['version']}"),
            ("Reproduce with", audit["reproduce"]),
        ]
    )


def _first(audit: Sheet) -> dict[str, Any] | None:
    """Return the first divergence, with its clauses and their paraphrases."""
    if not audit["divergences"]:
        return None
    one = audit["divergences"][0]
    says = {entry["clause"]: entry["says"] for entry in audit["by_clause"]}
    return {
        "place": visible(place_of(one)),
        "kind": visible(one["kind"]).replace("_", " "),
        "message": message_of(one),
        "clauses": [
            [visible(clause), visible(says.get(clause) or "")] for clause in one["clauses"]
        ],
    }


def _scope(audit: Sheet) -> Grid:
    """Return every kind of divergence that was looked for, and how often it was found."""
    return Grid(
        ("Requirement", "A divergence is", "Divergences"),
        tuple(
            (
                visible(one["kind"]).replace("_", " "),
                visible(one["means"]),
                grouped(one["divergences"]),
            )
            for one in audit["scope"]
        ),
        words=(0, 1),
        foot=("all", "", grouped(sum(one["divergences"] for one in audit["by_kind"]))),
    )


def _clauses(audit: Sheet) -> Grid:
    return Grid(
        ("Clause", "Paraphrase", "First at", "Divergences"),
        tuple(
            (
                "none" if one["clause"] is None else visible(one["clause"]),
                visible(one["says"] or ""),
                visible(place_of(one["first"])),
                grouped(one["divergences"]),
            )
            for one in audit["by_clause"]
        ),
        words=(0, 1, 2),
    )


def _divergences(audit: Sheet) -> Grid:
    return Grid(
        ("Line", "Shoe", "Round", "Kind", "Finding", "Clause"),
        tuple(
            (
                str(one["line"]),
                *("" if one[name] is None else visible(one[name]) for name in ("shoe", "round")),
                visible(one["kind"]).replace("_", " "),
                message_of(one),
                visible(one["clause"] or ""),
            )
            for one in audit["divergences"]
        ),
        words=(0, 3, 4, 5),
    )


def _seat(seat: int | None) -> str:
    return "not recorded" if seat is None else str(seat)


def _money(cents: int) -> str:
    return dollars(cents) if cents else ""


_COLUMNS = ("Wagers", "Owed to patrons", "Overpaid", "Net")


def _tally(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        grouped(one["wagers"]),
        _money(one["owed_cents"]),
        _money(one["overpaid_cents"]),
        dollars(one["net_cents"]),
    )


def _seats(differences: Sheet) -> Grid:
    return Grid(
        ("Seat", *_COLUMNS),
        tuple((_seat(one["seat"]), *_tally(one)) for one in differences["by_seat"]),
        foot=("all", *_tally(differences["total"])),
    )


def _parts(differences: Sheet, title: _Title) -> Grid:
    return Grid(
        ("Seat", "Wager", "Clause", *_COLUMNS),
        tuple(
            (
                _seat(seat["seat"]),
                title(one["wager"]),
                visible(one["clause"] or "none"),
                *_tally(one),
            )
            for seat in differences["by_seat"]
            for one in seat["parts"]
        ),
        words=(0, 1, 2),
        foot=("all", "", "", *_tally(differences["total"])),
    )


def _listed(differences: Sheet, title: _Title) -> Grid:
    return Grid(
        ("Line", "Shoe", "Round", "Seat", "Wager", "Expected", "Recorded", "Owed"),
        tuple(
            (
                str(one["line"]),
                *("" if one[name] is None else visible(one[name]) for name in ("shoe", "round")),
                _seat(one["seat"]),
                title(one["wager"]),
                *(
                    dollars(one[name])
                    for name in ("expected_cents", "recorded_cents", "owed_cents")
                ),
            )
            for one in differences["listed"]
        ),
        words=(0, 4),
    )


def _differences(audit: Sheet) -> dict[str, Any] | None:
    """Return the amounts owed; None if no wager is recorded or all are as expected."""
    differences, title = audit["differences"], _titles(audit)
    unsettled = [
        f"{counted(number, 'wager')} on {title(wager)}"
        for wager, number in differences["unsettled"].items()
    ]
    if not differences["total"]["wagers"] and not unsettled:
        return None
    return {
        "seats": _seats(differences).data(),
        "parts": _parts(differences, title).data(),
        "listed": _listed(differences, title).data(),
        "left_out": _left_out(differences["left_out"], "difference"),
        "unsettled": ", ".join(unsettled),
    }


def _left_out(number: int, what: str) -> str:
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    return f"{counted(number, f'more {what}')} {verb} counted and not listed."


def _shoe(one: Mapping[str, Any], number: int, font: str) -> dict[str, Any]:
    name = "not recorded" if one["shoe"] is None else visible(one["shoe"])
    title = f"Shoe {name}"
    parts = [counted(one["rounds"], "round")]
    if one["divergences"]:
        parts.append(counted(one["divergences"], "divergence"))
    if one["rounds_without_result"]:
        parts.append(f"{grouped(one['rounds_without_result'])} without a result")
    if hidden := one["rounds"] - one["rounds_without_result"] - one["rounds_shown"]:
        parts.append(f"the last {grouped(hidden)} not shown")
    found = one["found"]
    if found:
        parts.append(f"marked: round{'s' * (len(found) > 1)} {', '.join(map(str, found))}")
    return {
        "title": title,
        "facts": "; ".join(parts),
        "drawing": draw_roads(f"shoe-{number}", f"{title}: roads", one["roads"], found, font=font),
        "told": roads_alt_text(one["roads"]),
    }


def _shoes_left_out(audit: Sheet) -> str:
    left_out = audit["board"]["left_out"]
    parts = [
        counted(left_out[kind], f"{kind} shoe") for kind in ("diverging", "clean") if left_out[kind]
    ]
    return f"Not shown here: {' and '.join(parts)}." if parts else ""


def _census(census: Mapping[str, Any] | None, title: _Title) -> dict[str, Any] | None:
    """Return the frequency of each result with its exact odds and a warning."""
    if not census or not census["rounds"]:
        return None
    if census["rounds"] < _LEAST_ROUNDS:
        rounds = counted(census["rounds"], "round")
        return {"grids": [], "told": [f"{rounds}: too few to compare with the exact odds."]}
    classes = Grid(
        ("Result", "Expected", "Observed"),
        tuple(
            (visible(one["class"]), f"{one['expected']:,.1f}", grouped(one["found"]))
            for one in census["classes"]
        ),
        foot=("all", "", grouped(census["rounds"])),
    )
    wagers = Grid(
        ("Wager", "Exact return", "Observed", "95% interval", "z", "p", "Adjusted p"),
        tuple(
            (
                title(one["wager"]),
                f"{one['expected']:+.6f}",
                f"{one['found']:+.6f}",
                "" if one["low"] is None else f"{one['low']:+.4f} to {one['high']:+.4f}",
                "" if one["z"] is None else f"{one['z']:+.2f}",
                *(_chance(one[name]) for name in ("p", "adjusted_p")),
            )
            for one in census["wagers"]
        ),
    )
    tests = Grid(("Test", "Statistic", "p", "Adjusted p"), tuple(_tests(census)), words=(0, 1))
    return {
        "grids": [
            [classes.data(), f"Results in {counted(census['rounds'], 'round')}"],
            [tests.data(), "Tests of all rounds"],
            [wagers.data(), "Wagers, 1 unit on every round"],
        ],
        "told": [_outcome(census), visible(census["warning"])],
    }


def _chance(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def _tests(census: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    chi_square, runs = census["chi_square"], census["runs"]
    if chi_square is not None:
        yield (
            "Winner and number of cards (chi-square)",
            (
                f"{chi_square['statistic']:.2f} with {chi_square['degrees_of_freedom']} degrees"
                " of freedom"
            ),
            *(_chance(chi_square[name]) for name in ("p", "adjusted_p")),
        )
    if runs is not None:
        yield (
            "Order of Player and Banker (runs)",
            f"{grouped(runs['runs'])} runs, {runs['expected']:,.1f} expected, z {runs['z']:+.2f}",
            *(_chance(runs[name]) for name in ("p", "adjusted_p")),
        )


def _outcome(census: Mapping[str, Any]) -> str:
    """Return what the tests come to, taken together."""
    tests = [one for one in (census["chi_square"], census["runs"], *census["wagers"]) if one]
    values = [one["adjusted_p"] for one in tests if one["adjusted_p"] is not None]
    if not values:
        return "Too few rounds for a test."
    least = min(values)
    says = "is notable" if least < _LEVEL else "is not unusual"
    return (
        f"{counted(len(values), 'test')}; the smallest p-value adjusted for their number is "
        f"{_chance(least)}, which {says} at the {_LEVEL:.0%} level."
    )


def _notes(audit: Sheet) -> Sequence[str]:
    unverified = [f"{grouped(number)}: {why}" for why, number in audit["unverified"].items()]
    return [visible(note) for note in (*unverified, *audit["hints"])]


def audit_view(audit: Sheet, font: str = FONT, *, drawn: bool = True) -> dict[str, Any]:
    """Return the whole audit as text and drawings, in plain data for a template.

    Roads are drawn only if ``drawn`` is set.
    """
    return {
        "title": f"Test report: {visible(audit['rounds_file']['name'])}",
        "law": visible(audit["law"]),
        "law_title": visible(audit["law_title"]),
        "in_force_from": visible(audit["in_force_from"]),
        "submission": visible(audit["title"]).strip() or "untitled",
        "rules_short": visible(audit["rules_hash"])[:16],
        "rounds_short": visible(audit["rounds_file"]["sha256"])[:16],
        "clean": audit["clean"],
        "headline": headline_of(audit),
        "first": _first(audit),
        "warnings": [visible(warning) for warning in audit["warnings"]],
        "tested": _tested(audit),
        "required": _required(audit),
        "made": _method(audit),
        "method": METHOD if audit["submission_file"] is not None else LOG_METHOD,
        "limitations": [*_notes(audit), *LIMITATIONS],
        "kinds": _scope(audit).data(),
        "clauses": _clauses(audit).data(),
        "divergences": _divergences(audit).data(),
        "divergences_title": _listed_title(audit),
        "divergences_left_out": _left_out(audit["divergences_left_out"], "divergence"),
        "census": _census(audit["census"], _titles(audit)),
        "differences": _differences(audit),
        "shoes": [
            _shoe(one, number, font)
            for number, one in enumerate(audit["board"]["shown"], 1)
            if drawn
        ],
        "shoes_left_out": _shoes_left_out(audit),
        "readings": in_words(("Reading", "Says"), audit["reading_texts"]),
    }
