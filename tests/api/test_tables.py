"""A table is recorded, closed and resumed, and its entries are replayed, by public names alone."""

import copy
import itertools
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from time import sleep
from typing import Any, cast

import pytest

import croupier
from croupier import commands, events
from support.project import ROOT

NAMES = ("nj-minibaccarat", "nj-punto-banco", "ma-ez", "ny-mini")
CARDS = croupier.parse_cards("Kd 4c 5h 2s 6c Ah")


def rules_of(name: str = "nj-minibaccarat") -> croupier.GameRules:
    return croupier.load_rules(ROOT / "submissions" / f"{name}.toml")


def clock() -> Callable[[], datetime]:
    seconds = itertools.count()
    return lambda: datetime(2026, 11, 26, 12, tzinfo=UTC) + timedelta(seconds=next(seconds))


def play(table: croupier.LiveTable) -> None:
    """Play a round that Banker wins, 7 to 1, with $100 on Banker at seat 3."""
    table.execute(commands.PlaceWager(3, "banker", 10_000))
    table.execute(commands.CallNoMoreBets())
    for card in CARDS:
        table.execute(commands.DrawCard(card))
    table.execute(commands.SettleWagers())


def entries_of(table: croupier.LiveTable, after: int = 0) -> list[croupier.TableEntry]:
    return list(table.entries(after))


@pytest.mark.parametrize("record", ["table.jsonl", "pit.sqlite"])
@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_recorded_and_goes_on_where_it_ended(
    tmp_path: Path, name: str, record: str
) -> None:
    rules, path = rules_of(name), tmp_path / record
    with croupier.open_table(rules, {3: 100_000}, record=path, clock=clock()) as table:
        table.execute(commands.PlaceWager(3, "banker", 10_000))
        state, head, last, entries = table.state, table.head, table.sequence, entries_of(table)
    assert len(entries) == last
    with croupier.resume_table(path, clock=clock()) as again:
        assert (again.state, again.head, again.sequence) == (state, head, last)
        assert again.game_rules == rules
        assert entries_of(again) == entries
        again.execute(commands.CallNoMoreBets())
        assert [entry.sequence for entry in again.entries(last)] == [last + 1]


def test_a_record_is_verified_and_says_who_won(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with croupier.open_table(rules_of(), {3: 100_000}, record=str(path)) as table:
        play(table)
    verdict = croupier.verify_log(path)
    assert (verdict.is_clean, verdict.rounds, verdict.entries) == (True, 1, table.sequence)
    assert verdict.rules_hash == rules_of().sha256


def test_the_last_line_of_a_closed_table_is_written(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with croupier.open_table(rules_of(), record=path) as table:
        table.execute(commands.CloseTable())
        for _ in range(20):
            if table.state.phase.name == "CLOSED":
                break
            action = table.due()
            assert action is not None
            table.execute(action.command())
    assert path.read_text().splitlines()[-1].startswith(f'{{"entries":{table.sequence},')
    with pytest.raises(croupier.LogError, match="the log is closed"):
        croupier.resume_table(path)


def test_many_tables_share_a_store(tmp_path: Path) -> None:
    store = croupier.open_store(tmp_path / "pit.sqlite")
    with (
        croupier.open_table(rules_of(), {3: 100_000}, record=store, table="A") as first,
        croupier.open_table(rules_of("ma-ez"), {3: 100_000}, record=store, table="B") as second,
    ):
        play(first)
        ended = second.sequence
    with croupier.resume_table(store, table="B") as again:
        assert again.sequence == ended
        assert again.game_rules == rules_of("ma-ez")
    for name in (None, "C"):
        with pytest.raises(croupier.LogError, match="A, B"):
            croupier.resume_table(store, table=name)
    with pytest.raises(croupier.LogError, match="exists: A"):
        croupier.open_table(rules_of(), record=store, table="A")
    store.close()


@pytest.mark.parametrize("rest", [{99: 100_000}, {3: -5}])
def test_a_table_that_is_refused_leaves_no_record(tmp_path: Path, rest: dict[int, int]) -> None:
    path = tmp_path / "table.jsonl"
    with pytest.raises(croupier.RefusedError):
        croupier.open_table(rules_of(), rest, record=path)
    assert list(tmp_path.iterdir()) == []


def test_a_name_without_a_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(croupier.LogError, match="give a name with the store"):
        croupier.open_table(rules_of(), table="A")
    with pytest.raises(croupier.LogError, match="give a name with the store"):
        croupier.open_table(rules_of(), record=tmp_path / "pit.sqlite", table="")
    croupier.open_table(rules_of(), record=(log := tmp_path / "table.jsonl")).close()
    with pytest.raises(croupier.LogError, match=r"only a \.sqlite store has tables to name"):
        croupier.open_table(rules_of(), record=tmp_path / "new.jsonl", table="A")
    with pytest.raises(croupier.LogError, match=r"only a \.sqlite store has tables to name"):
        croupier.resume_table(log, table="A")
    assert list(tmp_path.iterdir()) == [log]


def test_no_record_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text("mine")
    with pytest.raises(croupier.LogError, match="exists"):
        croupier.open_table(rules_of(), {3: 100_000}, record=path)
    assert path.read_text() == "mine"


def test_a_changed_record_is_not_resumed_even_before_its_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    croupier.open_table(rules_of(), {3: 100_000}, record=path).close()
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(path.read_bytes().replace(b'"cents":100000', b'"cents":900000', 1))
    with pytest.raises(croupier.LogError, match="hash does not match"):
        croupier.resume_table(forged)
    with pytest.raises(croupier.LogError, match="cannot be opened"):
        croupier.resume_table(tmp_path / "none.jsonl")


def test_a_crash_leaves_a_record_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    table = croupier.open_table(rules_of(), {3: 100_000}, record=path)
    torn = tmp_path / "torn.jsonl"
    shutil.copy(path, torn)
    with torn.open("ab") as file:
        file.write(b'{"seq":')
    with croupier.resume_table(torn) as again:
        assert again.state == table.state
    table.close()


def test_entries_are_replayed_and_then_followed(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with croupier.open_table(rules_of(), {3: 100_000}, record=path) as table:
        whole: list[croupier.TableEntry] = []
        late: list[croupier.TableEntry] = []
        new: list[croupier.TableEntry] = []
        table.subscribe(whole.append, after=0)
        begun = table.sequence
        stop = table.subscribe(new.append)
        table.execute(commands.PlaceWager(3, "banker", 10_000))
        stop()
        stop()
        table.execute(commands.CallNoMoreBets())
        table.subscribe(late.append, after=begun)
        table.execute(commands.DrawCard(CARDS[0]))
        everything = entries_of(table)
    assert whole == everything
    assert [entry.sequence for entry in whole] == list(range(1, table.sequence + 1))
    assert late == whole[begun:]
    assert new == whole[begun : begun + 1]
    assert isinstance(new[0].command, commands.PlaceWager)
    assert isinstance(new[0].events[0], events.WagerPlaced)
    assert isinstance(whole[0].command, commands.OpenTable)


def test_without_a_record_only_what_comes_is_heard() -> None:
    table = croupier.open_table(rules_of(), {3: 100_000})
    heard: list[croupier.TableEntry] = []
    with pytest.raises(ValueError, match="no record is in use"):
        list(table.entries())
    with pytest.raises(ValueError, match="no record is in use"):
        table.subscribe(heard.append, after=0)
    table.subscribe(heard.append)
    table.execute(commands.PlaceWager(3, "banker", 10_000))
    assert [(entry.sequence, entry.at) for entry in heard] == [(table.sequence, None)]
    assert table.head is None
    table.close()


@pytest.mark.parametrize("resumed", [False, True])
def test_a_command_that_is_sent_again_under_its_key_is_carried_out_once(
    tmp_path: Path, *, resumed: bool
) -> None:
    path, wager = tmp_path / "table.jsonl", commands.PlaceWager(3, "banker", 10_000)
    stamp = croupier.Stamp(key="key-1")
    table = croupier.open_table(rules_of(), {3: 100_000}, record=path)
    first = table.execute(wager, stamp)
    if resumed:
        table.close()
        table = croupier.resume_table(path)
    last = table.sequence
    assert table.execute(wager, stamp) == first
    assert (table.sequence, table.state.seats[3].chips_cents) == (last, 90_000)
    table.close()


def test_a_key_of_another_command_is_refused_by_a_public_name(tmp_path: Path) -> None:
    stamp = croupier.Stamp(key="key-1")
    with croupier.open_table(rules_of(), {3: 100_000}, record=tmp_path / "table.jsonl") as table:
        table.execute(commands.PlaceWager(3, "banker", 10_000), stamp)
        before = table.position
        with pytest.raises(croupier.KeyReusedError, match="key-1 was used before"):
            table.execute(commands.PlaceWager(3, "banker", 20_000), stamp)
        assert table.position is before


def test_an_empty_key_is_refused_before_anything_is_done() -> None:
    table = croupier.open_table(rules_of(), {3: 100_000})
    before = table.position
    for do in (table.execute, table.try_execute, table.propose):
        with pytest.raises(ValueError, match="key is empty"):
            do(commands.PlaceWager(3, "banker", 10_000), croupier.Stamp(key=""))
    assert table.position is before


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        ("key-1", "'key-1' is not a stamp: give a croupier.Stamp"),
        (croupier.Stamp(key=cast("Any", 5)), "Stamp: key is 5: Expected `str | null`, got `int`"),
        (croupier.Stamp(key=cast("Any", b"k")), "Stamp: key is b'k': Expected `str | null`"),
        (croupier.Stamp(by=cast("Any", "Pat")), "Stamp: by is 'Pat': Expected `array`, got `str`"),
        (croupier.Stamp(by=cast("Any", ("Pat",))), "Expected `object`, got `str` - at `$[0]`"),
        (croupier.Stamp(by=(croupier.Actor("Pat", cast("Any", 7)),)), "Actor: office is 7"),
    ],
)  # fmt: skip
def test_a_stamp_of_wrong_types_is_refused_and_leaves_the_record_sound(
    tmp_path: Path, stamp: Any, said: str
) -> None:
    path = tmp_path / "table.jsonl"
    with croupier.open_table(rules_of(), {3: 100_000}, record=path) as table:
        before = table.position
        with pytest.raises(TypeError) as error:
            table.execute(commands.PlaceWager(3, "banker", 10_000), stamp)
        assert said in str(error.value)
        assert table.position is before
    assert croupier.verify_log(path).is_clean
    croupier.resume_table(path).close()


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=5))])
def test_a_record_goes_on_exactly_with_any_clock(tmp_path: Path, zone: timezone) -> None:
    path, noon = tmp_path / "table.jsonl", datetime(2026, 11, 26, 12, 0, 0, 123_999, tzinfo=UTC)
    heard: list[croupier.TableEntry] = []
    with croupier.open_table(
        rules_of(), {3: 100_000}, record=path, clock=lambda: noon.astimezone(zone)
    ) as table:
        table.subscribe(heard.append)
        table.execute(commands.PlaceWager(3, "banker", 10_000))
        assert heard == entries_of(table)[-1:]
        state = table.state
    # A record has milliseconds.
    assert heard[0].at == noon.replace(microsecond=123_000)
    with croupier.resume_table(path) as again:
        assert again.state == state


def test_arguments_of_other_types_are_named(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="open_table: clock is a int: give a function"):
        croupier.open_table(rules_of(), clock=5, record=tmp_path / "log.jsonl")  # type: ignore[arg-type]
    with (
        croupier.open_table(rules_of(), record=tmp_path / "log.jsonl") as table,
        pytest.raises(TypeError, match="entries: after is a str: give the number of an entry"),
    ):
        list(table.entries("3"))  # type: ignore[arg-type]


def test_a_time_without_a_zone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="clock: 'noon' is not a datetime"):
        croupier.open_table(rules_of(), clock=lambda: "noon")  # type: ignore[arg-type,return-value]  # what is refused
    with pytest.raises(ValueError, match=r"clock: 2026-11-26 12:00:00 has no time zone"):
        croupier.open_table(
            rules_of(),
            record=tmp_path / "table.jsonl",
            clock=lambda: datetime(2026, 11, 26, 12),  # noqa: DTZ001  (what is refused)
        )
    assert list(tmp_path.iterdir()) == []


def test_a_refused_command_is_neither_recorded_nor_heard(tmp_path: Path) -> None:
    with croupier.open_table(rules_of(), {3: 100_000}, record=tmp_path / "table.jsonl") as table:
        heard: list[Any] = []
        table.subscribe(heard.append)
        head = table.head
        with pytest.raises(croupier.RefusedError):
            table.execute(commands.PlaceWager(3, "banker", 1))
        assert (heard, table.head) == ([], head)


def test_odds_follow_the_cards_that_are_face_up() -> None:
    table = croupier.open_table(rules_of(), {3: 100_000})
    before = table.odds()
    # As and 2s are burned, and nobody saw the cards: the odds are those of the whole shoe, but for the ace.
    assert before.cards == ()
    table.execute(commands.PlaceWager(3, "banker", 10_000))
    table.execute(commands.CallNoMoreBets())
    for card in croupier.parse_cards("9h Kd Th 7c"):
        table.execute(commands.DrawCard(card))
    after = table.odds()
    assert after["player"].expectation == Fraction(1)
    assert after["banker"].expectation == Fraction(-1)
    with pytest.raises(croupier.ShoeError):
        croupier.open_table(rules_of()).odds()


def test_patrons_and_records_of_another_type_are_named(tmp_path: Path) -> None:
    other: Any
    for other in ([(3, 100_000)], "3", 3, []):
        with pytest.raises(TypeError, match=r"patrons is a .*: give chips in cents by seat"):
            croupier.open_table(rules_of(), other, record=tmp_path / "table.jsonl")
    assert not [*tmp_path.iterdir()]
    other = 3
    with pytest.raises(TypeError, match="record is a int: give a path, or what open_store returns"):
        croupier.open_table(rules_of(), record=other)
    with pytest.raises(TypeError, match="record is a int: give a path, or what open_store returns"):
        croupier.resume_table(other)


def test_a_record_that_exists_is_resumed_and_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text("precious")
    with pytest.raises(croupier.LogError, match="exists: give another name, or call resume_table"):
        croupier.open_table(rules_of(), record=path)
    assert path.read_text() == "precious"


async def _awaited(_: croupier.TableEntry) -> None:
    """Handle an entry, in a task that nobody makes."""


class _Awaited:
    async def __call__(self, _: croupier.TableEntry) -> None:
        """Handle an entry, in a task that nobody makes."""


@pytest.mark.parametrize("listener", [None, 5, _awaited, _Awaited()])
def test_what_cannot_be_called_is_refused_before_it_is_subscribed(listener: Any) -> None:
    with croupier.open_table(rules_of(), {3: 100_000}) as table:
        with pytest.raises(TypeError, match=r"listener is .*: give a function"):
            table.subscribe(listener)
        table.execute(commands.PlaceWager(3, "banker", 10_000))


@pytest.mark.parametrize("record", ["table.jsonl", "pit.sqlite"])
def test_threads_share_a_table_and_its_record_stays_whole(tmp_path: Path, record: str) -> None:
    heard: list[int] = []
    times = clock()

    def read() -> datetime:
        sleep(0.001)  # Other threads run between a proposal and its record.
        return times()

    def note(number: int) -> None:
        stamp = croupier.Stamp(key=f"note-{number}")
        with table.together():
            table.execute(commands.WriteNote(f"begin {number}"), stamp)
            table.execute(commands.WriteNote(f"end {number}"))

    with croupier.open_table(
        rules_of(), {3: 100_000}, record=tmp_path / record, clock=read
    ) as table:
        begun = table.sequence
        table.subscribe(lambda entry: heard.append(entry.sequence))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(note, range(20)))
        texts = [cast("commands.WriteNote", entry.command).text for entry in table.entries(begun)]
        assert heard == list(range(begun + 1, begun + 41))
    assert [text.split()[1] for text in texts[::2]] == [text.split()[1] for text in texts[1::2]]
    croupier.resume_table(tmp_path / record).close()


def test_each_listener_gets_every_entry_in_order_also_of_a_listener_that_acts(
    tmp_path: Path,
) -> None:
    heard: list[int] = []

    def act(entry: croupier.TableEntry) -> None:
        if not isinstance(entry.command, commands.WriteNote):
            table.execute(commands.WriteNote(f"after {entry.sequence}"))
            table.subscribe(lambda entry: late.append(entry.sequence), after=begun)

    late: list[int] = []
    with croupier.open_table(rules_of(), {3: 100_000}, record=tmp_path / "table.jsonl") as table:
        begun = table.sequence
        stop = table.subscribe(act)
        table.subscribe(lambda entry: heard.append(entry.sequence))
        table.execute(commands.PlaceWager(3, "banker", 10_000))
        stop()
        table.execute(commands.CallNoMoreBets())
        assert heard == late == [begun + 1, begun + 2, begun + 3]
        # Replayed entries to which a listener answers are followed by its answers.
        again: list[int] = []

        def answer(entry: croupier.TableEntry) -> None:
            again.append(entry.sequence)
            if entry.sequence == begun + 3:
                table.execute(commands.WriteNote("replayed"))

        table.subscribe(answer, after=begun)
        assert again == [begun + 1, begun + 2, begun + 3, begun + 4]


def test_a_listener_that_fails_takes_no_entry_from_the_others() -> None:
    table = croupier.open_table(rules_of(), {3: 100_000})
    heard: list[int] = []

    def fail(entry: croupier.TableEntry) -> None:
        raise KeyError(entry.sequence)

    stop = table.subscribe(fail)
    table.subscribe(lambda entry: heard.append(entry.sequence))
    with pytest.raises(KeyError):
        table.execute(commands.PlaceWager(3, "banker", 10_000))
    table.subscribe(fail)
    with pytest.raises(ExceptionGroup, match="listeners of a table") as failed:
        table.execute(commands.PlaceWager(3, "tie", 1_000))
    assert len(failed.value.exceptions) == 2
    stop()
    assert heard == [table.sequence - 1, table.sequence]


def test_a_number_after_the_last_entry_is_of_another_record(tmp_path: Path) -> None:
    with croupier.open_table(rules_of(), {3: 100_000}, record=tmp_path / "table.jsonl") as table:
        assert list(table.entries(table.sequence)) == []
        with pytest.raises(ValueError, match=r"after is 900, but .* ends with entry 17: it is ano"):
            list(table.entries(900))
        with pytest.raises(ValueError, match="after is 900"):
            table.subscribe(print, after=900)
    with pytest.raises(ValueError, match="open one by record=, or by resume_table"):
        list(table.entries())


def test_a_table_is_neither_copied_nor_used_by_a_forked_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.jsonl"
    with croupier.open_table(rules_of(), {3: 100_000}, record=path) as table:
        for copied in (copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="neither copied nor pickled: resume_table"):
                copied(table)
        before, parent = table.position, os.getpid()
        monkeypatch.setattr(os, "getpid", lambda: parent + 1)
        with pytest.raises(croupier.StoreError, match="this one was forked from it"):
            table.execute(commands.WriteNote("in the child"))
        assert table.position is before
        monkeypatch.undo()
        table.execute(commands.WriteNote("in the parent"))
    assert croupier.verify_log(path).is_clean
