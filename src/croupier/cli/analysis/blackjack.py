"""``croupier blackjack``: streak and bonus wagers on a reference game or on given results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, cast

import click
from click.core import ParameterSource
from msgspec.structs import asdict
from rich.text import Text

from croupier.blackjack.acts import BonusLayoutCleared, WagerEvent
from croupier.blackjack.bonus import schedule_errors
from croupier.blackjack.reference import DealtBlackjackRound
from croupier.blackjack.results import ResultsError, RoundPlay, read_results
from croupier.blackjack.session import DECKS, BlackjackTable, Pilot, PlayedRound, narrate
from croupier.cli.common.arguments import MOST_ROUNDS, seed_option, whole_or_fail
from croupier.cli.common.files import document_options, input_file
from croupier.cli.common.output import (
    blank,
    command_line,
    console,
    fail,
    fail_with,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
    requiring,
    usual_option,
)
from croupier.cli.records.record_options import encoding_asked, encoding_option
from croupier.cli.submission.rules import print_warnings, rules_of
from croupier.cli.tables.transcript import print_disclaimer, print_lines
from croupier.files.pipes import shown_name
from croupier.files.text import read_text
from croupier.law.usage import money
from croupier.law.values import Odds
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.table.cards.chance import Chance

if TYPE_CHECKING:
    from croupier.cli.common import documents

_ROUNDS = 20
_SIMULATED = 10_000_000
_MOST_SHOWN = 1_000_000
"""Upper limit on rounds shown one by one; all are kept in memory."""
_TYPES: Final[Mapping[type[WagerEvent], str]] = {BonusLayoutCleared: "LayoutCleared"}
"""Types of events that the format has called by another name since its first version."""


class _Round(NamedTuple):
    played: PlayedRound
    dealt: DealtBlackjackRound | None = None


def _rounds(text: str) -> int:
    return whole_or_fail("--rounds", text, 1, MOST_ROUNDS)


@click.command()
@click.option("--submission", type=input_file, required=True, help="Rules submission of the table.")
@click.option(
    "--rounds",
    type=_rounds,
    metavar="N",
    help=f"Number of rounds, such as 1e9: {_ROUNDS} by default, with --simulate {_SIMULATED:,}.",
)
@seed_option("Reproduce the same cards and choices (default: cryptographically random)", None)
@usual_option("--patrons", type=click.IntRange(1), default=1, help="Number of patrons.")
@click.option(
    "--results",
    type=input_file,
    help="Read rounds from a JSON Lines file instead of the reference game.",
)
@click.option("--simulate", is_flag=True, help="Simulate many rounds and print totals only.")
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    help="Number of threads for --simulate (default: all cores).",
)
@encoding_option
@document_options()
@click.pass_context
def blackjack(  # noqa: PLR0913  (each is an option of the command)
    context: click.Context,
    *,
    submission: Path,
    rounds: int | None,
    seed: int | None,
    patrons: int,
    results: Path | None,
    simulate: bool,
    threads: int | None,
    output_format: str,
) -> None:
    """Play the streak or bonus wagers of a blackjack table, round by round.

    The rounds come from a small reference game, or from a file that records how each hand ended
    (see croupier help blackjack). Every line cites its clauses. Exit status: 2 if the submission is
    refused or the file cannot be played.

    With --simulate, one patron plays many rounds of the same game; edges are printed with standard
    errors, next to those of the PAR sheet. Ctrl-C stops the run and reports the rounds played.
    """
    rules = rules_of(submission)
    session = _session(rules, submission)
    given = [
        name
        for name in ("rounds", "seed", "patrons", "simulate", "threads")
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]
    if results is not None and given:
        raise click.UsageError(f"--{given[0]} applies to the reference game, not to --results")
    if simulate:
        if "patrons" in given:
            raise click.UsageError("--simulate plays one patron: remove --patrons")
        with requiring("simulating", "kernels"):
            from croupier.cli.analysis.blackjack_figures import (  # noqa: PLC0415  (it takes an extra)
                simulate as simulated,
            )
        seed = randbits(64) if seed is None else seed
        simulated(rules, rounds or _SIMULATED, seed, threads, output_format)
        return
    if output_format not in {"text", "json"}:
        raise click.UsageError(f"--format {output_format} requires --simulate")
    if threads is not None:
        raise click.UsageError("--threads requires --simulate")
    rounds = rounds or _ROUNDS
    if rounds > _MOST_SHOWN:
        fail(f"{rounds:,} rounds are too many to show one by one: add --simulate")
    if results is None:
        chance = Chance(seed)
        seats = rules.submission.layout.seats
        if patrons > seats:
            fail(f"{patrons} patrons: the layout has {seats} seats")
        pilot = Pilot(session, chance, patrons)
        source = f"reference game of {DECKS} decks, {chance.described}"
        shown_rounds = [_Round(*pilot.play_round()) for _ in range(rounds)]
    else:
        source = f"results of {shown_name(results)}"
        shown_rounds = [_Round(played_round) for played_round in _played(session, results)]
    if output_format == "json":
        print_json(_as_json(session, source, shown_rounds))
    else:
        _print(session, source, shown_rounds)


def _session(rules: TableRules, submission: Path) -> BlackjackTable:
    if errors := schedule_errors(rules):
        fail_with(f"{submission} is refused", errors)
    try:
        return BlackjackTable(rules)
    except ValueError as error:
        fail(f"{submission}: {error}")


def _played(session: BlackjackTable, path: Path) -> list[PlayedRound]:
    text = read_text(path, encoding=encoding_asked())
    try:
        plays = read_results(text, session.rules.submission.layout.seats)
    except ResultsError as error:
        _fail_at(path, error.errors)
    if not plays:
        fail(f"{path}: the file contains no rounds")
    played_rounds = [session.play(play) for play in plays]
    refusals = [play for played_round in played_rounds for play in played_round.refused]
    if refusals:
        _fail_at(path, (f"{play.seat.line}: {play.refusal}" for play in refusals))
    return played_rounds


def _fail_at(path: Path, errors: Iterable[object]) -> NoReturn:
    fail_with(f"{path} cannot be played", (f"{path.name}:{error}" for error in errors))


def _print(session: BlackjackTable, source: str, shown_rounds: list[_Round]) -> None:
    rules = session.rules
    headline(str(rules))
    print_text(f"{rules.law.authority}. Rules {rules.sha256[:16]}. Rounds: {source}.")
    print_text(f"Clauses are those of {rules.law.clause_prefix}.")
    print_warnings(rules)
    if not session.offers_streak and shown_rounds[0].dealt is not None:
        print_text(
            "The regulation included does not define the winning event of a bonus wager; in the "
            "reference game it is a natural."
        )
    out = console()
    print_disclaimer(out)
    for shown_round in shown_rounds:
        out.print()
        out.print(Text(f"Round {shown_round.played.play.number}", style="bold underline"))
        print_lines(out, narrate(*shown_round), rules.law)
    _print_totals(session)


def _print_totals(session: BlackjackTable) -> None:
    blank()
    headline("Totals")
    table = plain_table("Wager", "Placed", "Won", "Paid", "Lost", "Collected", "In play")
    for name, tally in sorted(session.tallies.items()):
        table.add_row(
            name.replace("_", " ").capitalize(),
            f"{tally.placed} for {money(tally.placed_cents)}",
            str(tally.won),
            money(tally.paid_cents),
            str(tally.lost),
            money(tally.lost_cents),
            str(tally.in_play),
        )
    print_table(table)
    balance = "in balance" if session.ledger.in_balance else "OUT OF BALANCE"
    print_text(
        f"Table win on these wagers {money(session.ledger.table_win_cents)}; still in play "
        f"{money(session.in_play_cents)}; ledger {balance}."
    )


def _as_json(
    session: BlackjackTable, source: str, shown_rounds: list[_Round]
) -> documents.BlackjackRounds:
    return {
        "format": "croupier-blackjack/1",
        **provenance(session.rules, command_line()),
        "source": source,
        "rounds": len(shown_rounds),
        "played": [_round_data(shown_round) for shown_round in shown_rounds],
        "totals": [
            cast(
                "documents.BlackjackTotals",
                {"wager": name, **asdict(tally), "in_play": tally.in_play},
            )
            for name, tally in sorted(session.tallies.items())
        ],
        "in_play_cents": session.in_play_cents,
        "table_win_cents": session.ledger.table_win_cents,
        "ledger_in_balance": session.ledger.in_balance,
    }


def _round_data(shown_round: _Round) -> documents.BlackjackRound:
    play, dealt = shown_round.played.play, shown_round.dealt
    return {
        "round": play.number,
        "dealer": None if dealt is None else list(map(str, dealt.dealer)),
        "dealer_natural": play.dealer_natural,
        "seats": list(_seats_data(play, dealt)),
        "events": [_event_data(event) for event in shown_round.played.events],
    }


def _seats_data(
    play: RoundPlay, dealt: DealtBlackjackRound | None
) -> Iterator[documents.BlackjackSeat]:
    for seat in play.seats:
        hands = repeat(None) if dealt is None else dealt.hands[seat.seat]
        hand_results: list[documents.BlackjackHand] = [
            {"result": result.value, "cards": None if cards is None else list(map(str, cards))}
            for result, cards in zip(seat.hands, hands, strict=False)
        ]
        yield {"seat": seat.seat, "hands": hand_results}


def _event_data(event: WagerEvent) -> dict[str, Any]:
    data = {name: _plain(name, value) for name, value in asdict(event).items()}
    return {"type": _TYPES.get(type(event), type(event).__name__), **data}


def _plain(name: str, value: Any) -> Any:
    match value:
        case Odds():
            return str(value)
        case tuple():
            return list(value)
        case Mapping():
            key = "length" if name == "stakes" else "seat"
            return [{key: wager, "cents": cents} for wager, cents in value.items()]
        case _:
            return value
