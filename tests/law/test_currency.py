"""Amounts are read and written in the currency of the law, everywhere."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.cli.tables.sitting.sitting import hint
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.law.load import load_instrument
from croupier.law.resolve import forget, resolve, using
from croupier.law.usage import US_DOLLARS, Currency, Usage, currency_in_use, money, under
from croupier.money.chips import breakdown, fault_of
from croupier.records.entry import SteppedClock
from croupier.rules import Limit, default_submission, read_rules, table_rules
from croupier.scenarios.stage import Stage
from croupier.server.resources.page_calls import PAGES
from croupier.table import Phase
from croupier.table.machine.core import Refusal
from croupier.table.machine.session import TableSession
from support.command_line import croupier, told_with
from support.games import advance
from support.logs import recorded
from support.own_law import OWN_ID, own_law
from support.page_forms import browser_of
from support.pit_service import Clock, Pit
from support.served import served
from support.table import MINIBACCARAT, wager

YEN = """
[currency]
code = "JPY"
sign = "\u00a5"
decimals = 0
chips = [100, 500, 1000, 5000, 10000, 50000, 100000, 1000000]
"""
HONG_KONG = """
[currency]
code = "HKD"
sign = "HK$"
decimals = 2
"""
TABLE = f"""
[submission]
law = "{OWN_ID}"
on = 2011-02-22
[limits]
player = [1000, 500000]
banker = [1000, 500000]
tie = [1000, 100000]
"""
DAY = date(2011, 2, 22)
CENTS = re.compile(r'"[0-9]+\.[0-9]{2}"')


@pytest.mark.parametrize(
    ("currency", "large", "small"),
    [
        (US_DOLLARS, "100", "5"),
        (Currency("JPY", "\u00a5", 0, (500, 1_000), own_chips=True), "1000", "1000"),
    ],
)
def test_a_hint_of_chips_names_chips_that_there_are(
    currency: Currency, large: str, small: str
) -> None:
    with under(Usage(currency)):
        said = hint({"kind": "chips", "choices": []})
    assert said == f"write chips, such as 20 x {large}, 40 x {small}"


@pytest.fixture
def laws(tmp_path: Path) -> Path:
    return own_law(tmp_path / "laws").parent


def law_in(laws: Path, currency: str) -> Path:
    """Give the law of the folder a currency; its amounts are whole in a currency without cents."""
    path = laws / "mini.toml"
    text = path.read_text(encoding="utf-8")
    if "decimals = 0" in currency:
        text = CENTS.sub(lambda found: f'"{found[0][1:-4].lstrip("0") or 1}"', text)
    path.write_text(text.replace("\n[[clause]]", f"{currency}\n[[clause]]", 1), encoding="utf-8")
    return path


@pytest.fixture
def table(laws: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A submission under a law in yen."""
    law_in(laws, YEN)
    monkeypatch.setenv("CROUPIER_LAWS", str(laws))
    monkeypatch.chdir(laws.parent)
    forget()
    made = told_with(0, "new", f"{OWN_ID}@2011-02-22", "-o", "table.toml")
    assert "written" in made.stderr
    text = Path("table.toml").read_text(encoding="utf-8")
    head = text.partition("[limits]")[0]
    Path("table.toml").write_text(
        head + TABLE.partition("[limits]")[1] + TABLE.partition("[limits]")[2]
    )
    yield Path("table.toml")
    monkeypatch.undo()
    forget()


def no_dollars(text: str) -> None:
    """Check that every amount is in yen: no dollar sign, and no sen."""
    assert "\u00a5" in text
    for line in text.splitlines():
        assert not re.search(r"\$ ?\d", line), line
        assert not re.search(r"\u00a5[\d,]*\.\d", line), line


# --- the law file ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('code = "JPY"', 'code = "yen"', "'code' must be a code of three capital letters"),
        ('code = "JPY"\n', "", "'code' is missing"),
        ("decimals = 0", "decimals = 3", "'decimals' must be 0 or 2"),
        ("decimals = 0", "decimals = true", "'decimals' must be 0 or 2"),
        ('sign = "\u00a5"', 'sign = "1"', "'sign' must be a currency sign"),
        ('sign = "\u00a5"', 'sign = "<b>"', "'sign' must be a currency sign"),
        ("[100, 500,", "[500, 100,", "the smallest first"),
        ("[100, 500,", "[0, 500,", "the smallest first"),
        ("[100, 500,", '["1.50", 500,', "write whole JPY"),
        ("decimals = 0", "decimals = 0\nrate = 2", "unknown key 'rate'"),
    ],
)
def test_a_bad_currency_is_a_fault_with_its_place(
    laws: Path, before: str, after: str, fault: str
) -> None:
    path = law_in(laws, YEN)
    text = path.read_text(encoding="utf-8").replace(before, after, 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LawError) as refused:
        load_instrument(path)
    found = [str(one) for one in refused.value.faults if one.item == "[currency]"]
    assert len(found) == 1
    assert fault in found[0]
    line = int(found[0].removeprefix(f"{path}:").partition(":")[0])
    assert text.splitlines()[0:line].count("[currency]") == 1


def test_cents_are_refused_where_the_currency_has_none(laws: Path) -> None:
    path = law_in(laws, YEN)
    text = path.read_text(encoding="utf-8")
    rule = text.index('kind = "money"')
    amount = re.compile(r'"\d+"').search(text, rule)
    assert amount is not None
    changed = f'{text[: amount.start()]}"0.50"{text[amount.end() :]}'
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(LawError, match=r"'0\.50' is not an amount of money: write whole JPY"):
        load_instrument(path)


def test_the_currency_binds_the_table_and_the_laws_without_one_are_unchanged(laws: Path) -> None:
    hashes = set()
    for currency in (
        "",
        HONG_KONG,
        HONG_KONG.replace("HKD", "TWD"),
        HONG_KONG + "chips = [1, 5]\n",
    ):
        own_law(laws)
        law_in(laws, currency)
        with using([laws]):
            rules = table_rules(default_submission(OWN_ID, "latest"))
            assert ("currency" in rules.canonical) is bool(currency)
            hashes.add(rules.sha256)
    assert len(hashes) == 4


def test_named_chips_are_all_that_a_tray_holds_and_wagers_are_amounts(laws: Path) -> None:
    law_in(laws, HONG_KONG + "chips = [1, 5]\n")
    with using([laws]):
        rules = table_rules(default_submission(OWN_ID, "latest"))
        stage = Stage(rules)
        with under(rules.law.usage):
            stage.execute(acts.OpenTable(100_000, "Ida", "Ned", DAY), acts.SeatPatron(1, "Ho"))
            assert (fault_of({50: 2}), fault_of({100: 2})) == ("there is no chip of HK$0.50", "")
            stage.execute(acts.BuyChips(1, 10_050))
            stage.until(Phase.BETTING)
            stage.execute(acts.PlaceWager(1, "player", 2_550))


def test_amounts_that_a_stake_must_be_a_multiple_of_are_in_the_currency(laws: Path) -> None:
    law_in(laws, YEN)
    with using([laws]):
        submission = default_submission(OWN_ID, "latest")
        rules = table_rules(submission)
        stage = MINIBACCARAT.open(rules, 1)
        advance(stage, Phase.BETTING)
        refusal = stage.try_execute(acts.PlaceWager(1, "banker", 1_010))
        assert isinstance(refusal, Refusal)
        said = "banker: the stake must be a multiple of \u00a520; no other is paid exactly"
        assert (refusal.code, refusal.message) == ("fraction_of_a_cent", said)
        limits = dict.fromkeys(("player", "banker", "tie"), Limit(1_010, 5_000))
        with pytest.raises(
            SubmissionError, match="must be a multiple of \u00a520; no other is paid"
        ):
            table_rules(replace(submission, limits=limits))


@pytest.mark.usefixtures("table")
def test_void_forms_and_slips_are_right_to_the_yen() -> None:
    """Five percent of 12,300 is 615 yen, of 50,020 it is 2,501, and of 1,020 it is 51."""
    rules = table_rules(default_submission(OWN_ID, DAY, vigorish__collection="deferred"))
    with recorded(Path("day.jsonl"), rules) as writer:
        stage = TableSession(rules, record=writer, clock=SteppedClock())
        for command in (
            acts.OpenTable(10_000_000, "Ida", "Ned", DAY),
            acts.AssignOffice("pit boss", "Bea"), acts.AssignOffice("pit clerk", "Cy"),
            *(acts.SeatPatron(seat, f"Patron {seat}") for seat in (1, 2, 3)),
            *(acts.BuyChips(seat, 200_000) for seat in (1, 2, 3)),
            acts.ReceiveForms("Cy", 101, 105), acts.ReceiveCards(8),
        ):  # fmt: skip
            stage.execute(command)
        advance(stage, Phase.BETTING)
        wager(stage, (1, "banker", 12_300), (2, "banker", 50_020), (3, "banker", 1_020))
        MINIBACCARAT.play(stage, "8h 9d Kh Ks")
        signers = ("Cy", "Ida", "Bea")
        left = (False, "has left", "Bea")
        for command in (
            acts.PrepareForm(101, 1, *signers, patron_signed=True), acts.VoidForm(101, "Cy", "Bea"),
            acts.PrepareForm(102, 1, *signers, patron_signed=True), acts.DropForm(102, "Bea", "Cy"),
            acts.PrepareForm(103, 2, *signers, patron_signed=True), acts.LeaveTable(2),
            acts.ReplaceForm(104, 103, *signers, *left), acts.DropForm(104, "Bea", "Cy"),
            acts.CollectVigorish(3, 51),
            acts.RequestFill(1, {10_000: 5}), acts.IssueFill(1, {10_000: 5}),
            acts.VoidSlip(1, "other chips"),
            acts.RequestCredit(2, {5_000: 3}), acts.IssueCredit(2, {5_000: 3}),
            acts.VoidSlip(2, "other chips"),
            acts.LeaveTable(1), acts.LeaveTable(3), acts.CloseTable(), acts.EndGamingDay("Cy"),
        ):  # fmt: skip
            stage.execute(command)
        books = stage.ledger.balances
        assert (books["forms"], books["vigorish taken"]) == (615 + 2_501, 51)
        assert (books.get("in transit", 0), books.get("fills", 0), books.get("credits", 0)) == (
            0,
        ) * 3
        assert stage.ledger.table_win_cents == 615 + 2_501 + 51 - 12_300 - 50_020 - 1_020
    told = told_with(0, "verify", "day.jsonl").stdout + told_with(0, "ledger", "day.jsonl").stdout
    no_dollars(told)
    assert re.search(r"Table win +-\u00a560,173", told)
    assert re.search(r"Forms +\u00a53,116", told)
    explained = told_with(0, "explain", "day.jsonl", "--round", "1").stdout
    no_dollars(explained)
    assert "\u00a52,501, owing \u00a52,501" in explained
    told_with(0, "export", "day.jsonl", "-o", "export", "--format", "csv")
    rows = csv.DictReader(Path("export/postings.csv").read_text(encoding="utf-8").splitlines())
    to_forms = [int(row["cents"]) for row in rows if row["account"] == "forms"]
    assert to_forms == [615, -615, 615, 2_501]


# --- what people read --------------------------------------------------------------------------


def test_every_command_shows_yen_without_sen(table: Path) -> None:
    told_with(0, "law", "check", "laws/mini.toml")
    no_dollars(told_with(0, "check", table).stdout)
    shown = json.loads(told_with(0, "check", table, "--format", "json").stdout)
    assert '"max_cents": 500000' in json.dumps(shown)
    no_dollars(told_with(0, "par", "--submission", table).stdout)
    dealt = told_with(0, "deal", table, "--seed", "7", "--log", "log.jsonl")
    no_dollars(dealt.stdout)
    assert "PASS" in told_with(0, "verify", "log.jsonl").stdout
    no_dollars(told_with(0, "ledger", "log.jsonl").stdout)
    no_dollars(told_with(0, "explain", "log.jsonl", "--round", "1").stdout)
    hledger = told_with(0, "ledger", "log.jsonl", "--format", "hledger").stdout
    no_dollars(hledger)
    assert re.search(r"\u00a50 = \u00a5-?\d+$", hledger, re.MULTILINE)
    beancount = told_with(0, "ledger", "log.jsonl", "--format", "beancount").stdout
    assert 'option "operating_currency" "JPY"' in beancount
    assert re.search(r"Assets\S+ +-?\d+ JPY", beancount)
    # Nothing of the command before remains.
    assert currency_in_use() == US_DOLLARS


def test_hints_and_messages_are_in_yen(table: Path) -> None:
    new = told_with(
        0, "new", f"{OWN_ID}@2011-02-22", "-o", "again.toml", "--limit", "tie=1000,5000"
    )
    assert "written" in new.stderr
    hint = Path("again.toml").read_text(encoding="utf-8")
    assert "The minimum and the maximum of each wager, in JPY: [2500, 500000]." in hint
    text = table.read_text(encoding="utf-8").replace("[1000, 100000]", '"1000"')
    Path("wrong.toml").write_text(text, encoding="utf-8")
    assert "such as [2500, 500000]" in told_with(2, "check", "wrong.toml").stderr
    bad = told_with(2, "par", "--submission", table, "--stakes", "5..x/5").stderr
    assert "LOW..HIGH/STEP in JPY" in bad
    ticket = told_with(0, "par", "--submission", table, "--ticket", "banker=1000,tie=1000").stdout
    assert "square JPY" in ticket
    assert "dollar" not in ticket


def test_cents_typed_for_yen_are_refused(table: Path) -> None:
    assert "write whole JPY" in told_with(2, "par", "--submission", table, "--stake", "2.50").stderr
    text = table.read_text(encoding="utf-8").replace("player = [1000,", 'player = ["10.50",')
    Path("cents.toml").write_text(text, encoding="utf-8")
    refused = croupier("check", "cents.toml")
    assert refused.exit_code == 2
    assert "limits.player: '10.50' is not an amount of money: write whole JPY" in refused.output


def test_pages_and_their_script_have_the_currency(table: Path, tmp_path: Path) -> None:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", more=PAGES, clock=clock) as house:
        pit = Pit(house, clock)
        made = pit.makes("T-1", table, minutes=60 * 24 * 60)
        assert made.status_code == 201, made.text
        pit.deals("T-1", lambda state: state.rounds >= 2)
        for office in ("dealer", "floorperson", "surveillance", "licensee"):
            page = browser_of(house, office, f"A {office}").get("/tables/T-1").text
            no_dollars(page)
            assert re.search(r'data-money="\[(&quot;|&#34;)(\u00a5|\\u00a5)\1, 0\]"', page), page[
                :600
            ]


# --- chips -------------------------------------------------------------------------------------


def test_chips_are_those_that_the_law_names(table: Path) -> None:
    yen = read_rules(table).law.currency
    with under(Usage(yen)):
        assert fault_of({2_500: 1}) == "there is no chip of \u00a52,500"
        assert not fault_of({5_000: 2})
        assert breakdown(11_600) == {10_000: 1, 1_000: 1, 500: 1, 100: 1}
        with pytest.raises(ValueError, match="\u00a550 is no sum of chips of \u00a5100 and more"):
            breakdown(50)
    # Without a list any value may be a chip, as before.
    assert not fault_of({700: 1})


@pytest.mark.parametrize(
    ("currency", "cents", "shown"),
    [
        (Currency("AUD", "A$"), 123_456, "A$1,234.56"),
        (Currency("HKD", "HK$"), -5, "-HK$0.05"),
        (Currency("JPY", "\u00a5", 0), 1_000_000, "\u00a51,000,000"),
    ],
)
def test_an_amount_is_read_as_it_is_written(currency: Currency, cents: int, shown: str) -> None:
    with under(Usage(currency)):
        assert money(cents) == shown
    assert currency.typed(shown.removeprefix("-")) == abs(cents)
    assert currency.read(currency.plain(abs(cents))) == abs(cents)


def test_the_examples_of_new_south_wales_are_in_its_dollars() -> None:
    with using([Path(__file__).parents[2] / "examples" / "laws"]):
        assert resolve("au-nsw/mini-baccarat", on="latest").currency.sign == "A$"
        assert resolve("us-pa/minibaccarat", on="latest").currency == US_DOLLARS


def test_tables_of_two_currencies_are_not_compared(table: Path) -> None:
    told_with(0, "new", "us-nj/minibaccarat@2011-02-22", "-o", "dollars.toml")
    for command in (
        ("check", table, "dollars.toml"),
        ("submission", "diff", table, "dollars.toml"),
    ):
        refused = croupier(*command)
        assert refused.exit_code == 2
        assert "amounts in JPY and in USD" in refused.output + refused.stderr


def test_the_tables_of_a_pit_have_one_currency(table: Path, tmp_path: Path) -> None:
    told_with(0, "new", "us-nj/minibaccarat@2011-02-22", "-o", "dollars.toml")
    clock = Clock()
    with served(tmp_path / "pit.sqlite", more=PAGES, clock=clock) as house:
        pit = Pit(house, clock)
        assert pit.makes("T-1", table, minutes=60 * 24 * 60).status_code == 201
        refused = pit.makes("T-2", Path("dollars.toml"), minutes=60 * 24 * 60)
        assert refused.status_code == 422, refused.text
        assert "another currency" in refused.text
        page = browser_of(house, "pit boss", "A boss").get("/tables").text
        no_dollars(page)


def test_bounds_of_amounts_have_the_sign() -> None:
    rules = resolve("us-ma/minibaccarat", on="latest").rules
    assert rules["wagers.royal_9.meters.star.seed"].left_open == "at least $0.00"
    assert "$" not in rules["decks"].left_open
