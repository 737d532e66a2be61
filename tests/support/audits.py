"""Rounds that are judged already, for whoever gathers, repairs or reports what was found."""

from collections.abc import Iterator
from random import Random
from typing import Any

from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import Coup
from croupier.money.settlement import Stake, settle
from croupier.records.rounds.record import RoundRecord, WagerRecord
from croupier.rules import TableRules
from croupier.verify.rounds.audit import Audit
from croupier.verify.rounds.documents import File
from croupier.verify.rounds.findings import RoundDivergence, VerificationReport, VerifiedRound
from croupier.verify.rounds.wagers import net_of

STAKES = {(1, "player"): 10_000, (3, "banker"): 20_000, (3, "tie"): 500, (5, "banker"): 2_500}


def verified_rounds(
    rules: TableRules, shoes: int = 3, rounds: int = 60, wrong_every: int = 37
) -> Iterator[VerifiedRound]:
    """Yield rounds that keep the book, but that every so many'th pays seat 3 $1 short on Banker."""
    chance, line = Random(7), 1
    for shoe in range(1, shoes + 1):
        cards = list(DECK) * rules.decks_per_shoe
        chance.shuffle(cards)
        for number in range(1, rounds + 1):
            coup = Coup(rules.tableau)
            while not coup.is_complete:
                coup = coup.with_card(cards.pop())
            line += 1
            wrong = line % wrong_every == 0
            yield _judged(rules, coup, (line, str(shoe), str(number)), wrong=wrong)


def _judged(
    rules: TableRules, coup: Coup, at: tuple[int, str, str], *, wrong: bool
) -> VerifiedRound:
    stakes = {key: Stake(cents) for key, cents in STAKES.items()}
    settled = settle(rules, coup.facts, stakes)
    wagers, found = [], []
    for one in settled:
        net = net_of(one)
        if wrong and (one.seat, one.wager) == (3, "banker"):
            found.append(
                RoundDivergence(
                    *at, "settlement", f"banker: the bettor is ahead by {net - 100}, not {net}",
                    one.decision.clauses, seat=3, wager="banker", expected=net, found=net - 100,
                )
            )  # fmt: skip
            net -= 100
        wagers.append(WagerRecord(one.seat, one.wager, one.stake.cents, net))
    winner = coup.facts.winner
    record = RoundRecord(
        *at, coup.player, coup.banker, "tie" if winner is None else winner.value, None, None,
        tuple(wagers),
    )  # fmt: skip
    return VerifiedRound(record, coup.facts, settled, tuple(found))


def audit_data(rules: TableRules, shown: int = 4, **dealt: int) -> dict[str, Any]:
    """Return the data of an audit of such rounds."""
    audit, judgement = Audit(rules, shoes=shown), VerificationReport(rules)
    names = set()
    for judged in verified_rounds(rules, **dealt):
        for found in judged.divergences:
            judgement.add(found)
            audit.noted(found)
        audit.add(judged)
        judgement.rounds += 1
        names.add(judged.record.shoe)
    judgement.shoes = len(names)
    source = File(name="rounds.csv", bytes=12_345, sha256="0" * 64)
    table = File(name="table.toml", bytes=678, sha256="f" * 64)
    return {**audit.as_data(judgement, source, table, "croupier audit")}
