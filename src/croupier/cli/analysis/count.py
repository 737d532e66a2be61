"""``croupier count``: how much a card count beats the house."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from croupier.baccarat.cards import Card, Rank, parse_cards
from croupier.cli.common.arguments import seed_option
from croupier.cli.common.files import (
    check_outputs,
    document_options,
    form_named,
    give,
    input_file,
    output_path,
    put_file,
)
from croupier.cli.common.output import (
    command_line,
    fail,
    fail_with,
    progress_of,
    requiring,
    usual_option,
)
from croupier.cli.records.record_options import encoding_asked, encoding_option
from croupier.cli.submission.rules import TableAsked, own_option, penetration_option, rules_options
from croupier.files.text import read_text
from croupier.odds.counting import (
    MOST_TAG,
    RemovalEffects,
    Tags,
    best_tags,
    betting_efficiency,
    correlation,
    effects_of_removal,
    gains,
    parse_tags,
    small_tags,
    tags_text,
)
from croupier.odds.rounds import Advantage, advantages_of, shoe_procedure
from croupier.odds.sheet import fraction
from croupier.odds.shoe import ShoeComposition
from croupier.reports.counting import count_rounds_tree, count_tree
from croupier.rules import TableRules
from croupier.rules.documents import provenance

if TYPE_CHECKING:  # Imports numba, which is an extra.
    from croupier.odds import documents
    from croupier.odds.study import Study, Threshold

_MAX_SHOE_BYTES: Final = 64 << 10

_RANKS: Final = tuple(rank.value for rank in Rank)


@click.command()
@rules_options
@own_option
@click.option("--wager", required=True, metavar="ID", help="Wager to count.")
@click.option(
    "--tags",
    "tag_text",
    metavar="TAGS",
    help="Tags of the count, such as 4=-1,8=2; other ranks are zero.",
)
@usual_option(
    "--max-tag",
    type=click.IntRange(1, MOST_TAG),
    default=2,
    help="Without --tags: the maximum integer tag.",
)
@penetration_option
@usual_option("--shoes", type=click.IntRange(1), default=1000, help="Number of shoes to play.")
@seed_option("Seed of the shuffles")
@click.option("--threads", type=click.IntRange(1), help="Number of threads (default: all cores).")
@click.option(
    "--plot",
    type=output_path,
    metavar="FILE",
    help="Plot advantage against true count to an SVG file.",
)
@click.option(
    "--cards",
    "cards_path",
    type=input_file,
    help="Print the advantage in each round of this shoe, a file of its cards in order.",
)
@encoding_option
@document_options(takes_force=True)
def count(  # noqa: PLR0913  (each is an option of the command)
    *,
    asked: TableAsked,
    own: tuple[Path, ...],
    wager: str,
    tag_text: str | None,
    max_tag: int,
    cards_behind: int | None,
    shoes: int,
    seed: int,
    threads: int | None,
    plot: Path | None,
    force: bool,
    cards_path: Path | None,
    output_format: str,
) -> None:
    """Measure how often and by how much a card count beats the house.

    The effect of removal (EOR) of each rank is exact. Seeded shoes are then dealt under the rules
    of the table, and the exact advantage at the start of each round gives the expected value of a
    bet. Exit status: 2 for a wager not offered, bad tags, or a table with nothing to count.
    """
    rules, shoe = asked.rules_and_shoe(own)
    if wager not in rules.offers:
        fail(f"{wager}: this table offers {', '.join(rules.offers)}")
    title = rules.offers[wager].wager.title
    if plot is not None and cards_path is not None:
        fail("--plot requires simulated shoes: remove --plot or the given shoe")
    if plot is not None:
        form_named(plot, None, ("svg",))
    check_outputs(plot, force=force)
    # Checked first: refusing bad tags needs no odds.
    tags = None if tag_text is None else parse_tags(tag_text)
    course = shoe_procedure(rules, shoe, cards_behind)
    effects = effects_of_removal(rules, wager, shoe)
    tags = small_tags(effects, max_tag) if tags is None else tags
    if cards_path is not None:
        advantages = advantages_of(
            rules, wager, _cards_in(cards_path), shoe=shoe, cards_behind=cards_behind
        )
        document = _given(rules, effects, tags, advantages)
        give(document, partial(count_rounds_tree, title=title), output_format)
        return
    study = _studied(
        rules, wager, tags, shoe=shoe, cards_behind=course.cards_behind, shoes=shoes, seed=seed,
        threads=threads,
    )  # fmt: skip
    if plot is not None:
        from croupier.odds.plot import study_plot  # noqa: PLC0415  (only where it is asked for)

        plot_title = f"{title}: {tags_text(tags)}"
        put_file(plot, study_plot(study, plot_title).encode(), force=force)
    tree = partial(count_tree, title=title)
    give(_as_data(rules, effects, study), tree, output_format)


def _studied(rules: TableRules, wager: str, tags: Tags, *, shoes: int, **options: Any) -> Study:
    with requiring("playing shoes", "kernels"):
        from croupier.odds.study import study  # noqa: PLC0415  (it imports numba, an extra)
    with progress_of(shoes, "shoes") as progress:
        return study(rules, wager, tags, shoes=shoes, progress=progress, **options)


def _cards_in(path: Path) -> list[Card | None]:
    """``?`` is a card that left the shoe face down."""
    words = read_text(path, _MAX_SHOE_BYTES, encoding_asked()).replace(",", " ").split()
    cards: list[Card | None] = []
    errors = []
    for number, word in enumerate(words, start=1):
        try:
            cards += [None] if word == "?" else parse_cards(word)
        except ValueError as error:
            errors.append(f"card {number}: {error}")
    if errors:
        fail_with(f"{path} has entries that are not cards", errors)
    if not cards:
        fail(f"{path}: the file contains no cards")
    return cards


def _given(
    rules: TableRules, effects: RemovalEffects, tags: Tags, advantages: tuple[Advantage, ...]
) -> documents.CountingRounds:
    counts = [(one, *_counts(effects.shoe, one.start.unseen, tags)) for one in advantages]
    rounds: list[documents.CountedRound] = [
        {
            "round": advantage.start.number,
            "drawn": advantage.start.drawn,
            "unseen": advantage.start.unseen.cards,
            "running_count": running_count,
            "true_count": true_count,
            "advantage": fraction(advantage.advantage),
            "advantage_percent": float(advantage.advantage * 100),
        }
        for advantage, running_count, true_count in counts
    ]
    return {
        "format": "croupier-count-rounds/1",
        **provenance(rules, command_line()),
        **_effects_data(effects, tags),
        "rounds": rounds,
    }


def _counts(shoe: ShoeComposition, remainder: ShoeComposition, tags: Tags) -> tuple[float, float]:
    changes = zip(shoe.ranks, remainder.ranks, tags, strict=True)
    running_count = sum((old_count - now) * tag for old_count, now, tag in changes)
    return float(running_count), float(running_count * 52 / remainder.cards)


def _effects_data(effects: RemovalEffects, tags: Tags) -> documents.Effects:
    best = best_tags(effects) if effects.variance else None
    return {
        "wager": effects.wager,
        "shoe": {"cards": effects.shoe.cards, "by_rank": effects.shoe.by_rank},
        "expectation": fraction(effects.expectation),
        "effects_of_removal": dict(zip(_RANKS, map(fraction, effects.by_rank), strict=True)),
        "best_tags": None if best is None else dict(zip(_RANKS, map(float, best), strict=True)),
        "tags": dict(zip(_RANKS, map(str, tags), strict=True)),
        "correlation_with_effects": correlation(effects, tags),
    }


def _threshold(study: Study, threshold: Threshold) -> documents.ThresholdFigures:
    error = None if threshold.error is None else study.per_100_shoes(threshold.error)
    return {
        "bets_per_100_shoes": study.per_100_shoes(threshold.bets),
        "units_per_100_shoes": study.per_100_shoes(threshold.units),
        "standard_error": error,
        "advantage": threshold.advantage,
    }


def _as_data(rules: TableRules, effects: RemovalEffects, study: Study) -> documents.CountingStudy:
    best_bin = study.best
    return {
        "format": "croupier-count/1",
        **provenance(rules, command_line()),
        **_effects_data(effects, study.tags),
        "credited": "result" if study.perfect is None else "advantage",
        "betting_efficiency": betting_efficiency(
            effects, study.tags, cards_behind=study.cards_behind
        ),
        "gain_per_100_rounds": gains(effects),
        "shoes": study.shoes,
        "seed": study.seed,
        "cards_behind": study.cards_behind,
        "rounds": study.rounds,
        "rounds_per_shoe": study.rounds / study.shoes,
        "correlation": study.correlation,
        "worth_of_true_count": study.worth,
        "best_threshold": None if best_bin is None else float(best_bin.count),
        "efficiency": study.efficiency,
        "perfect": None if study.perfect is None else _threshold(study, study.perfect),
        "thresholds": [
            {"true_count": float(one.count), **_threshold(study, one)} for one in study.thresholds
        ],
        "bins": [
            {"true_count": float(bin_.count), "rounds": bin_.rounds, "advantage": bin_.advantage}
            for bin_ in study.bins
        ],
    }
