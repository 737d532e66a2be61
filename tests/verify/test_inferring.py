"""How a record is written is found from its rounds: what is seen is said, what is not is asked."""

import bz2
import gzip
import json
import lzma
import random
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it has no types
from click.testing import CliRunner, Result
from msgspec.structs import replace

import croupier as croupier_api
from croupier.cli import main
from croupier.records.rounds.mapping import MappingError, RoundMapping, mapping_of
from croupier.records.rounds.reading import open_rounds
from croupier.records.rounds.record import RoundRecord
from croupier.records.rounds.sampling import sample_of
from croupier.rules import read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from support.external_rounds import RANKS
from support.project import ROOT
from support.vendor_exports import Bet, Hand, dollars, hands

TABLE = ROOT / "submissions" / "nj-minibaccarat.toml"
NJ = table_rules(read_submission(TABLE))
HANDS = hands(7, 2)


def croupier(*words: object, answers: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=answers)


def proposal(path: Path, *more: object) -> Any:
    done = croupier("map", path, *more)
    assert done.exit_code == 0, done.output
    return tomllib.loads(done.stdout)


def verified(path: Path, *more: object, status: int = 0) -> Any:
    done = croupier("verify", path, "--submission", TABLE, "--format", "json", *more)
    assert done.exit_code == status, done.output
    return json.loads(done.stdout)


def written(
    path: Path,
    header: str,
    cells: Callable[[Hand], Iterable[object]],
    found: Iterable[Hand] = HANDS,
) -> Path:
    lines = [header, *(",".join(map(str, cells(one))) for one in found)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def plain(one: Hand) -> list[object]:
    return [
        one.dealt.shoe,
        one.dealt.number,
        " ".join(one.dealt.player),
        " ".join(one.dealt.banker),
    ]


def bet_on(one: Hand, wager: str) -> Bet:
    return next((bet for bet in one.bets if bet.wager == wager), Bet(1, wager, 0, 0, 0))


# --- what amounts are --------------------------------------------------------------------------

WAYS: dict[str, Callable[[Bet], int]] = {
    "returned": lambda bet: bet.stake + bet.net,
    "winnings": lambda bet: max(bet.net, 0),
    "net": lambda bet: bet.net,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["Paid", "Win", "Return", "Net"])
def test_what_an_amount_means_is_seen_in_the_rounds_not_in_its_name(
    tmp_path: Path, way: str, name: str
) -> None:
    def cells(one: Hand) -> list[object]:
        bets = [bet_on(one, wager) for wager in ("player", "tie")]
        money = [dollars(cents) for bet in bets for cents in (bet.stake, WAYS[way](bet))]
        return [*plain(one), one.winner, *money]

    header = f"shoe,round,player,banker,winner,PlayerBetAmt,PlayerBet{name},TieBetAmt,TieBet{name}"
    path = written(tmp_path / "r.csv", header, cells)
    tables = proposal(path)
    assert tables.get("money", {}).get("paid") == (None if way == "net" else way)
    assert tables["wagers"]["player"]["net" if way == "net" else "paid"] == f"PlayerBet{name}"
    assert verified(path)["clean"]


@pytest.mark.parametrize(("header", "unit"), [
    ("sapato,rodada,jogador,banca,vencedor,aposta_jogador,premio_jogador,aposta_banca,premio_banca", 100),
    ("zapata,juego.n,jugador,banca,res,pl_stake_c,pl_win_c,bk_stake_c,bk_win_c", 1),
])  # fmt: skip
def test_words_of_other_languages_and_abbreviations(tmp_path: Path, header: str, unit: int) -> None:
    def cells(one: Hand) -> list[object]:
        bets = [bet_on(one, wager) for wager in ("player", "banker")]
        money = [cents / unit for bet in bets for cents in (bet.stake, bet.net)]
        return [*plain(one), one.winner, *(f"{amount:.{2 * (unit > 1)}f}" for amount in money)]

    path = written(tmp_path / "r.csv", header, cells)
    data = verified(path)
    assert (data["clean"], data["columns"]["money"], data["columns"]["unread"]) == (
        True,
        "read",
        [],
    )


def test_a_row_for_each_wager_in_french_with_gross_gains_and_their_commission(
    tmp_path: Path,
) -> None:
    header = "Sabot,Coup,Cartes Joueur,Cartes Banque,Résultat,Place,Type de mise,Mise,Gain brut"
    rows = [f"{header},Commission"]
    for one in HANDS:
        of_bets = (
            [
                3,
                bet.wager,
                dollars(bet.stake),
                dollars(bet.net + bet.vigorish),
                dollars(bet.vigorish),
            ]
            for bet in one.bets
        )
        rows += [",".join(map(str, [*plain(one), one.winner, *money])) for money in of_bets]
    (path := tmp_path / "r.csv").write_text("\n".join(rows), encoding="utf-8")
    data = verified(path)
    assert (data["clean"], data["columns"]["money"], data["columns"]["unread"]) == (
        True,
        "read",
        [],
    )


def test_amounts_returned_before_vigorish_are_read_so(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "banker")
        return [*plain(one), dollars(bet.stake), dollars(bet.stake + bet.net + bet.vigorish)]

    named = "shoe,round,player,banker,BankerStake,BankerPaid"
    path = written(tmp_path / "r.csv", named, cells)
    assert proposal(path)["money"] == {"paid": "returned", "vigorish": "apart"}
    assert verified(path)["clean"]
    header = "shoe,round,player,banker,stake:banker,paid:banker"
    # What is a cent too little is found, on a push as on a win, and its repair verifies.
    for outcome in ("banker", "tie"):
        found = hands(7, 2)
        hand = next(one for one in found if one.winner == outcome and bet_on(one, "banker").stake)
        at = found.index(hand)
        bet = bet_on(hand, "banker")
        hand.bets[:] = [replace(bet, net=bet.net - 1)]
        path = written(tmp_path / f"{outcome}.csv", header, cells, found)
        (mapping := tmp_path / "m.toml").write_text(
            '[money]\nunit = "dollars"\npaid = "returned"\nvigorish = "apart"\n'
        )
        fixed = tmp_path / f"{outcome}-fixed.csv"
        data = verified(path, "--mapping", mapping, "--repair", fixed, status=1)
        assert [one["line"] for one in data["divergences"]] == [at + 2]
        assert data["divergences"][0]["expected"] - data["divergences"][0]["found"] == 1
        assert verified(fixed, "--mapping", mapping)["clean"]


def test_the_evidence_is_written_next_to_the_setting(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        return [*plain(one), dollars(bet.stake), dollars(bet.stake + bet.net)]

    path = written(tmp_path / "r.csv", "shoe,round,player,banker,PlayerStake,PlayerPaid", cells)
    bets = [(one.winner, bet) for one in HANDS for bet in one.bets if bet.wager == "player"]
    ties = sum(winner == "tie" for winner, _ in bets)
    lost = sum(bet.net < 0 for _, bet in bets)
    line = next(one for one in croupier("map", path).stdout.splitlines() if 'paid = "ret' in one)
    assert f"{ties} of {ties} ties pay back exactly the stake" in line
    assert f"0 of {len(bets)} wagers differ" in line
    # Read as winnings, a lost wager that paid nothing is the only one that is right.
    assert f"as winnings without the stake {len(bets) - lost}" in line


def test_one_setting_is_reported_instead_of_every_difference(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        return [*plain(one), dollars(bet.stake), dollars(bet.stake + bet.net)]

    found = hands(7, 2)
    found[40].bets[:] = [Bet(1, "player", 5_000, 0, -500)]
    header = "shoe,round,player,banker,stake:player,paid:player"
    path = written(tmp_path / "r.csv", header, cells, found)
    (mapping := tmp_path / "m.toml").write_text('[money]\nunit = "dollars"\n')
    data = verified(path, "--mapping", mapping, status=1)
    assert data["explained_by"]["setting"] == '[money] paid = "returned"'
    assert [one["line"] for one in data["divergences"]] == [42]
    paid = sum(
        bet.stake + bet.net != 0 for one in found for bet in one.bets if bet.wager == "player"
    )
    assert data["explained_by"]["explains"] == paid - 1
    text = " ".join(
        croupier("verify", path, "--submission", TABLE, "--mapping", mapping).stdout.split()
    )
    assert f"One setting explains {paid - 1} of {paid} divergences" in text
    assert text.index("One setting") < text.index("First divergence")


def test_a_repair_of_most_rounds_is_refused_until_it_is_forced(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        return [*plain(one), dollars(bet.stake), dollars(bet.stake + bet.net)]

    path = written(tmp_path / "r.csv", "shoe,round,player,banker,stake:player,paid:player", cells)
    (mapping := tmp_path / "m.toml").write_text('[money]\nunit = "dollars"\n')
    out = tmp_path / "fixed.csv"
    call = ("verify", path, "--submission", TABLE, "--mapping", mapping, "--repair", out)
    refused = croupier(*call)
    assert refused.exit_code == 2
    assert "use --force if the record is wrong and not its mapping" in refused.output
    assert not out.exists()
    assert croupier(*call, "--force").exit_code == 1
    assert out.exists()


# --- which column is which ---------------------------------------------------------------------


def test_a_counter_within_the_shoe_wins_over_an_id(tmp_path: Path) -> None:
    ids = iter(range(900, 10_000, 7))
    path = written(tmp_path / "r.csv", "ShoeId,GameId,HandNo,player,banker",
                   lambda one: [one.dealt.shoe, next(ids), *plain(one)[1:]])  # fmt: skip
    columns = proposal(path)["columns"]
    assert (columns["shoe"], columns["round"]) == ("ShoeId", "HandNo")


def test_hands_of_unknown_names_are_told_apart_by_the_results(tmp_path: Path) -> None:
    for first, second in (("player", "banker"), ("banker", "player")):
        path = written(
            tmp_path / "r.csv", "shoe,round,FirstCards,SecondCards,winner",
            lambda one, own=(first, second): [  # type: ignore[misc]  # it is a lambda
                *plain(one)[:2], *(" ".join(getattr(one.dealt, hand)) for hand in own), one.winner
            ],
        )  # fmt: skip
        columns = proposal(path)["columns"]
        assert (columns[first], columns[second]) == ("FirstCards", "SecondCards")
        assert verified(path)["clean"]


def test_numbered_cards_are_ordered_by_the_third_card_rules_if_nothing_else_is_recorded(
    tmp_path: Path,
) -> None:
    def numbers(cards: list[str]) -> str:
        return " ".join(str(1 + "cdhs".index(c[1]) + 4 * RANKS.index(c[0])) for c in cards)

    path = written(tmp_path / "r.csv", "shoe,round,player,banker",
                   lambda one: [*plain(one)[:2], numbers(one.dealt.player), numbers(one.dealt.banker)])  # fmt: skip
    cards = proposal(path)["cards"]
    assert (cards["numbers"], cards["ranks"], cards["by"]) == ("1-52", RANKS, "rank")


def test_each_sheet_of_rounds_is_verified(tmp_path: Path) -> None:
    # A shoe goes on from a sheet to the next, where a round is missing, and one has a wrong winner.
    header, cut = ["shoe", "round", "player", "banker", "winner"], len(HANDS) // 3
    lines = [[*plain(one), one.winner] for one in HANDS]
    lines[cut + 9][-1] = {"player": "banker"}.get(HANDS[cut + 9].winner, "player")
    for missing in (0, 1):
        book = xlsxwriter.Workbook(path := tmp_path / f"{missing}.xlsx")
        book.add_worksheet("Cover").write(0, 0, "Rounds of two days")
        for name, several in {"May": lines[: cut - missing], "June": lines[cut:]}.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate([header, *several]):
                sheet.write_row(at, 0, row)
        book.close()
        may, june = verified(path, status=1)["files"]
        assert (may["clean"], june["file"]) == (True, f"{path}, sheet June")
        found = [(one["kind"], one["line"]) for one in june["divergences"]]
        assert found == [("winner", 11), *[("procedure", 2)] * missing]
    assert f"follows round {cut - 1} of {path}, sheet May: round {cut} is missing" in str(june)
    proposed = croupier("map", path).stdout
    assert "rounds are on May, June too" in proposed
    # Without the sheet, a mapping is for each that has its columns.
    (mapping := tmp_path / "m.toml").write_text(proposed.replace('sheet = "May"', ""))
    assert len(verified(path, "--mapping", mapping, status=1)["files"]) == 2
    refused = croupier("verify", path, "--submission", TABLE, "--repair", tmp_path / "r.csv")
    assert (refused.exit_code, "rounds are on May, June" in refused.output) == (2, True)
    assert proposal(path, "--sheet", "June")["file"]["sheet"] == "June"


def test_every_command_reads_all_sheets_of_rounds(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(path := tmp_path / "r.xlsx")
    book.add_worksheet("Cover").write(0, 0, "Rounds of two days")
    cut = len(HANDS) // 3
    for name, several in {"May": HANDS[:cut], "June": HANDS[cut:]}.items():
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ["shoe", "round", "player", "banker", "winner"])
        for at, one in enumerate(several, start=1):
            winner = "tie" if (name, at) == ("June", 9) else one.winner
            sheet.write_row(at, 0, [*plain(one), winner])
    book.close()
    wrong = HANDS[cut + 8]
    assert wrong.winner != "tie"
    shoe, number = f"June/{wrong.dealt.shoe}", wrong.dealt.number
    verdict = croupier_api.verify_rounds(path, croupier_api.load_rules(TABLE))
    assert verdict.rounds == len(HANDS)
    (found,) = verdict.divergences
    assert (found.line, found.shoe, found.round, found.kind) == (10, shoe, str(number), "winner")
    done = croupier("audit", path, "--submission", TABLE, "--format", "json")
    audit = json.loads(done.stdout)
    assert (audit["rounds"], [one["shoe"] for one in audit["divergences"]]) == (len(HANDS), [shoe])
    assert "sheets May, June" in audit["hints"][-1]
    asked = ("explain", path, "--submission", TABLE)
    done = croupier(*asked, "--round", number, "--shoe", shoe)
    assert f"Round {number} of shoe {shoe}, line 10" in done.output
    assert "Recorded: a tie" in done.output
    done = croupier(*asked, "--line", 10)
    assert (done.exit_code, "rounds are on May, June" in done.output) == (2, True)


@pytest.mark.parametrize(("at", "says"), [
    (14, "if they are of one shoe, which no column names, rounds 11 to 14 are missing"),
    (4, "ends with round 10: rounds 1 to 4 are in neither file"),
    (10, ""),
    (0, ""),
])  # fmt: skip
def test_what_is_known_between_files_without_shoes_is_said(
    tmp_path: Path, at: int, says: str
) -> None:
    shoe = HANDS[0].dealt.shoe
    found = [one for one in HANDS if one.dealt.shoe == shoe]
    files = [
        written(tmp_path / name, "round,player,banker", lambda one: plain(one)[1:], several)
        for name, several in {"a": found[:10], "b": found[at:]}.items()
    ]
    hints = " ".join(verified(*files)["files"][1]["hints"])
    assert says in hints
    assert ("in neither" in hints or "are missing" in hints) == bool(says)


def test_rounds_missing_between_files_are_found_in_any_order(tmp_path: Path) -> None:
    cut = len(HANDS) // 3
    files = [
        written(tmp_path / name, "shoe,round,player,banker", plain, found)
        for name, found in {"a": HANDS[: cut - 2], "b": HANDS[cut:], "c": HANDS[:cut]}.items()
    ]
    first, second, whole = files
    late, early = verified(second, first, status=1)["files"]
    assert (late["by_kind"], early["clean"]) == ({"procedure": 1}, True)
    assert f"rounds {cut - 1} to {cut} are missing" in late["divergences"][0]["message"]
    assert verified(whole, second)["clean"]
    # Another table has a shoe of that name, which ends in the middle of its file.
    more = [replace(one, dealt=replace(one.dealt, shoe=20 + one.dealt.shoe)) for one in hands(3, 9)]
    other = written(tmp_path / "d", "shoe,round,player,banker", plain, [*HANDS[: cut - 2], *more])
    assert verified(other, second)["clean"]


# --- what readers take -------------------------------------------------------------------------

NESTED = {
    "columns": {"wagers": "seats[].bets[]"},
    "entries": {"seat": "who", "wager": "on"},
}


def nested(*seats: object) -> str:
    return json.dumps({"round": 1, "player": "9h Kd", "banker": "7c Ts", "seats": [*seats]})


def test_wagers_of_participants_have_their_seat_by_name_or_by_place(tmp_path: Path) -> None:
    bets = [{"on": "player", "stake": 25, "net": 25}, {"on": "tie", "stake": 5, "net": -5}]
    (path := tmp_path / "r.jsonl").write_text(
        nested({"who": "p7", "bets": bets}, {"bets": bets[:1]}, {"who": 3, "bets": bets[:1]}) + "\n"
    )
    (one,) = open_rounds(path, mapping_of(NESTED))
    assert isinstance(one, RoundRecord)
    # A name is the first of its kind; a seat without one is the second in its list.
    assert [(bet.seat, bet.wager) for bet in one.wagers] == [
        (1, "player"), (1, "tie"), (2, "player"), (3, "player"),
    ]  # fmt: skip
    assert any("p7 is 1" in hint for hint in verify_file(path, NJ, mapping_of(NESTED)).hints)


def test_wagers_of_participants_are_repaired_where_they_are(tmp_path: Path) -> None:
    wrong = {"who": 2, "bets": [{"on": "player", "stake": 25, "net": -25}]}
    right = {"who": 1, "bets": [{"on": "banker", "stake": 25, "net": -25}]}
    rows = [nested(right, wrong), *(nested(right) for _ in range(3))]
    (path := tmp_path / "r.jsonl").write_text("\n".join(rows) + "\n")
    (mapping := tmp_path / "m.toml").write_text(
        '[columns]\nwagers = "seats[].bets[]"\n[entries]\nseat = "who"\nwager = "on"\n'
        '[shoe]\nreshuffled = "each-round"\n'
    )
    out = tmp_path / "fixed.jsonl"
    croupier("verify", path, "--submission", TABLE, "--mapping", mapping, "--repair", out)
    first, *others = out.read_text().splitlines()
    assert json.loads(first)["seats"][1]["bets"] == [{"on": "player", "stake": 25, "net": 25}]
    assert json.loads(first)["seats"][0] == right
    assert others == rows[1:]


FIXED = "Rd Player    Banker    W\n-- --------- --------- -\n 1 9h Kd     7c Ts     P\n 2 2h 3d 4c  7c Ts     P\n"


def test_text_of_fixed_width_is_cut_at_the_named_positions(tmp_path: Path) -> None:
    (path := tmp_path / "r.txt").write_text(FIXED)
    mapping = mapping_of(
        {"file": {"columns": "1-2,4-12,14-22,24-30"}, "columns": {"round": "Rd", "winner": "W"}}
    )
    report = verify_file(path, NJ, mapping)
    assert (report.rounds, dict(report.by_kind)) == (2, {})
    assert verified(path)["clean"]


@pytest.mark.parametrize("columns", ["", "1", "1-x", "4-2", "1-5,3-9", "0-3"])
def test_positions_that_do_not_part_a_line_are_refused(columns: str) -> None:
    with pytest.raises(MappingError, match=r"file\.columns"):
        mapping_of({"file": {"columns": columns}})


def test_missing_rounds_are_not_missed_where_those_without_wagers_are_left_out(
    tmp_path: Path,
) -> None:
    lines = ["shoe,round,player,banker,stake:player,net:player"]
    lines += ["1,1,9h Kd,7c Ts,25,25", "1,4,9c Kh,7d Td,25,25", "1,3,9d Kc,7h Th,25,25"]
    (path := tmp_path / "r.csv").write_text("\n".join(lines) + "\n")
    plainly = verify_file(path, NJ)
    assert plainly.by_kind["procedure"] == 1
    mapping = mapping_of({"shoe": {"rounds": "wagered-only"}})
    report = verify_file(path, NJ, mapping)
    # A round out of its order is still one.
    assert [one.line for one in report.divergences] == [4]
    assert any("rounds without wagers are not recorded" in why for why in report.unverified)


# --- what is asked -----------------------------------------------------------------------------


def test_only_what_the_rounds_leave_open_is_asked(tmp_path: Path) -> None:
    # Lost wagers alone look alike as winnings and as amounts returned.
    lines = ["shoe,round,player,banker,PlayerBet,PlayerPaid,LuckyBet,LuckyPaid"]
    lines += ["1,1,7c Ts,9h Kd,25,0,5,0", "1,2,7d Td,9c Kh,35,0,5,0"]
    (path := tmp_path / "r.csv").write_text("\n".join(lines) + "\n")
    done = croupier("map", path, "--submission", TABLE, "--ask", answers="2\n")
    assert done.exit_code == 0, done.output
    assert "Line 2, shoe 1, round 1: Player 7c Ts, Banker 9h Kd" in done.stderr
    assert done.stderr.count("Number") == 1
    asked = [one for one in done.stderr.splitlines() if one.strip().startswith("2. ")]
    meant = tomllib.loads(done.stdout).get("money", {}).get("paid", "winnings")
    assert meant in asked[0]
    refused = croupier("map", path, "--submission", TABLE, "--ask", answers="")
    assert refused.exit_code == 2
    assert "is not answered" in refused.stderr
    refused = croupier("map", path, "--submission", TABLE, "--ask", answers="9\n1\n")
    assert refused.exit_code == 0, refused.output


def test_a_wager_of_an_unknown_name_is_asked_for(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = one.bets[-1] if one.bets else Bet(1, "player", 0, 0, 0)
        names = {"player": "Blue", "banker": "Red", "tie": "Green"}
        return [*plain(one), one.winner, names[bet.wager], dollars(bet.stake), dollars(bet.net)]

    path = written(tmp_path / "r.csv", "shoe,round,player,banker,winner,BetType,Stake,Net", cells)
    first = list(dict.fromkeys(cells(one)[5] for one in HANDS))
    titles = [one.title for one in NJ.wagers.values()]
    numbers = {"Blue": "Player", "Red": "Banker", "Green": "Tie"}
    answers = "".join(f"{titles.index(numbers[str(one)]) + 1}\n" for one in first)
    done = croupier("map", path, "--submission", TABLE, "--ask", answers=answers)
    assert done.exit_code == 0, done.output
    meant = tomllib.loads(done.stdout)["values"]["wager"]
    assert meant == {"Blue": "player", "Red": "banker", "Green": "tie"}


def test_nothing_is_asked_if_nothing_is_open(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", "shoe,round,player,banker", plain)
    done = croupier("map", path, "--ask", answers="")
    assert done.exit_code == 0
    assert "The rounds leave nothing open." in done.stderr


@pytest.mark.parametrize("way", ["deducted", "apart"])
def test_vigorish_not_taken_is_found_once_it_is_seen_whether_the_others_have_it(
    tmp_path: Path, way: str
) -> None:
    wins = [one for one in HANDS if bet_on(one, "banker").net > 0 and one.winner == "banker"]
    odd = wins[len(wins) // 2]

    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "banker")
        gross = bet.stake if bet.net > 0 else 0
        deducts = (way == "deducted") != (one is odd)
        paid = gross - bet.vigorish if deducts else gross
        return [*plain(one), dollars(bet.stake), dollars(paid)]

    path = written(tmp_path / "r.csv", "shoe,round,player,banker,BankerStake,BankerWin", cells)
    assert proposal(path)["money"] == {"paid": "winnings", "vigorish": way}
    data = verified(path, status=1)
    assert [one["line"] for one in data["divergences"]] == [2 + HANDS.index(odd)]
    out = tmp_path / "fixed.csv"
    (mapping := tmp_path / "m.toml").write_text(croupier("map", path).stdout)
    verified(path, "--mapping", mapping, "--repair", out, status=1)
    assert verified(out, "--mapping", mapping)["clean"]


@pytest.mark.parametrize("is_named", [False, True])
def test_a_cent_is_owed_of_winnings_after_commission(tmp_path: Path, *, is_named: bool) -> None:
    found = hands(7, 2)
    hand = [one for one in found if one.winner == "banker" and bet_on(one, "banker").stake][4]
    bet = bet_on(hand, "banker")
    hand.bets[:] = [replace(bet, net=bet.net - 1)]

    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "banker")
        amounts = (bet.stake, max(bet.net, 0), *[bet.vigorish] * is_named)
        return [*plain(one), *map(dollars, amounts)]

    header = "shoe,round,player,banker,BankerStake,BankerWin" + ",BankerCommission" * is_named
    path = written(tmp_path / "r.csv", header, cells, found)
    assert proposal(path)["money"] == {"paid": "winnings", "vigorish": "deducted"}
    (mapping := tmp_path / "m.toml").write_text(croupier("map", path).stdout)
    listed, fixed = tmp_path / "owed.jsonl", tmp_path / "fixed.csv"
    data = verified(
        path, "--mapping", mapping, "--differences", listed, "--repair", fixed, status=1
    )
    (fault,) = data["divergences"]
    assert (fault["line"], fault["expected"] - fault["found"]) == (found.index(hand) + 2, 1)
    (owed,) = map(json.loads, listed.read_text().splitlines()[-1:])
    assert owed["owed_cents"] == 1
    assert verified(fixed, "--mapping", mapping)["clean"]


# --- what is never assumed ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Net", "Win", "Paid"])
def test_losses_below_zero_are_net_results_so_that_missing_vigorish_is_found(
    tmp_path: Path, name: str
) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "banker")
        net = bet.stake if bet.vigorish else bet.net
        return [*plain(one), dollars(bet.stake), dollars(net)]

    header = f"shoe,round,player,banker,BankerBetAmt,BankerBet{name}"
    path = written(tmp_path / "r.csv", header, cells)
    won = sum(bet_on(one, "banker").vigorish > 0 for one in HANDS)
    assert verified(path, status=1)["by_kind"] == {"vigorish": won}


def test_payments_with_and_without_vigorish_are_not_all_right(tmp_path: Path) -> None:
    wins = [at for at, one in enumerate(HANDS) if bet_on(one, "banker").vigorish]
    favored = {*wins[::3]}

    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "banker")
        taken = 0 if HANDS.index(one) in favored else bet.vigorish
        return [*plain(one), dollars(bet.stake), dollars(bet.stake - taken if bet.net > 0 else 0)]

    path = written(tmp_path / "r.csv", "shoe,round,player,banker,BankerStake,BankerWin", cells)
    data = verified(path, status=1)
    assert {one["line"] for one in data["divergences"]} == {at + 2 for at in favored}


@pytest.mark.parametrize("header", ["stake:banker,paid:banker", "BankerStake,BankerWin"])
def test_vigorish_that_no_payment_shows_is_reported_as_unchecked(
    tmp_path: Path, header: str
) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "banker")
        return [*plain(one), dollars(bet.stake), dollars(bet.stake if bet.net > 0 else 0)]

    path = written(tmp_path / "r.csv", f"shoe,round,player,banker,{header}", cells)
    assert any("whether it was taken" in why for why in verified(path)["unverified"])
    (mapping := tmp_path / "m.toml").write_text('[money]\nvigorish = "deducted"\n')
    if header.startswith("stake"):
        data = verified(path, "--mapping", mapping, status=1)
        assert not any("whether it was taken" in why for why in data["unverified"])


def test_a_payment_of_no_wager_says_nothing_about_vigorish(tmp_path: Path) -> None:
    path = written(
        tmp_path / "r.csv", "shoe,round,player,banker,paid", lambda one: [*plain(one), ""]
    )
    assert not any("whether it was taken" in why for why in verified(path)["unverified"])


def test_columns_with_our_names_have_their_documented_meaning(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        return [*plain(one), dollars(bet.stake), dollars(bet.stake + bet.net)]

    header = "shoe,round,player,banker,stake:player"
    path = written(tmp_path / "r.csv", f"{header},paid:player", cells)
    data = verified(path, status=1)
    assert data["explained_by"]["setting"] == '[money] paid = "returned"'
    assert data["assumptions"] == []
    path = written(tmp_path / "r.csv", f"{header},net:player", cells)
    data = verified(path, status=1)
    assert data["by_kind"] == {"settlement": sum(bet_on(one, "player").stake > 0 for one in HANDS)}


def test_hands_with_names_are_not_exchanged(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        name, number, player, banker = plain(one)
        return [name, number, banker, player, one.winner, dollars(bet.stake), dollars(bet.net)]

    header = "Shoe,Round,PlayerCards,BankerCards,Winner,PlayerBetAmt,PlayerBetNet"
    data = verified(written(tmp_path / "r.csv", header, cells), status=1)
    assert data["by_kind"]["winner"] > len(HANDS) / 2


@pytest.mark.parametrize(("amounts", "kind"), [("25000,25000", "limit"), ("25,50", "settlement")])
def test_one_round_does_not_show_how_a_record_is_written(
    tmp_path: Path, amounts: str, kind: str
) -> None:
    (path := tmp_path / "r.csv").write_text(
        f"Shoe,Round,PlayerCards,BankerCards,PlayerBetAmt,PlayerBetPaid\n1,1,9h Kd,7c Ts,{amounts}\n"
    )
    assert verified(path, status=1)["by_kind"] == {kind: 1}


def test_amounts_with_a_point_before_two_digits_are_not_cents(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        return [*plain(one), f"{bet.stake}.00", f"{bet.net}.00"]

    path = written(tmp_path / "r.csv", "shoe,round,player,banker,PlayerBetAmt,PlayerBetNet", cells)
    assert "money" not in proposal(path, "--submission", TABLE)
    assert not verified(path, status=1)["clean"]


def test_few_missing_rounds_are_not_rounds_without_wagers(tmp_path: Path) -> None:
    found = [one for at, one in enumerate(hands(7, 2, betless=False)) if at % 40 != 7]

    def cells(one: Hand) -> list[object]:
        bets = [bet_on(one, wager) for wager in ("player", "banker", "tie")]
        return [*plain(one), *(dollars(cents) for bet in bets for cents in (bet.stake, bet.net))]

    header = "shoe,round,player,banker,PlayerBet,PlayerNet,BankerBet,BankerNet,TieBet,TieNet"
    data = verified(written(tmp_path / "r.csv", header, cells, found), status=1)
    assert data["by_kind"] == {"procedure": len([*range(7, len(hands(7, 2, betless=False)), 40)])}


def test_a_round_that_is_named_a_total_is_verified(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        if one is HANDS[-1]:
            return ["Total 1", *plain(one)[1:], 25, 999]
        return [*plain(one), dollars(bet.stake), dollars(bet.net)]

    header = "Shoe,Round,PlayerCards,BankerCards,PlayerBet,PlayerNet"
    path = written(tmp_path / "r.csv", header, cells)
    data = verified(path, status=1)
    assert [one["line"] for one in data["divergences"]] == [len(HANDS) + 1]
    assert "skip" not in proposal(path).get("file", {})


def test_the_verdict_says_that_it_depends_on_assumptions(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        return [*plain(one), dollars(bet.stake), dollars(bet.stake + bet.net)]

    path = written(tmp_path / "r.csv", "shoe,round,player,banker,PlayerStake,PlayerPaid", cells)
    says = "rules if the assumptions below are right."
    for files in ((path,), (path, path)):
        done = croupier("verify", *files, "--submission", TABLE)
        assert says in " ".join(done.stdout.split())


@pytest.mark.parametrize("titles", [[], ["May", ""]])
def test_a_first_round_is_not_taken_for_a_header(tmp_path: Path, titles: list[str]) -> None:
    lines = [",".join(map(str, ["B7", *plain(one)[1:], one.winner])) for one in HANDS]
    (path := tmp_path / "r.csv").write_text("\n".join([*titles, *lines]) + "\n")
    refused = croupier("verify", path, "--submission", TABLE)
    assert refused.exit_code == 2, refused.output


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("is_shuffled", [False, True])
def test_rounds_out_of_order_are_refused_once(
    tmp_path: Path, *, own: bool, is_shuffled: bool
) -> None:
    header = "shoe,round,player,banker" if own else "ShoeNo,HandNo,PlayerCards,BankerCards"
    found = random.Random(1).sample(HANDS, len(HANDS)) if is_shuffled else HANDS[::-1]
    path = written(tmp_path / "r.csv", header, plain, found)
    done = croupier("verify", path, "--submission", TABLE)
    assert done.exit_code == 2
    assert "the rows are not in the order dealt: sort them" in done.stderr


def test_what_no_column_was_found_for_is_said_not_to_be_checked(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        return [*plain(one)[2:], "x", dollars(bet_on(one, "player").stake)]

    path = written(tmp_path / "r.csv", "PlayerCards,BankerCards,Sonuc,Bahis", cells)
    (said,) = (one for one in verified(path)["assumptions"] if "NOT CHECKED" in one)
    assert "the order of rounds, the winner, wagers" in said
    assert "Sonuc, Bahis" in said


@pytest.mark.parametrize(
    ("unit", "suffix", "scale", "places"),
    [
        ("thousands", " (k$)", 100_000, 5),
        ("thousands", " in USD '000", 100_000, 5),
        ("thousands", "", 100_000, 5),
        ("cents", " (\u00a2)", 1, 0),
        ("cents", " minor units", 1, 0),
        (None, " (HKD)", 100, 2),
        (None, " in US dollars", 100, 2),
    ],
)
def test_the_unit_of_amounts_is_found(
    tmp_path: Path, unit: str | None, suffix: str, scale: int, places: int
) -> None:
    def cells(one: Hand) -> list[object]:
        bet = bet_on(one, "player")
        wrong = 5 if one is wronged else 0
        amounts = (f"{(cents) / scale:.{places}f}" for cents in (bet.stake, bet.net - wrong))
        return [*plain(one), *amounts]

    wronged = next(one for one in HANDS[60:] if bet_on(one, "player").stake)
    header = f"shoe,round,PlayerCards,BankerCards,Player Bet{suffix},Player Net{suffix}"
    path = written(tmp_path / "r.csv", header, cells)
    data = verified(path, status=1)
    (found,) = data["divergences"]
    assert (found["kind"], found["expected"] - found["found"]) == ("settlement", 5)
    assert data["explained_by"] is None
    assert proposal(path, "--submission", TABLE).get("money", {}).get("unit") == unit


def test_amounts_in_two_units_are_said_not_to_be_checked(tmp_path: Path) -> None:
    def cells(one: Hand) -> list[object]:
        return [*plain(one), bet_on(one, "player").stake, dollars(bet_on(one, "player").net)]

    header = "shoe,round,PlayerCards,BankerCards,Player Bet (cents),Player Net"
    path = written(tmp_path / "r.csv", header, cells)
    said = " ".join(verified(path, status=1)["assumptions"])
    assert "the amounts are in different units" in said
    assert "NOT CHECKED: the winner, wagers" in said


def test_rows_of_bets_are_read_in_spanish_and_miss_no_rounds(tmp_path: Path) -> None:
    names, winners = (
        {"player": "Jugador", "banker": "Banca"},
        {"player": "J", "banker": "B", "tie": "E"},
    )
    for wrong in (False, True):
        lines = [
            "Zapato,Mano,Cartas Jugador,Cartas Banca,Resultado,Puesto,Apuesta,Monto,Resultado Neto"
        ]
        for one in HANDS:
            # Two rounds have no bets, and so no rows.
            for bet in one.bets if one.dealt.number not in {7, 9} else ():
                if bet.wager in names:
                    net = bet.net - 300 * (wrong and one is HANDS[60])
                    row = [*plain(one), winners[one.winner], 1, names[bet.wager]]
                    lines.append(",".join(map(str, [*row, dollars(bet.stake), dollars(net)])))
        (path := tmp_path / "r.csv").write_text("\n".join(lines))
        data = verified(path, status=int(wrong))
        wagers = sum(bet.wager in names for bet in HANDS[60].bets)
        assert data["by_kind"] == ({"settlement": wagers} if wrong else {})
    # Where nothing says what the rows are of, that is asked instead of a fault for each.
    several = [line for line in lines[1:] for _ in range(2)]
    path.write_text("\n".join(["shoe,round,Player,Banker,c,d,e,f,g", *several]))
    refused = croupier("verify", path, "--submission", TABLE)
    assert (refused.exit_code, "rounds are in several rows each" in refused.output) == (2, True)


@pytest.mark.parametrize("states", [("VOID", "CORRECTION"), ("Replaced", ""), ("superseded", "ok")])
@pytest.mark.parametrize("by_wager", [False, True])
def test_a_row_and_its_correction_are_one_remark(
    tmp_path: Path, states: tuple[str, str], *, by_wager: bool
) -> None:
    # The replaced row stands behind the first rows, from which columns are recognized.
    at = next(at for at, one in enumerate(HANDS[100:], 100) if bet_on(one, "player").stake)
    lines = []
    for place, one in enumerate(HANDS):
        bet = bet_on(one, "player")
        of_wager = ["Player"] if by_wager else []
        row = [*plain(one), *of_wager, dollars(bet.stake), dollars(bet.net)]
        rows = [[*row, states[1] if place == at else "ok"]]
        if place == at:
            # It stands before its correction or behind it.
            rows.insert(by_wager, [*row[:-1], dollars(bet.net + 700), states[0]])
        lines += rows
    amounts = "Bet Type,Stake,Net" if by_wager else "Player Bet,Player Net"
    header = f"shoe,round,PlayerCards,BankerCards,{amounts},Status"
    for wrong in (False, True):
        lines[at + 5][-2] = dollars(7_77) if wrong else lines[at + 5][-2]
        text = "\n".join([header, *(",".join(map(str, line)) for line in lines)])
        (path := tmp_path / "r.csv").write_text(f"{text}\n")
        data = verified(path, status=int(wrong))
        assert [one["kind"] for one in data["divergences"]] == ["settlement"] * wrong
        replaced = "rows that a correction of the same round replaced: what these contain"
        assert data["unverified"][replaced] == 1
    # A repair changes the wrong row only.
    croupier("verify", path, "--submission", TABLE, "--repair", out := tmp_path / "out.csv")
    before, after = (one.read_text().splitlines() for one in (path, out))
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    # Without its correction, a replaced round is missing.
    if states[0] == "Replaced" and not by_wager:
        del lines[at + 1]
        path.write_text("\n".join([header, *(",".join(map(str, line)) for line in lines)]))
        assert "procedure" in verified(path, status=1)["by_kind"]


ROUND: Final = '{"round": 1, "player": "9h Kd", "banker": "Th 7c"}'


@pytest.mark.parametrize(("text", "command"), [
    (f"[{ROUND}]", "jq -c '.[]' FILE"),
    ('{\n "rounds": []\n}', "jq -c '.' FILE"),
    (f'{{"rounds": [{ROUND}, {ROUND}]}}', "jq -c '.rounds[]' FILE"),
    (f'{{"rounds": [{",".join([ROUND] * 2_000)}]}}', "jq -c '.rounds[]' FILE"),
    (f'{{"of": {{"table": "[{{"}}, "my day": {{"hands":\n[ {ROUND} ]}}}}',
     """jq -c '."my day".hands[]' FILE"""),
    (f'{{"shoe": 1, "hands": [{ROUND}]}}\n{{"shoe": 2, "hands": [{ROUND}]}}',
     "jq -c 'del(.hands) + .hands[]' FILE"),
    (f'{{"hands": [{ROUND}]}}', "jq -c '.hands[]' FILE"),
    # Shoes and tables are kept; lists of something else, before or in a round, are not meant.
    (f'[{{"shoe": 4, "rounds":\n[{ROUND}]}}]', "jq -c '.[] | del(.rounds) + .rounds[]' FILE"),
    (f'{{"days": [{{"staff": [{{"no": 1}}], "tables": [{{"id": 7, "rounds": [{ROUND}, {ROUND}]}}]}}]}}',
     "jq -c '.days[] | del(.tables) + (.tables[] | del(.rounds) + .rounds[])' FILE"),
    (f'{{"rounds": [{{"seats": [{{"player": {{"bet": 5}}}}], "of": {ROUND}}}]}}',
     "jq -c '.rounds[]' FILE"),
    (ROUND.replace(", ", ",\n") * 2, "jq -c '.' FILE"),
    (f"{ROUND},\n{ROUND}", "sed 's/},$/}/' FILE"),
])  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_of_json_is_refused_with_a_command_that_parts_it(
    tmp_path: Path, text: str, command: str, encoding: str
) -> None:
    (path := tmp_path / "r.json").write_text(text, encoding=encoding)
    done = croupier("verify", path, "--submission", TABLE)
    assert done.exit_code == 2
    assert f", as with {command}" in done.stderr


@pytest.mark.parametrize(("data", "fault"), [
    (b"[[1, 2]]", "write one JSON object per round and line\n"),
    (b"[}", "write one JSON object per round and line\n"),
    (b'["' + rb'\"' * 32_000, "write one JSON object per round and line\n"),
    # No name ends the words of a shell, or has jq evaluate something.
    (b"""{"x'; date; #":\n[{"round": 1}]}""", "write one JSON object per round and line\n"),
    (b"""{"\\\\(env)":\n[{"round": 1}]}""", "write one JSON object per round and line\n"),
    (b"""{"days":\n[{"x'; date; #": [{"player": 1}]}]}""", "write one JSON object per round and line\n"),
    (b"""{"days":\n[{"\x1b[31m": [{"player": 1}]}]}""", "write one JSON object per round and line\n"),
    (b"<html><table>", "this is XML or HTML"),
    # The name of a test holds its bytes, and each process that runs tests has to name them alike:
    # no time of compression.
    (gzip.compress(gzip.compress(ROUND.encode(), mtime=0), mtime=0), "compressed with gzip twice: decompress it first"),
    (bz2.compress(ROUND.encode()), "compressed with bzip2: decompress it first"),
    (lzma.compress(ROUND.encode()), "compressed with xz: decompress it first"),
])  # fmt: skip
def test_a_file_in_another_form_is_named(tmp_path: Path, data: bytes, fault: str) -> None:
    (path := tmp_path / "r.csv").write_bytes(data)
    done = croupier("verify", path, "--submission", TABLE)
    assert done.exit_code == 2
    assert fault in done.stderr


def test_utf_16_needs_a_mark_or_the_order_of_its_bytes(tmp_path: Path) -> None:
    (path := tmp_path / "r.csv").write_text("round,player,banker\n1,9h Kd,Th 7c\n")
    done = croupier("verify", path, "--submission", TABLE, "--encoding", "utf-16")
    assert (done.exit_code, "it is utf-16-le or utf-16-be" in " ".join(done.output.split())) == (
        2,
        True,
    )


def test_a_column_of_yes_and_no_says_which_rounds_were_void(tmp_path: Path) -> None:
    found = [one for one in HANDS if one.dealt.shoe == HANDS[0].dealt.shoe]

    def cells(one: Hand) -> list[object]:
        bet, is_void = bet_on(one, "player"), one is found[5]
        net = dollars(0 if is_void else bet.net)
        return [*plain(one), "" if is_void else one.winner, "NY"[is_void], dollars(bet.stake), net]

    header = "shoe,round,PlayerCards,BankerCards,Result,Voided,PlayerBet,PlayerNet"
    path = written(tmp_path / "r.csv", header, cells, found)
    assert proposal(path)["values"]["mark"] == {"N": "none", "Y": "void"}
    data = verified(path, status=1)
    assert {*data["by_kind"]} == {"procedure"}


def test_columns_of_void_and_of_simulated_rounds_are_read_together(tmp_path: Path) -> None:
    """As ``export`` writes them; the third round is dealt after a simulated one."""
    lines = [
        "shoe,round,player,banker,winner,simulated,void",
        "1,1,9h Kd,Th 7c,player,false,false",
        "1,2,3h 5c,Th 7c,,true,false",
        "1,2,9s Ks,Ts 7s,player,false,false",
        "1,3,2c 2d,7h Jd,,false,true",
        "1,4,2h 2s,7h Jh,,true,true",
        "1,4,9d Kc,Td 7d,player,false,false",
    ]
    (path := tmp_path / "r.csv").write_text("\n".join(lines))
    asked = ("verify", path, "--submission", ROOT / "submissions" / "ma.toml")
    assert croupier(*asked).exit_code == 0
    marks = {"false false": "none", "false true": "void", "true false": "simulated"}
    assert proposal(path)["values"]["mark"] == {**marks, "true true": "void"}
    path.write_text("\n".join([*lines, lines[-1]]))
    assert croupier(*asked).exit_code == 1


def test_columns_of_fixed_width_without_a_ruled_line_are_refused_with_what_to_name(
    tmp_path: Path,
) -> None:
    lines = [f"{one.dealt.shoe:>4} {' '.join(one.dealt.player):<9}" for one in HANDS]
    (path := tmp_path / "r.prn").write_text("\n".join(["SHOE  PLAYER", *lines]))
    done = croupier("verify", path, "--submission", TABLE)
    assert done.exit_code == 2
    assert '[file] columns = "1-4,6-8"' in done.stderr


def test_a_line_with_a_key_twice_is_no_part_of_the_sample(tmp_path: Path) -> None:
    lines = ('{"round":1,"win":"P","win":"B"}', '{"round":2,"win":"T"}')
    (path := tmp_path / "r.jsonl").write_text("\n".join(lines))
    assert sample_of(path, RoundMapping()).rows == [{"round": 2, "win": "T"}]
