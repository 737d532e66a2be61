"""``croupier odds``: the exact odds of every wager in mid-round."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click
from msgspec.structs import replace

from croupier.baccarat.cards import Card, Rank
from croupier.baccarat.coup import any_suit
from croupier.cli.common.files import document_options, give, record_file
from croupier.cli.common.output import command_line, fail
from croupier.cli.submission.rules import TableAsked, own_option, rules_options, with_own
from croupier.law.usage import counted
from croupier.odds.chances import CONDITIONS, chances, chances_data, conditions, conditions_data
from croupier.odds.knowledge import Knowledge, parse_seen
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition, ShoeError
from croupier.reports.comparisons import odds_table_tree, odds_tree
from croupier.rules import TableRules


@click.command()
@rules_options
@own_option
@click.option(
    "--player",
    default="",
    metavar="CARDS",
    help="What is known of Player's Hand, such as 9h,2c or 9,?.",
)
@click.option(
    "--banker",
    default="",
    metavar="CARDS",
    help="What is known of Banker's Hand, such as Kd,4s or ?,?.",
)
@click.option(
    "--gone",
    default="",
    metavar="CARDS",
    help="Cards or ranks seen to leave the shoe before the round: burned, played, or discarded.",
)
@click.option(
    "--unseen",
    type=click.IntRange(0),
    default=0,
    help="Number of cards that left the shoe before the round face down.",
)
@click.option("--log", type=record_file, help="Take rules, shoe, and cards from this table log.")
@click.option("--at", type=click.IntRange(1), help="Entry of the log; the last one by default.")
@click.option(
    "--by",
    type=click.Choice(list(CONDITIONS)),
    help="Table by something unknown, such as Player's two-card total.",
)
@document_options()
def odds(  # noqa: PLR0913  (each is an option of the command)
    *,
    asked: TableAsked,
    own: tuple[Path, ...],
    player: str,
    banker: str,
    gone: str,
    unseen: int,
    log: Path | None,
    at: int | None,
    by: str | None,
    output_format: str,
) -> None:
    """Calculate the exact odds of every wager by what is known of a round.

    The shoe is given as it was before the round, and the cards of the hands are removed from it.
    Write a card as 9h, as a rank if its suit is not known, as 0 for a ten, jack, queen, or king,
    and as ? if it lies face down; cards not listed are not known. A third card that is listed was
    dealt by the drawing rules. With --log, what was face up at an entry is known.
    """
    if log is not None:
        table_options = asked.submission, asked.law_id, asked.decks, asked.shoe_text
        if table_options != (None,) * 4 or (player, banker, gone, unseen) != ("", "", "", 0):
            fail("--log: the log has the rules, the shoe, and the cards; give only --at and --by")
        rules, shoe, knowledge, unseen = _of_log(log, at)
    else:
        if at is not None:
            fail("--at is an entry of a log: add --log LOG")
        # The decks are those of the shoe alone.
        rules = replace(asked, decks=None).rules()
        shoe, knowledge = _shoe_and_knowledge(asked.shoe(rules), player, banker, gone)
        if shoe.cards - unseen < LEAST_CARDS:
            fail(f"--unseen {unseen}: fewer than {LEAST_CARDS} of {shoe.cards} cards are left")
    rules = with_own(rules, own)
    titles = {name: wager.title for name, wager in rules.wagers.items()}
    if by is not None:
        results = conditions(rules, shoe, knowledge, by)
        table = conditions_data(rules, shoe, knowledge, by, results, command_line(), unseen=unseen)
        give(table, partial(odds_table_tree, titles=titles), output_format)
        return
    sheets = chances(rules, shoe, knowledge)
    data = chances_data(rules, shoe, knowledge, sheets, command_line(), unseen=unseen)
    give(data, partial(odds_tree, titles=titles), output_format)


def _shoe_and_knowledge(
    shoe: ShoeComposition, player: str, banker: str, cards_text: str
) -> tuple[ShoeComposition, Knowledge]:
    for option, text in (("--player", player), ("--banker", banker)):
        try:
            Knowledge.of(text)
        except ValueError as error:
            fail(f"{option}: {error}")
    knowledge = Knowledge.of(player, banker)
    try:
        gone_cards = parse_seen(cards_text)
        cards = [any_suit(card) for card in gone_cards if isinstance(card, (Card, Rank))]
        if len(cards) < len(gone_cards):
            fail("--gone: write each card as 9h, or as its rank; --unseen counts unseen cards")
        if any(isinstance(card, Rank) for card in gone_cards):
            # The suits that are left are not known.
            shoe = ShoeComposition(shoe.ranks)
        return shoe.without(cards), knowledge
    except ValueError as error:
        fail(f"--gone: {error}")


def _of_log(path: Path, at: int | None) -> tuple[TableRules, ShoeComposition, Knowledge, int]:
    from croupier.cli.records.logs import unbroken_log  # noqa: PLC0415  (few ask a log)
    from croupier.odds.knowledge import known_at  # noqa: PLC0415

    log = unbroken_log(path)
    position = log.header.opening
    try:
        for _, step in log.steps():
            position = step.after
            if position.sequence == at:
                break
        if at is not None and position.sequence < at:
            fail(f"--at {at}: the log has {counted(position.sequence, 'entry', 'entries')}")
        return position.rules, *known_at(position.state, position.rules)
    except ShoeError as error:
        fail(f"no round can be dealt at this entry: {error}")
