"""Rounds told on several rows, by seat or one wager a row: nothing of a row passes unread."""

from pathlib import Path

from croupier.odds.custom_wagers import read_wager
from croupier.records.rounds.mapping import mapping_of
from croupier.rules import read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport
from support.external_rounds import House, Round, shoes, value
from support.project import ROOT

NJ = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
WAGERS = ("player", "banker", "tie")
SEATS = (1, 3, 5)
SHOE, ROUND, PLAYER, BANKER, WINNER, SEAT, STAKE = range(7)
BY_SEAT = "shoe,round,player,banker,winner,seat,stake:player,net:player"
BY_WAGER = "shoe,round,player,banker,winner,seat,wager,stake,net"
Rows = list[list[str]]


def dealt(number: int = 1) -> list[Round]:
    return list(shoes(House(WAGERS), number, seed=9, most=20))


def told(one: Round) -> list[str]:
    return [
        str(one.shoe), str(one.number), " ".join(one.player), " ".join(one.banker), one.winner,
    ]  # fmt: skip


def money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def by_seat(rounds: list[Round]) -> Rows:
    return [
        [*told(one), str(seat), *map(money, one.wagers["player"])]
        for one in rounds
        for seat in SEATS
    ]


def by_wager(rounds: list[Round], *, seats: tuple[str, ...] = ("2",)) -> Rows:
    return [
        [*told(one), seat, wager, *map(money, one.wagers[wager])]
        for one in rounds
        for seat in seats
        for wager in WAGERS
    ]


def judged(tmp_path: Path, header: str, rows: Rows) -> VerificationReport:
    path = tmp_path / "r.csv"
    path.write_text("\n".join([header, *map(",".join, rows)]), encoding="utf-8")
    return verify_file(path, NJ)


def found(report: VerificationReport) -> list[tuple[str, int]]:
    return [(one.kind, one.line) for one in report.divergences]


def changed(rows: Rows, row: int, cell: int, text: str) -> Rows:
    return [
        [text if (row, cell) == (at, place) else one for place, one in enumerate(cells)]
        for at, cells in enumerate(rows)
    ]


def test_a_round_that_is_told_twice_in_a_row_is_told(tmp_path: Path) -> None:
    for header, rows in ((BY_SEAT, by_seat(dealt())), (BY_WAGER, by_wager(dealt()))):
        assert judged(tmp_path, header, rows).is_clean
        twice = [*rows[:9], *rows[6:9], *rows[9:]]
        report = judged(tmp_path, header, twice)
        assert found(report) == [("procedure", 8)]
        assert "round 3 is recorded a second time" in report.divergences[0].message


def test_a_seat_or_a_wager_that_is_told_twice_is_named(tmp_path: Path) -> None:
    for header, rows, named in (
        (BY_SEAT, by_seat(dealt()), "seat 3: recorded a second time in round 3"),
        (BY_WAGER, by_wager(dealt()), "seat 2, Banker: recorded a second time in round 3"),
    ):
        report = judged(tmp_path, header, [*rows[:8], *rows[7:]])
        assert found(report) == [("procedure", 8)]
        assert report.divergences[0].message == named


def test_a_wager_of_no_seat_that_is_told_twice_once_is_told_twice(tmp_path: Path) -> None:
    rows = by_wager(dealt(), seats=("",))
    report = judged(tmp_path, BY_WAGER, [*rows[:9], *rows[6:9], *rows[9:]])
    assert found(report) == [("procedure", 8)]


def test_wagers_of_bettors_without_seats_may_be_alike_and_that_is_said(tmp_path: Path) -> None:
    report = judged(tmp_path, BY_WAGER, by_wager(dealt(), seats=("", "")))
    assert report.is_clean
    assert {why: count for why, count in report.unverified.items() if "seats" in why} == {
        "no column names the seats: whether a wager recorded twice in a round is one": 20
    }


def test_another_result_on_a_later_row_is_told_once(tmp_path: Path) -> None:
    rows, one = by_seat(dealt()), dealt()[2]
    other = "player" if one.winner == "banker" else "banker"
    for row in (6, 7, 8):
        report = judged(tmp_path, BY_SEAT, changed(rows, row, WINNER, other))
        assert found(report) == [("winner", 8)]
    everywhere = rows
    for row in (6, 7, 8):
        everywhere = changed(everywhere, row, WINNER, other)
    assert found(judged(tmp_path, BY_SEAT, everywhere)) == [("winner", 8)]


def test_other_cards_on_a_later_row_are_told_at_that_row(tmp_path: Path) -> None:
    rows = by_seat(dealt())
    report = judged(tmp_path, BY_SEAT, changed(rows, 7, PLAYER, "9c 9d"))
    assert found(report) == [("format", 9)]
    assert "other cards than line 8" in report.divergences[0].message
    assert report.rounds == 20


def test_a_row_that_cannot_be_read_parts_no_round(tmp_path: Path) -> None:
    rows = by_seat(dealt())
    for row in (6, 7, 8):
        report = judged(tmp_path, BY_SEAT, changed(rows, row, STAKE, "much"))
        assert found(report) == [("format", row + 2)]
        assert report.rounds == 20
    whole = rows
    for row in (6, 7, 8):
        whole = changed(whole, row, STAKE, "much")
    # The round itself is among them: that it is missing is nothing more.
    assert found(judged(tmp_path, BY_SEAT, whole)) == [("format", 8), ("format", 9), ("format", 10)]


def test_the_cards_may_stand_on_any_row_of_a_round(tmp_path: Path) -> None:
    rows = by_seat(dealt())
    for shown in range(3):
        some = rows
        for at in range(len(rows)):
            if at % 3 != shown:
                for cell in (PLAYER, BANKER, WINNER):
                    some = changed(some, at, cell, "")
        assert judged(tmp_path, BY_SEAT, some).is_clean
    none = rows
    for row in (6, 7, 8):
        none = changed(changed(none, row, PLAYER, ""), row, BANKER, "")
    assert found(judged(tmp_path, BY_SEAT, none)) == [("cards", 8)]


def test_a_meter_may_stand_on_the_row_of_its_wager(tmp_path: Path) -> None:
    jackpot = ROOT / "docs" / "examples" / "side-bets" / "jackpot.toml"
    rules = NJ.with_offers(read_wager(jackpot, NJ))
    path, cards = tmp_path / "r.csv", "1,5h 5h 5h,7c Ks,1"
    for net, kinds in (("12345.50", []), ("12345.51", ["settlement"])):
        rows = [f"{cards},player,25,-25,", f"{cards},suited_jackpot,5.00,{net},12345.50"]
        header = "round,player,banker,seat,wager,stake,net,meter:jackpot"
        path.write_text("\n".join([header, *rows]), encoding="utf-8")
        report = verify_file(path, rules)
        assert [one.kind for one in report.divergences] == kinds
        assert not report.unverified


def test_a_round_that_is_gone_from_one_of_two_tables_is_missed(tmp_path: Path) -> None:
    # Two tables take turns, and each numbers its own rounds.
    rounds = dealt(2)
    turns = [one for both in zip(rounds[:20], rounds[20:], strict=True) for one in both]
    header = BY_WAGER
    assert judged(tmp_path, header, by_wager(turns)).is_clean
    for gone in (10, 11, 14, 25):
        number = turns[gone].number
        report = judged(tmp_path, header, by_wager([*turns[:gone], *turns[gone + 1 :]]))
        (kind,) = report.divergences
        assert (kind.kind, f"round {number} is missing" in kind.message) == ("procedure", True)


def test_numbers_that_run_on_through_shoes_in_turns_are_in_order(tmp_path: Path) -> None:
    rounds = dealt(2)
    turns = [one for both in zip(rounds[:20], rounds[20:], strict=True) for one in both]
    for number, one in enumerate(turns, start=1):
        one.number = number
    assert judged(tmp_path, BY_WAGER, by_wager(turns)).is_clean


def test_lines_that_are_no_rounds_can_be_left_out(tmp_path: Path) -> None:
    header = BY_SEAT.replace(",seat", "")
    rows = [[*row[:SEAT], *row[STAKE:]] for row in by_seat(dealt())[::3]]
    total = ["Total", "20", "", "", "", "1200.00", "-15.00"]
    more = [*rows[:5], ["# a new dealer"], *rows[5:], header.split(","), total]
    # The names of the columns may stand on each page, and remarks: they are nobody's round.
    assert found(judged(tmp_path, header, more)) == [("format", 24)]
    mapping = mapping_of({"file": {"skip": ["#", "Total", "shoe"]}})
    report = verify_file(tmp_path / "r.csv", NJ, mapping)
    assert report.is_clean
    assert [count for why, count in report.unverified.items() if "skipped" in why] == [3]
    assert value(rows[0][PLAYER][:2]) in range(10)
