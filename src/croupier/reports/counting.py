"""The reports of card counts, and of the pay tables of a custom wager."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from croupier.law.usage import counted
from croupier.reports.document import (
    DEVIATION,
    HIT_FREQUENCY,
    HOUSE_EDGE,
    RTP,
    Data,
    document,
    fact,
    plain,
    shoe_of,
    table_section,
)
from croupier.reports.figures import rank_and_suit
from croupier.reports.tree import (
    Conclusion,
    DataTable,
    Drawn,
    FactItem,
    FactList,
    Figure,
    Note,
    Section,
    Tree,
    row,
)

_MOST_BINS: Final = 31
"""Number of true counts shown, the most frequent ones."""

_SURE: Final = 3
"""Standard errors above zero required: the best of many thresholds can exceed zero by chance."""

_EFFECT: Final = (
    "How much the expected value of a unit changes if one card of the rank leaves the shoe, and "
    "the tags of the count."
)
ADVANTAGE: Final = Figure("advantage", "Advantage", "percent", signed=True)
EXPECTED: Final = Figure("expectation", "Expected value per unit", "number", 6, signed=True)
_CORRELATION: Final = Figure("correlation", "Correlation of true count and advantage", "number")


def count_tree(data: Data, title: str = "") -> Tree:
    often = sorted(data["bins"], key=lambda bin_: -bin_["rounds"])[:_MOST_BINS]
    common = sorted(often, key=lambda bin_: bin_["true_count"])
    per_shoe = Figure("rounds_per_shoe", "Rounds per shoe", "number", 2)
    facts = [
        _tags(data),
        fact("Shoe", shoe_of(data)),
        FactItem(Figure("shoes", "Shoes played", "count"), data["shoes"], f"seed {data['seed']}"),
        FactItem(Figure("rounds_played", "Rounds played", "count"), data["rounds"]),
        FactItem(per_shoe, data["rounds_per_shoe"]),
        FactItem(Figure("cards_behind", "Cards behind", "count"), data["cards_behind"]),
        *_measures(data),
    ]
    return document(
        f"Card counting: {title or data['wager'].replace('_', ' ')}",
        data,
        _verdict(data),
        FactList(facts),
        _effects(data),
        _bins(data, common),
        _thresholds(data, common),
    )


def count_rounds_tree(data: Data, title: str = "") -> Tree:
    columns = (
        Figure("round", "Round", "count"),
        Figure("drawn", "Drawn", "count"),
        Figure("unseen", "Unseen", "count"),
        Figure("running_count", "Running count", "number", None),
        Figure("true_count", "True count", "number", 2, signed=True),
        Figure("advantage", "EV per unit", "number", 6, signed=True),
    )
    rows = [row(columns, round_) for round_ in data["rounds"]]
    good = sum(Fraction(round_["advantage"]) > 0 for round_ in data["rounds"])
    return document(
        f"Card counting: {title or data['wager'].replace('_', ' ')}",
        data,
        Note(f"The bettor has the advantage in {good} of {counted(len(rows), 'round')}."),
        FactList([_tags(data), fact("Shoe", shoe_of(data))]),
        _effects(data),
        *table_section("Rounds", columns, rows),
    )


def _tags(data: Data) -> FactItem:
    tags = ((rank, tag) for rank, tag in data["tags"].items() if Fraction(tag))
    return fact("Tags", ",".join(f"{rank}={tag}" for rank, tag in tags))


def _measures(data: Data) -> list[FactItem]:
    captions = (
        (
            Figure("betting_correlation", "Betting correlation", "number"),
            "correlation_with_effects",
        ),
        (Figure("betting_efficiency", "Betting efficiency", "number"), "betting_efficiency"),
        (_CORRELATION, "correlation"),
        (Figure("worth", "Value of one true count", "percent", signed=True), "worth_of_true_count"),
        (Figure("best_threshold", "Best threshold", "number", None), "best_threshold"),
        (Figure("efficiency", "Share of perfect play won", "percent", 1), "efficiency"),
    )
    return [FactItem(figure, data[key]) for figure, key in captions if data[key] is not None]


def _verdict(data: Data) -> Conclusion:
    best = data["best_threshold"]
    at_best = next((one for one in data["thresholds"] if one["true_count"] == best), None)
    details = []
    if data["perfect"] is None:
        details.append(
            "Bets are credited with their results, not with their advantage, which would take a "
            "census of cards in every round."
        )
    elif data["perfect"]["units_per_100_shoes"] <= 0:
        details.append("Perfect play does not either: the bettor never had the advantage.")
    if at_best is None:
        return Conclusion("No threshold of this count beats the house.", passes=False, more=details)
    error = at_best["standard_error"]
    if error is None or at_best["units_per_100_shoes"] < _SURE * error:
        sentence = (
            "No threshold of this count beats the house by a statistically significant amount: "
            "play more shoes."
        )
        return Conclusion(sentence, passes=False, more=details)
    share = data["efficiency"]
    wins = "." if share is None else f" and wins {share:.1%} of what perfect play wins."
    sentence = f"Betting at a true count of {best:g} or more beats the house{wins}"
    return Conclusion(sentence, passes=True, more=details)


def _effects(data: Data) -> Section:
    columns = (
        Figure("rank", "Rank", "word"),
        Figure("effect", "Effect of removal", "percent", 6, signed=True),
        Figure("best_tag", "Best tag", "number", signed=True),
        Figure("tag", "Tag", "number", None),
    )
    best, tags = data["best_tags"], data["tags"]
    rows = [
        (rank_and_suit(rank)[0], Fraction(effect), best and best[rank], Fraction(tags[rank]))
        for rank, effect in data["effects_of_removal"].items()
    ]
    notes = [_EFFECT]
    if "gain_per_100_rounds" in data:
        gains = (
            f"{won:.3f} with {part} dealt" for part, won in data["gain_per_100_rounds"].items()
        )
        notes.append(
            f"A perfect linear count gains, per 100 rounds: {', '.join(gains)}, by linear theory."
        )
    if total := sum(map(Fraction, tags.values())):
        notes.append(f"The tags are unbalanced: those of one deck add up to {float(4 * total):g}.")
    return Section(
        "Effects of removal",
        [
            Note(" ".join(notes), "meaning"),
            FactList([FactItem(EXPECTED, Fraction(data["expectation"]), "from the full shoe")]),
            DataTable(columns, rows, page="Effects of removal", drawn=[Drawn(["effect"])]),
        ],
    )


def _bins(data: Data, common: Sequence[Data]) -> Section:
    columns = (
        Figure("true_count", "True count", "word"),
        ADVANTAGE,
        Figure("share_of_rounds", "Share of rounds", "percent"),
        Figure("rounds", "Rounds", "count"),
    )
    rows = [
        row(columns, bin_, true_count=f"{bin_['true_count']:g}",
            share_of_rounds=Fraction(bin_["rounds"], data["rounds"]))
        for bin_ in common
    ]  # fmt: skip
    sentence = (
        "The bettor's mean advantage in rounds that begin at each true count, for those that come "
        "most often."
    )
    table = DataTable(columns, rows, page="Advantage by true count", drawn=[Drawn(["advantage"])])
    return Section("Advantage by true count", [Note(sentence, "meaning"), table])


def _thresholds(data: Data, common: Sequence[Data]) -> Section:
    columns = (
        Figure("bet_from", "Bet from", "word"),
        Figure("bets_per_100_shoes", "Bets per 100 shoes", "number", 1),
        Figure("units_per_100_shoes", "Units won", "number", 2, signed=True),
        Figure("standard_error", "Standard error", "number", 2),
        Figure("advantage", "EV per bet", "percent", 3, signed=True),
    )
    counts = {bin_["true_count"] for bin_ in common} | {data["best_threshold"]}
    best = data["best_threshold"]
    named = [
        (f"{one['true_count']:g}{' (best)' if one['true_count'] == best else ''}", one)
        for one in data["thresholds"]
        if one["true_count"] in counts
    ]
    if data["perfect"]:
        named.append(("perfect play", data["perfect"]))
    rows = [row(columns, one, bet_from=name) for name, one in named]
    sentence = "What one unit brings that is bet in every round from a true count on, in 100 shoes."
    table = DataTable(columns, rows, page="Thresholds", drawn=[Drawn(["units_per_100_shoes"])])
    return Section("Betting from a true count on", [Note(sentence, "meaning"), table])


# --- pay tables of a custom wager -----------------------------------------------------------------


_NONE: Final = (
    "No pay table is within the bounds. Widen --edge, or vary what a line pays with --pays "
    "LINE=LOW..HIGH."
)


def design_tree(data: Mapping[str, Any]) -> Tree:
    hits = FactItem(plain(HIT_FREQUENCY), Fraction(data["hit_frequency"]))
    outcomes = DataTable(
        (Figure("line", "Line"), Figure("probability", "Probability", "percent")),
        [(line.replace("_", " "), Fraction(chance)) for line, chance in data["chances"].items()],
        page="Outcomes",
        drawn=[Drawn(["probability"])],
    )
    return document(
        f"Design: {data['wager_title']}",
        data,
        *([] if data["candidates"] else [Conclusion(_NONE, passes=False)]),
        FactList([fact("Shoe", shoe_of(data)), hits]),
        *(_candidates(data) if data["candidates"] else []),
        Section("Outcomes", [outcomes]),
    )


def _candidates(data: Mapping[str, Any]) -> list[Section]:
    found = data["candidates"]
    lines, decks, shoes = (
        list(found[0][key]) for key in ("pays", "edge_by_decks", "gain_per_100_rounds")
    )
    names = [", ".join(f"{one['pays'][line]}" for line in lines) for one in found]
    order = ", ".join(line.replace("_", " ") for line in lines)
    pays = Figure("pays", "Pays", "word")
    edges = DataTable(
        (
            pays, plain(HOUSE_EDGE), plain(RTP), plain(HIT_FREQUENCY),
            Figure("top_award", "Top award", "count"), plain(DEVIATION),
            *(Figure(f"edge_{deck}_decks", f"Edge, {deck} decks", "percent") for deck in decks),
        ),
        [
            (
                name,
                Fraction(one["house_edge"]),
                Fraction(one["return_to_player"]),
                Fraction(one["hit_frequency"]),
                one["top_award"],
                sqrt(Fraction(one["variance"])),
                *(Fraction(one["edge_by_decks"][number]) for number in decks),
            )
            for name, one in zip(names, found, strict=True)
        ],
        page="Pay tables",
        drawn=[Drawn(["house_edge"])],
    )  # fmt: skip
    table = DataTable(
        (
            pays,
            *(Figure(f"gain_{one}", f"Gain, {one} dealt", "number") for one in shoes),
            Figure("correlation", "Correlation", "number"),
            Figure("tags", "Tags"),
        ),
        [
            (
                name,
                *(one["gain_per_100_rounds"][share] for share in shoes),
                one["correlation"],
                one["tags"] or "none",
            )
            for name, one in zip(names, found, strict=True)
        ],
        page="Vulnerability to counting",
        drawn=[Drawn([f"gain_{shoes[-1]}"])],
    )
    limits = (
        f"The {counted(len(found), 'pay table')} nearest the middle, of {data['within_bounds']:,} "
        f"within the bounds. Pays: what {order} pay to one; a line that pays 0 loses."
    )
    if any(Fraction(one["house_edge"]) < 0 for one in found):
        limits += " Where the house edge is below zero, the bettor has an advantage."
    linear = (
        "The best small tags, their correlation with the effects of removal, and the units won per "
        "100 rounds by how much of the shoe is dealt: an estimate by linear theory."
    )
    return [
        Section("Pay tables", [Note(limits, "meaning"), edges]),
        Section("Vulnerability to counting", [Note(linear, "meaning"), table]),
    ]
