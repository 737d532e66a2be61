"""Exports hold every round and every session, alike in every form, as they are played."""

import csv
import gzip
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
import pytest

from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import Coup, Hand
from croupier.files.write import Writer
from croupier.law.usage import amount_of
from croupier.money.settlement import Stake, settle
from croupier.odds.sheet import net_cents
from croupier.rules import TableRules, read_submission, table_rules
from croupier.simulation.plan import SimulationError, plan_of
from croupier.simulation.sessions.export import RoundsExport, SessionsExport, form_of
from croupier.simulation.sessions.play import SessionPlan, Watch, play
from croupier.simulation.sessions.systems import progression
from croupier.simulation.sessions.table import session_table
from support.volume import spread

ROOT: Final = Path(__file__).parents[2]
SUBMISSION: Final = ROOT / "submissions" / "nj-minibaccarat.toml"
RULES: Final[TableRules] = table_rules(read_submission(SUBMISSION))
WAGERS: Final = ("banker", "tie")


def exported(folder: Path, form: str, *, shoes: int = 3, sessions: int = 12) -> tuple[Path, Path]:
    table = session_table(RULES, WAGERS)
    session = SessionPlan(
        table, plan_of(RULES), progression("fibonacci"), 40_000, 2_500, 7, shoes=shoes
    )
    rounds, whole = folder / f"rounds{form}", folder / f"sessions{form}"
    with (
        Writer() as writer,
        RoundsExport(rounds, writer, session) as by_round,
        SessionsExport(whole, writer, session) as by_session,
    ):
        for batch in play(session, sessions, watch=Watch(by_round.part)):
            by_session.batch(batch)
    assert sorted(path.name for path in folder.iterdir()) == [rounds.name, whole.name]
    return rounds, whole


def read_csv(path: Path) -> list[dict[str, str]]:
    opened: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_parquet(path: Path) -> list[dict[str, str]]:
    return [
        {name: str(value) for name, value in row.items()} for row in pq.read_table(path).to_pylist()
    ]


def test_every_form_holds_the_same(tmp_path: Path) -> None:
    found = []
    for form, read in ((".csv", read_csv), (".csv.gz", read_csv), (".parquet", read_parquet)):
        folder = tmp_path / form
        folder.mkdir()
        found.append([read(path) for path in exported(folder, form)])
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) > 500
    assert len(found[0][1]) == 12


def test_a_zipped_export_is_the_same_to_the_byte(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    one, other = (exported(tmp_path / name, ".csv.gz")[0] for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()


def test_every_round_is_dealt_and_settled_as_the_table_has_it(tmp_path: Path) -> None:
    rounds, whole = exported(tmp_path, ".csv")
    bankrolls = dict.fromkeys(range(1, 13), 40000)
    shoes: dict[str, Counter[str]] = {}
    owners: dict[str, str] = {}
    place = {"": 0}
    for row in read_csv(rounds):
        hands = {Hand.PLAYER: parse_cards(row["player"]), Hand.BANKER: parse_cards(row["banker"])}
        coup = Coup(RULES.tableau)
        given = {hand: iter(cards) for hand, cards in hands.items()}
        while coup.due is not None:
            coup = coup.with_card(next(given[coup.due]))
        assert coup.player == hands[Hand.PLAYER]
        assert coup.banker == hands[Hand.BANKER]
        winner = coup.facts.winner
        assert row["winner"] == ("tie" if winner is None else winner.value)
        assert int(row["player_total"]) == coup.facts.player_count
        assert int(row["banker_total"]) == coup.facts.banker_count
        session = int(row["session"])
        for wager in WAGERS:
            stake = amount_of(row[f"stake:{wager}"])
            settled = settle(RULES, coup.facts, {(1, wager): Stake(stake)}) if stake else ()
            net = int(Decimal(row[f"net:{wager}"]) * 100)
            assert net == net_cents(settled)
            bankrolls[session] += net
        assert int(Decimal(row["bankroll"]) * 100) == bankrolls[session]
        # A shoe belongs to one session, its rounds follow one another, and it has eight decks.
        shoe = row["shoe"]
        assert owners.setdefault(shoe, row["session"]) == row["session"]
        place[shoe] = place.get(shoe, 0) + 1
        assert int(row["round"]) == place[shoe]
        shoes.setdefault(shoe, Counter()).update((row["player"] + " " + row["banker"]).split())
    assert max(count for cards in shoes.values() for count in cards.values()) <= 8
    assert list(shoes) == [str(number) for number in range(1, len(shoes) + 1)]
    for row in read_csv(whole):
        session = int(row["session"])
        assert int(row["bankroll"]) == bankrolls[session]
        assert int(row["net_cents"]) == bankrolls[session] - 40_000


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    table = session_table(RULES, WAGERS)
    session = SessionPlan(table, plan_of(RULES), progression("flat"), 40_000, 2_500, 7, shoes=1)
    path = tmp_path / "rounds.csv.gz"
    path.write_bytes(b"what was there")

    def fail() -> None:
        with Writer(force=True) as writer, RoundsExport(path, writer, session) as export:
            list(play(session, 1, watch=Watch(export.part)))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [one.name for one in tmp_path.iterdir()] == ["rounds.csv.gz"]
    assert path.read_bytes() == b"what was there"


@pytest.mark.parametrize("name", ["rounds.txt", "csv", ".csv", "rounds.csv.bz2"])
def test_a_file_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(SimulationError, match="an export must be named"):
        form_of(Path(name))


_PEAK: Final = """
import resource
import sys
from pathlib import Path
import test_session_export as own

folder = Path(sys.argv[1])
peaks = []
for shoes in (7_000, 21_000):
    table = own.session_table(own.RULES, ("player",))
    session = own.SessionPlan(
        table, own.plan_of(own.RULES), own.progression("flat"), 10**11, 2_500, 7, shoes=shoes
    )
    path = folder / f"{shoes}{sys.argv[2]}"
    with own.Writer() as writer, own.RoundsExport(path, writer, session) as export:
        for _ in own.play(session, 1, watch=own.Watch(export.part)):
            pass
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(*peaks)
"""


@pytest.mark.parametrize("form", spread([".csv", ".parquet"], 1))
def test_three_times_the_rounds_take_no_more_memory(tmp_path: Path, form: str) -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _PEAK, str(tmp_path), form],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )
    first, second = map(int, done.stdout.split())
    # In kilobytes; a million rounds more are some seventy thousand of CSV.
    assert second - first < 30_000, (first, second)
