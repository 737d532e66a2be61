"""A mechanism is an installed package that a law names, with contracts, functions, and a hash.

Each test runs the program in processes of its own: a mechanism stays loaded as long as a process.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from support import forked
from support.own_law import OWN_ID, OWN_KEY, own_law
from support.project import ROOT

EXAMPLE: Final = ROOT / "examples/mechanisms/shoe-rebate"
NAMED: Final = """
[[mechanism]]
id = "shoe_rebate"
package = "croupier-shoe-rebate"

[[clause]]
id = "XX-MINI:99#1"
says = "Twenty per cent of the vigorish of a shoe goes back to the patron who paid it"
class = "A"

[[clause]]
id = "XX-MINI:99#2"
says = "It goes back when the shoe is completed, before further wagers"
class = "B"

[[rule]]
id = "shoe_rebate.share"
kind = "rate"
title = "The share that goes back"
cites = ["XX-MINI:99#1"]
value = "20%"

[[rule]]
id = "shoe_rebate.return"
kind = "procedure"
title = "It goes back when the shoe is completed"
cites = ["XX-MINI:99#2"]
"""
SCENARIO: Final = f"""
[[scenario]]
id = "xx-mini-a-fifth-goes-back"
title = "$100 on Banker wins: five dollars of vigorish, of which one goes back after the shoe"
law = "{OWN_KEY}"
rests_on = [{{ clause = "99#1", says = "Twenty per cent." }}, {{ clause = "99#2", says = "Then." }}]
elections = {{ "vigorish.collection" = "at-once" }}
patrons = [{{ seat = 3, name = "Ada Reed", chips = "$500.00" }}]
steps = [
  {{ wager = {{ 3 = {{ banker = "$100.00" }} }} }},
  {{ play = "2h 9d Kh Ks" }},
  {{ play_down = 20 }},
  {{ until = "shoe-completed", may = ["ReturnRebates"] }},
  {{ do = "ReturnRebates", cites = ["99#2"], events = [{{ event = "RebateReturned", seat = 3, cents = "$1.00" }}] }},
]
outcome = {{ chips = {{ 3 = "$596.00" }} }}
"""


class Place:
    """An empty folder with a law that names the mechanism, and a folder of installed packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = folder / "site"
        self.code = self.site / "shoe_rebate"
        self.law = own_law(folder / "laws")
        self.law.write_text(self.law.read_text(encoding="utf-8") + NAMED, encoding="utf-8")

    def install(self, version: str = "1.0") -> None:
        """Put the example on the path, as an installer leaves it."""
        shutil.copytree(EXAMPLE / "shoe_rebate", self.code, ignore=shutil.ignore_patterns("__*__"))
        info = self.site / f"croupier_shoe_rebate-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: croupier-shoe-rebate\nVersion: {version}\n"
        )
        (info / "entry_points.txt").write_text("[croupier.mechanisms]\nshoe_rebate = shoe_rebate\n")

    def change(self, before: str, after: str, file: str = "__init__.py") -> None:
        path = self.code / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(ROOT / "src"), str(self.site)])
        return {"PYTHONPATH": path, "CROUPIER_LAWS": "laws", "COLUMNS": "80"}

    def python(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return forked.python(*words, cwd=self.folder, env=self.environment, typed=typed)

    def started(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603  (this interpreter)
            [sys.executable, "-B", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
        )

    def stored(self) -> str:
        """Return the last lines of the store, once there is one."""
        path = self.folder / "s.sqlite"
        if not path.exists():
            return ""
        with closing(sqlite3.connect(path)) as store:
            if not store.execute("select 1 from sqlite_master where name = 'line'").fetchall():
                return ""
            lines = store.execute("select content from line order by number desc limit 5000")
            return "".join(str(one) for (one,) in lines)

    def told(self, *words: str, status: int = 0, typed: str = "") -> str:
        done = self.python("-m", "croupier", *words, typed=typed)
        assert "Traceback" not in done.stdout + done.stderr, done.stderr
        assert done.returncode == status, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def dealt(self, *words: str) -> list[dict[str, Any]]:
        """Deal two shoes; the first ends in play, and the rebates of it go back."""
        self.told("new", OWN_KEY, "-o", "table.toml", "--force")
        self.told("deal", "table.toml", "--seed", "7", "--shoes", "2", "--quiet", "--log", "log.jsonl", "--force", *words)  # fmt: skip
        return [json.loads(one) for one in (self.folder / "log.jsonl").read_text().splitlines()]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def installed(place: Place) -> Place:
    place.install()
    return place


# --- a law with its mechanism ------------------------------------------------------------------


def test_the_example_is_built_installed_dealt_and_verified(place: Place) -> None:
    built = subprocess.run(  # noqa: S603  (this interpreter)
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--no-index",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            "built",
            str(EXAMPLE),
        ],
        cwd=place.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    wheel = next((place.folder / "built").glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place.site)
    accepted = place.told("law", "check", "laws/mini.toml")
    assert "mechanism shoe_rebate 1.0 of croupier-shoe-rebate, SHA-256" in accepted
    lines = place.dealt()
    files = sorted(one for one in place.code.iterdir() if one.is_file())
    hashes = [f"{hashlib.sha256(one.read_bytes()).hexdigest()} {one.name}\n" for one in files]
    assert lines[0]["mechanisms"] == {
        "shoe_rebate": {
            "package": "croupier-shoe-rebate",
            "version": "1.0",
            "sha256": hashlib.sha256("".join(hashes).encode()).hexdigest(),
        }
    }
    assert "PASS" in place.told("verify", "log.jsonl")
    # A fifth of what each seat paid until then, rounded down to a cent.
    paid, returned = Counter[int](), dict[int, int]()
    for event in (one for line in lines for one in line.get("events", ())):
        if event["type"] == "VigorishCollected" and not returned:
            paid[event["seat"]] += event["cents"]
        if event["type"] == "RebateReturned":
            returned[event["seat"]] = event["cents"]
            assert event["clauses"] == ["XX-MINI:99#2"]
    assert returned
    assert returned == {seat: cents // 5 for seat, cents in paid.items()}


def test_its_scenarios_are_played_and_its_functions_are_named(installed: Place) -> None:
    (installed.folder / "laws/scenarios.toml").write_text(SCENARIO, encoding="utf-8")
    assert "PASS 1/1" in installed.told("law", "test", "laws")
    shown = installed.told("law", "show", OWN_KEY, "99#2", "--code")
    assert "shoe_rebate._return" in shown
    assert "croupier-shoe-rebate 1.0, SHA-256" in " ".join(shown.split())
    covered = json.loads(
        installed.told("law", "coverage", "--law", OWN_KEY, "--format", "json", status=1)
        .partition("\ngap: ")[0]
        .partition("\ncroupier: ")[0]
    )
    rows = {one["id"]: one for one in covered["laws"][0]["clauses"]}
    assert rows["XX-MINI:99#1"]["by"] == ["shoe_rebate.share"]
    assert rows["XX-MINI:99#2"]["by"] == ["shoe_rebate._return"]


INCLUDED: Final = f"""
from datetime import date
from croupier.law.resolve import resolve
from croupier.records.header import header_body, new_header
from croupier.rules import default_submission, table_rules
from croupier.table.machine.core import legal
from croupier.table.machine.session import TableSession

day = date(2011, 2, 22)
rules = table_rules(default_submission("us-nj/minibaccarat", day))
before = header_body(new_header(rules, "", "stream"))
resolve("{OWN_ID}", on=day)
import shoe_rebate
from croupier.records.codec import decode_command
assert header_body(new_header(rules, "", "stream")) == before and b"mechanisms" not in before
session = TableSession(rules)
assert not session.state.slices or all(not one.__module__.startswith("shoe") for one in session.state.slices)
given = decode_command({{"type": "ReturnRebates"}})
assert session.try_execute(given).code == "not_now"
own = TableSession(table_rules(default_submission("{OWN_ID}", day)))
assert shoe_rebate.Rebates in own.state.slices
assert own.try_execute(given).code == "not_now"
print("as before")
"""


def test_a_loaded_mechanism_changes_nothing_at_tables_of_other_laws(installed: Place) -> None:
    done = installed.python("-c", INCLUDED)
    assert done.stdout == "as before\n", done.stderr


def test_its_code_is_imported_only_for_a_law_that_names_it(installed: Place) -> None:
    installed.change("\n@keeps", '\nimport sys\nsys.stderr.write("IMPORTED")\n\n@keeps')
    for words in (["--help"], ["law", "--help"], ["verify", "--help"], ["law", "show", "us-nj/minibaccarat@latest", "7.2"]):  # fmt: skip
        assert "IMPORTED" not in installed.told(*words)
    assert "IMPORTED" in installed.told("law", "check", "laws/mini.toml")


def test_a_draft_from_such_a_law_names_the_mechanism_too(installed: Place) -> None:
    installed.told("law", "new", "yy-test/mini", "--from", OWN_KEY, "--on", "2020-01-01", "-o", "more")  # fmt: skip
    draft = next((installed.folder / "more").rglob("mini@*.toml"))
    refused = installed.told("law", "check", str(draft), status=1)
    assert "[mechanism]" not in refused
    assert "shoe_rebate.share: cites no clause [citation]" in refused


# --- refused -----------------------------------------------------------------------------------


def test_a_law_whose_mechanism_is_not_installed_says_which_package(place: Place) -> None:
    line = place.law.read_text(encoding="utf-8").splitlines().index("[[mechanism]]") + 1
    refused = place.told("law", "check", "laws/mini.toml", status=1)
    assert f"laws/mini.toml:{line + 2}:1: shoe_rebate: needs the mechanism" in refused
    assert "which is not installed: pip install croupier-shoe-rebate [mechanism]" in refused
    # The rules that nothing else implements are consequences.
    assert "refused: 1 fault, and 2 that they caused" in refused


Change = Callable[[Place], object]


def changed(before: str, after: str, file: str = "__init__.py") -> Change:
    return lambda place: place.change(before, after, file)


def added(code: str) -> Change:
    return lambda place: place.change("\n@keeps", f"\n{code}\n\n@keeps")


CONTRACTS: Final = "contracts.toml"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (added("1 / 0"), "cannot be imported: ZeroDivisionError"),
        (added("raise SystemExit(0)"), "cannot be imported: SystemExit"),
        (changed('@cites("shoe_rebate.share")', ""), "shoe_rebate.share lacks a function"),
        (changed('"shoe_rebate.share" =', "#", CONTRACTS), "shoe_rebate.share lacks a contract"),
        (changed('"shoe_rebate.share" =', '"wagers.tie" =', CONTRACTS), "wagers.tie: does not begin with shoe_rebate."),
        (changed("[rules]", "[rules", CONTRACTS), "contracts.toml:3"),
        (changed('kind = "rate"', 'kind = "share"', CONTRACTS), "Invalid enum value 'share'"),
        (changed('["deal"] }', '["deal"], when = ["dekcs"] }', CONTRACTS), "names no rule: dekcs"),
        (lambda place: (place.code / CONTRACTS).unlink(), "contracts.toml"),
        (changed("ReturnRebates", "PlaceWager"), "PlaceWager is the program's"),
        (changed("RebateReturned", "WagerPaid"), "WagerPaid is the program's"),
        (changed('@keeps("shoe_rebate")', '@keeps("curating")'), "the slice 'curating' is the program's"),
        (changed("@hears(PatronLeft)", "@applies(PatronLeft)"), "PatronLeft is the program's"),
        (changed("@moves(RebateReturned)", "@moves(VigorishCollected)"), "VigorishCollected is the program's"),
        (changed("@applies(RebateReturned)", ""), "RebateReturned lacks a function"),
        (changed('@cites("shoe_rebate.share")', '@cites("shoe_rebate.share", "wagers.tie")'), "wagers.tie lacks a contract"),
    ],
)  # fmt: skip
def test_a_bad_mechanism_is_a_fault_of_the_law_that_names_it(
    installed: Place, change: Change, fault: str
) -> None:
    change(installed)
    refused = installed.told("law", "check", "laws/mini.toml", status=1)
    assert fault in refused
    assert "[mechanism]" in refused
    # Other laws are not concerned.
    assert "accepted" in installed.told("check", str(ROOT / "submissions/nj-minibaccarat.toml"))


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('id = "shoe_rebate"', 'id = "wagers"', "no family of rules [shape]"),
        ('id = "shoe_rebate"', 'id = "../etc"', "no family of rules [shape]"),
        ('package = "croupier-shoe-rebate"', 'package = "requests"', "installed is one of croupier-shoe-rebate"),
        ('package = "croupier-shoe-rebate"', 'package = "croupier-shoe-rebate"\ncode = "1"', "unknown key 'code'"),
        ('value = "20%"', 'value = "twenty"', "[shape]"),
        ('id = "shoe_rebate.share"', 'id = "shoe_rebate.shares"', "did you mean shoe_rebate.share"),
        ('kind = "rate"', 'kind = "count"', "[shape]"),
        ('id = "shoe_rebate.share"', 'id = "wagers.tie.pays"', "defined twice"),
    ],
)  # fmt: skip
def test_a_law_that_names_it_wrongly_is_refused(
    installed: Place, before: str, after: str, fault: str
) -> None:
    text = installed.law.read_text(encoding="utf-8")
    head, rest = text[: -len(NAMED)], NAMED
    assert before in rest
    installed.law.write_text(head + rest.replace(before, after), encoding="utf-8")
    assert fault in installed.told("law", "check", "laws/mini.toml", status=1)


def test_a_law_needs_the_rules_that_the_contracts_require(installed: Place) -> None:
    text = installed.law.read_text(encoding="utf-8")
    start, end = text.rindex('[[rule]]\nid = "shoe_rebate.share"'), text.rindex("[[rule]]")
    installed.law.write_text(text[:start] + text[end:], encoding="utf-8")
    refused = installed.told("law", "check", "laws/mini.toml", status=1)
    assert "shoe_rebate.share: is missing: every table needs it [missing-rule]" in refused


PLAYED: Final = f"""
from datetime import date
from croupier.acts import *
from croupier.law.faults import LawError
from croupier.rules import default_submission, table_rules
from croupier.table.machine.session import TableSession

rules = table_rules(default_submission("{OWN_ID}", date(2011, 2, 22)))
session = TableSession(rules)
for one in (
    OpenTable(5_000_000, "Dana", "Flo", date(2011, 2, 22)),
    SeatPatron(3, "Pat"),
    BuyChips(3, 100_000),
    SeatPatron(4, "Sam"),
    ReceiveCards(8, preshuffled=True),
    VerifyCards("Flo"),
    AcceptCut(4, 120),
    InsertCuttingCards(14),
    LoadShoe(),
):
    session.execute(one)
from croupier.baccarat.cards import Card
session.execute(DrawCard(Card.of("As")))
session.execute(DrawCard(Card.of("2s")))
for given in (LeaveTable(4), PlaceWager(3, "banker", 10_000)):
    before = session.position
    answer = session.try_execute(given)
    print(getattr(answer, "code", "done"), getattr(answer, "message", ""))
    if getattr(answer, "code", "") == "mechanism_failed":
        assert session.position is before
try:
    session.legal()
except LawError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("    if not any(_rebates(state, rules)):\n        return None", "    1 / 0", "mechanism_failed mechanism shoe_rebate: _first failed: ZeroDivisionError"),
        ("    if not any(_rebates(state, rules)):\n        return None", "    return 'no'", "_first failed: it returned 'no'"),
        ("    held = state[Rebates]\n    return _now(state, collected=_but", "    1 / 0\n    return _now(state, collected=_but", "_lapsed failed: ZeroDivisionError"),
        ("    held = state[Rebates]\n    return _now(state, collected=_but", "    return 7\n    return _now(state, collected=_but", "_lapsed failed: it returned 7"),
        ("    if any(_rebates(state, rules)):\n        yield Action(", "    if True:\n        yield ('',", "_offered failed: it returned"),
        ("    if any(_rebates(state, rules)):\n", "    if 1 / 0:\n", "_offered failed: ZeroDivisionError"),
    ],
)  # fmt: skip
def test_a_mechanism_that_fails_changes_nothing(
    installed: Place, before: str, after: str, outcome: str
) -> None:
    installed.change(before, after)
    done = installed.python("-c", PLAYED)
    assert not done.stderr, done.stderr
    assert outcome in done.stdout


def other(place: Place, name: str, text: str) -> None:
    path = place.site / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def points(place: Place, text: str) -> None:
    info = next(place.site.glob("*.dist-info"))
    (info / "entry_points.txt").write_text(f"[croupier.mechanisms]\n{text}", encoding="utf-8")


def helped(code: str) -> Change:
    """Have the package import a module that is not among its files."""

    def change(place: Place) -> None:
        other(place, "helper.py", code)
        place.change("\n@keeps", "\nimport helper\n\n@keeps")

    return change


def linked(place: Place) -> None:
    other(place, "elsewhere/more.py", "")
    (place.code / "parts").symlink_to(place.site / "elsewhere")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        # Code of which the SHA-256 says nothing.
        (helped("from croupier.acts import PatronLeft\nfrom croupier.table.machine.core import hears\n@hears(PatronLeft)\ndef heard(state, event): return state"), "helper is not in its package"),
        (linked, "parts: a link to a folder"),
        (added("from pathlib import Path\nPath(__file__).with_name('more.py').write_text('')"), "was changed while it was imported"),
        # What the program has, replaced through an object of its own.
        (added("from croupier.acts import PlaceWager\ncommand('Bet', by=Role.DEALER)(PlaceWager)"), "PlaceWager is the program's"),
        (added("from croupier.acts import PatronLeft\nevent('Gone')(PatronLeft)"), "PatronLeft is the program's"),
        (added("from croupier.table.machine.core import no_effect\nno_effect(PatronLeft)"), "PatronLeft is the program's"),
        (added("from croupier.acts import MetersRead\nfrom croupier.table.machine.bookkeeping import moves_by_balance\n@moves_by_balance(MetersRead)\ndef read(ledger, event): return ()"), "@moves_by_balance is the program's"),
        (added("from croupier.acts import TableOpened\nfrom croupier.table.machine.house import notes\n@notes(TableOpened)\ndef noted(house, event, entry): return house"), "@notes is the program's"),
        (added("from croupier.acts import PlaceWager\nfrom croupier.table.machine.position import guards\n@guards(PlaceWager)\ndef wait(position, given): return None"), "@guards is the program's"),
        # What would act at the tables of all laws.
        (added("from croupier.table.machine.core import releases\n@releases\ndef more(state, answer, rules): return ()"), "@releases is the program's"),
        (added("from croupier.table.machine.offered import also_offers\n@also_offers(Phase.BETTING)\ndef more(state, rules): return ()"), "@also_offers is the program's"),
        (added("from croupier.table.machine.offered import fills_in\n@fills_in('cents')\ndef fill(of, name): return None"), "@fills_in is the program's"),
        # Entry points that name no package of their own.
        (lambda place: points(place, "shoe_rebate = __main__\n"), "__main__ is not a package of its own"),
        (lambda place: points(place, "shoe_rebate = shoe_rebate\nshoe_rebate = json\n"), "has several entry points shoe_rebate"),
    ],
)  # fmt: skip
def test_no_mechanism_evades_its_hash_or_acts_elsewhere(
    installed: Place, change: Change, fault: str
) -> None:
    change(installed)
    refused = installed.told("law", "check", "laws/mini.toml", status=1)
    assert fault in refused
    assert "[mechanism]" in refused


STALE: Final = """
import pathlib, sys
from importlib._bootstrap_external import _code_to_timestamp_pyc
from importlib.util import cache_from_source
source = pathlib.Path(sys.argv[1])
made = pathlib.Path(cache_from_source(str(source)))
made.parent.mkdir()
at = source.stat()
code = compile("raise SystemExit('COMPILED')", str(source), "exec")
made.write_bytes(_code_to_timestamp_pyc(code, int(at.st_mtime), at.st_size))
"""


def test_a_compiled_file_that_is_not_hashed_is_not_run(installed: Place) -> None:
    before = installed.told("law", "check", "laws/mini.toml")
    assert not installed.python("-c", STALE, str(installed.code / "__init__.py")).stderr
    assert installed.told("law", "check", "laws/mini.toml") == before


@pytest.mark.parametrize("name", ["more.py", "more.pyc", "more.txt"])
def test_only_compiled_copies_are_outside_the_hash(installed: Place, name: str) -> None:
    before = installed.told("law", "check", "laws/mini.toml")
    (installed.code / "__pycache__").mkdir()
    (installed.code / "__pycache__" / name).write_text("")
    assert installed.told("law", "check", "laws/mini.toml") != before


def test_the_folder_around_a_package_has_no_say_in_its_hash(place: Place) -> None:
    place.site = place.folder / "__pycache__"
    place.code = place.site / "shoe_rebate"
    place.install()
    before = place.told("law", "check", "laws/mini.toml")
    place.change("int(cents *", "round(cents *")
    assert place.told("law", "check", "laws/mini.toml") != before


def test_a_log_has_no_code_imported(installed: Place) -> None:
    installed.change("\n@keeps", '\nimport sys\nsys.stderr.write("IMPORTED")\n\n@keeps')
    installed.dealt("--with-law")
    law = installed.law.read_text(encoding="utf-8")
    installed.law.unlink()
    refused = installed.told("verify", "log.jsonl", status=2)
    assert "IMPORTED" not in refused
    assert "a mechanism is imported for a law of a folder, not for that of a log" in refused
    installed.law.write_text(law, encoding="utf-8")
    passed = installed.told("verify", "log.jsonl")
    assert "IMPORTED" in passed
    assert "PASS" in passed


RESEALED: Final = """
import json, sys, zipfile
from pathlib import Path
from croupier.records.law_pack import _archive
from croupier.records.signing import Signer
files = {one.filename: zipfile.ZipFile("mini.croupierlaw").read(one) for one in zipfile.ZipFile("mini.croupierlaw").infolist()}
manifest = json.loads(files.pop("manifest.json"))
del files["manifest.sig"]
manifest["mechanisms"] = json.loads(sys.argv[1])
stated = json.dumps(manifest).encode()
signed = Signer(Path("office.key")).sign(stated).encode()
Path("forged.croupierlaw").write_bytes(_archive({"manifest.json": stated, "manifest.sig": signed, **files}))
"""


@pytest.mark.parametrize("mechanisms", ['{"a":1}', '{"a":{"package":1}}', '{"a":{}}'])
def test_a_manifest_with_malformed_mechanisms_is_refused(installed: Place, mechanisms: str) -> None:
    installed.told("key", "new", "office.key")
    installed.told("law", "pack", "laws", "--key", "office.key", "-o", "mini.croupierlaw")
    done = installed.python("-c", RESEALED, mechanisms)
    assert not done.stderr, done.stderr
    installed.told("law", "add", "forged.croupierlaw", "-o", "received", status=2)
    assert not (installed.folder / "received").exists()


POSTED: Final = f"""
from datetime import date
from croupier.rules import default_submission, table_rules
from croupier.table.machine.bookkeeping import booked
from croupier.law.faults import LawError
from croupier.money.ledger import Ledger

rules = table_rules(default_submission("{OWN_ID}", date(2011, 2, 22)))
import shoe_rebate
try:
    booked(Ledger(), [shoe_rebate.RebateReturned(3, 100, ("XX-MINI:99#2",))])
except LawError as error:
    print(error)
"""


@pytest.mark.parametrize(
    "body",
    [
        "1 / 0",
        "yield 1",
        "return [(ledger.INVENTORY, 7, 1)]",
        "return ((ledger.INVENTORY, ledger.patron(3), -1),)",
    ],
)
def test_postings_that_fail_change_nothing(installed: Place, body: str) -> None:
    installed.change("    return ((ledger.INVENTORY, ledger.patron(event.seat), event.cents),)", f"    {body}")  # fmt: skip
    done = installed.python("-c", POSTED)
    assert not done.stderr, done.stderr
    assert "mechanism shoe_rebate: _paid failed" in done.stdout


# --- records, elsewhere ------------------------------------------------------------------------


def test_a_log_is_never_verified_with_other_code(installed: Place) -> None:
    sha256 = installed.dealt("--with-law")[0]["mechanisms"]["shoe_rebate"]["sha256"]
    log = (installed.folder / "log.jsonl").read_bytes()
    assert "PASS" in installed.told("verify", "log.jsonl")
    installed.change("int(cents *", "round(cents *")
    other = installed.told("verify", "log.jsonl", status=2)
    assert f"the log was made with the mechanism shoe_rebate, croupier-shoe-rebate 1.0, SHA-256 {sha256}" in other  # fmt: skip
    assert "PASS" not in other
    shutil.rmtree(installed.site)
    missing = installed.told("verify", "log.jsonl", status=2)
    assert "which is not installed: pip install croupier-shoe-rebate" in missing
    assert "PASS" not in missing
    assert "--submission" not in missing
    # The header cannot be rid of it.
    installed.install()
    head, _, rest = log.partition(b"\n")
    bare = json.loads(head)
    del bare["mechanisms"], bare["sha256"]
    body = json.dumps(bare, separators=(",", ":"), ensure_ascii=False).encode()
    sealed = body[:-1] + b',"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}'
    (installed.folder / "bare.jsonl").write_bytes(sealed + b"\n" + rest)
    assert "the log was made with no mechanism shoe_rebate" in installed.told("verify", "bare.jsonl", status=2)  # fmt: skip


def test_another_version_is_another_mechanism(place: Place) -> None:
    place.install()
    place.dealt()
    shutil.rmtree(place.site)
    place.install("1.1")
    other = place.told("verify", "log.jsonl", status=2)
    assert "croupier-shoe-rebate 1.0" in other
    assert "croupier-shoe-rebate 1.1" in other


def test_a_pack_names_the_mechanism_and_has_no_code(installed: Place) -> None:
    (installed.folder / "laws/shoe_rebate.py").write_text("1 / 0\n")
    installed.told("key", "new", "office.key")
    installed.told("law", "pack", "laws", "--key", "office.key", "-o", "mini.croupierlaw")
    with zipfile.ZipFile(installed.folder / "mini.croupierlaw") as archive:
        assert all(one.endswith(".toml") or one.startswith("manifest.") for one in archive.namelist())  # fmt: skip
    add = ("law", "add", "mini.croupierlaw", "-o")
    told = installed.told(*add, "received")
    assert "mechanism shoe_rebate: croupier-shoe-rebate 1.0, SHA-256" in told
    installed.change("int(cents *", "round(cents *")
    assert "packed with the mechanisms shoe_rebate croupier-shoe-rebate 1.0" in installed.told(*add, "other", status=2)  # fmt: skip
    shutil.rmtree(installed.site)
    assert "pip install croupier-shoe-rebate" in installed.told(*add, "none", status=2)
    assert not (installed.folder / "other").exists()
    assert not (installed.folder / "none").exists()


# --- other faces of a table ---------------------------------------------------------------------


def test_a_terminal_offers_its_act_and_does_it(installed: Place) -> None:
    entries = installed.dealt()
    at = next(k for k, one in enumerate(entries) if "ReturnRebates" in json.dumps(one))
    lines = (installed.folder / "log.jsonl").read_bytes().splitlines(keepends=True)
    (installed.folder / "open.jsonl").write_bytes(b"".join(lines[:at]))
    shown = installed.told(
        "table", "table.toml", "--log", "open.jsonl", "--as", "D. (dealer)", typed="\n"
    )
    assert "Next: Return the held vigorish of the shoe [XX-MINI:99#2]" in shown
    last = json.loads((installed.folder / "open.jsonl").read_bytes().splitlines()[-1])
    assert [one["type"] for one in last["events"]] == [one["type"] for one in entries[at]["events"]]


@pytest.mark.parametrize("kind", ["allowed", "round"])
def test_drills_ask_for_its_act(installed: Place, kind: str) -> None:
    installed.told("new", OWN_KEY, "-o", "table.toml", "--force")
    drill = ("drill", kind, "--submission", "table.toml", "--questions", "1000", "--seed", "5")
    asked = installed.told(*drill, typed="\n" * 1000)
    assert "Return the held vigorish of the shoe" in asked
    assert kind == "round" or "No vigorish of a completed shoe is held [XX-MINI:99#2]" in " ".join(
        asked.split()
    )


def test_a_service_deals_it_and_its_store_is_verified(installed: Place) -> None:
    installed.told("new", OWN_KEY, "-o", "table.toml", "--force")
    serve = ["-m", "croupier", "serve", "table.toml", "--store", "s.sqlite", "--port", "0"]
    serve += ["--cards", "autopilot", "--pace", "0", "--no-links"]
    serve += ["--notified", "2026-01-01T12:00Z"]
    service = installed.started(*serve)
    try:
        deadline = time.monotonic() + 120
        while "ReturnRebates" not in installed.stored():
            assert service.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.5)
    finally:
        service.terminate()
        service.wait(60)
    assert "XX-MINI" in installed.told("explain", "s.sqlite", "--table", "1", "--round", "1")
    assert "PASS" in installed.told("verify", "s.sqlite", "--table", "1")
    shutil.rmtree(installed.site)
    installed.told("verify", "s.sqlite", "--table", "1", status=2)
    installed.told(*serve[2:], status=2)
