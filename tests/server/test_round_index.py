"""The results of a shoe that a service keeps, followed from the lines of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.records.entry import SteppedClock, moment
from croupier.records.view.documents import ResultSeen
from croupier.records.view.projection import results_after
from croupier.server.rounds import RoundIndex
from croupier.table import Phase
from croupier.table.machine.position import Proposal
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log
from support.games import advance
from support.logs import recorded
from support.pits import NOON
from support.table import rules_of


@contextmanager
def dealing(path: Path, entries: list[Proposal]) -> Iterator[TableSession]:
    """Record a table in a file and in a list, from when the first wagers may be placed."""
    with recorded(path, rules_of()) as recorder:

        def record(proposals: Sequence[Proposal]) -> None:
            recorder(proposals)
            entries.extend(proposals)

        session = TableSession(rules_of(), record=record, clock=SteppedClock(NOON))
        session.execute(acts.OpenTable(10_000_000, "Dana", "Flo", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(1, "Pat"))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        yield session


# Player's 6 and Banker's 7 stay; an ace for the 9 would be a natural, and a 6 would call for a card.
@pytest.mark.parametrize("actual", ["9h", "Ad", "6d"])
def test_the_result_that_was_announced_stays_where_a_card_is_put_right_after_the_settlement(
    actual: str, tmp_path: Path
) -> None:
    path, entries = tmp_path / "table.jsonl", list[Proposal]()
    with dealing(path, entries) as session:
        for true in (None, actual, None):
            session.execute(acts.CallNoMoreBets())
            for card in ("9d", "8s", "7h", "9s"):
                session.execute(acts.DrawCard(Card.of(card)))
            session.execute(acts.SettleWagers())
            if true is not None:
                misread = Card.of("9d"), Card.of(true)
                session.execute(acts.CorrectMisreadCard(*misread, "Flo", Hand.PLAYER, 1))
            session.execute(acts.ClearLayout())
    index, heard = RoundIndex(rules_of()), RoundIndex(rules_of())
    index.follow(1, path.read_bytes().splitlines(keepends=True)[1:])
    assert [(one.winner, one.natural) for one in index.results] == [(Hand.BANKER, False)] * 3
    # Entries that are heard as they become durable say what their lines do.
    for proposal in entries:
        at = proposal.after.at
        assert at is not None
        heard.take(proposal.after.sequence, moment(at), proposal.events)
    for name in ("results", "ends", "all", "irregular", "pace", "last_round"):
        assert getattr(heard, name) == getattr(index, name), name


@pytest.mark.parametrize("cleared", [False, True])
def test_a_round_that_is_settled_again_shows_its_corrected_result_and_says_so(
    tmp_path: Path, *, cleared: bool
) -> None:
    path, results = tmp_path / "table.jsonl", list[ResultSeen]()
    entries = list[Proposal]()
    with dealing(path, entries) as session:
        for round_ in (1, 2):
            session.execute(acts.CallNoMoreBets())
            for card in ("9d", "8s", "7h", "9s"):
                session.execute(acts.DrawCard(Card.of(card)))
            session.execute(acts.SettleWagers())
            of = session.position.sequence
            if cleared:
                session.execute(acts.ClearLayout())
            if round_ == 1:
                # Player's 9 and 7 are a natural 8 with an ace for the 9, and beat Banker's 7.
                true = Hand.PLAYER, 1, Card.of("Ad")
                session.execute(acts.CorrectSettlement(of, "camera", *true))
            if not cleared:
                session.execute(acts.ClearLayout())
    index = RoundIndex(rules_of())
    index.follow(1, path.read_bytes().splitlines(keepends=True)[1:])
    for proposal in entries:
        results = results_after(results, proposal)
    expected = [(Hand.PLAYER, True, True), (Hand.BANKER, False, False)]
    assert [(one.winner, one.natural, one.corrected) for one in index.results] == expected
    assert [(one["winner"], one["natural"], one["corrected"]) for one in results] == [
        (winner.value, *marks) for winner, *marks in expected
    ]
    verdict = verify_log(path)
    assert dict(+verdict.results) == {"player": 1, "banker": 1}
    assert [one.kind for one in verdict.findings] == ["corrected"]
    assert verdict.is_clean
