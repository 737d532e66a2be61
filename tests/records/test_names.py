"""Patrons are pseudonyms; elected names are in a vault, and an erased name is nowhere else."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

from croupier.files.write import locked
from croupier.records.names import NameRefusedError, Names, NamesError, names_beside, new_names
from support.command_line import croupier, told_with
from support.project import PLAIN

NAME = "Maria O'Hara-Núñez"
TOKEN = re.compile(r"name-[0-9a-f]{32}")
COMMANDS = (
    '{"type":"OpenTable","inventory_cents":1000000,"dealer":"Dana","floorperson":"Flo",'
    '"gaming_date":"2011-02-22"}\n'
    f'{{"type":"SeatPatron","seat":3,"patron":"{NAME}"}}\n'
    '{"type":"BuyChips","seat":3,"cents":50000}\n'
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl.names"
    new_names(path)
    return path


@pytest.fixture
def log(vault: Path) -> Path:
    path = vault.with_suffix("")
    assert names_beside(path) == vault
    told_with(0, "run", PLAIN, "-", "-o", path, "--quiet", text=COMMANDS)
    return path


def every_byte(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


# --- the vault -----------------------------------------------------------------------------------


def test_a_name_has_one_token_which_commits_to_it_under_a_salt_of_its_own(vault: Path) -> None:
    names = Names(vault)
    token = names.token("Pat")
    assert names.token("Pat") == Names(vault).token("Pat") == token
    assert names.token("Lee") != token
    kept = json.loads(vault.read_text())["names"]
    salts = {bytes.fromhex(one["salt"]) for one in kept.values()}
    assert len(salts) == 2
    assert {*map(len, salts)} == {32}
    salt = bytes.fromhex(kept[token]["salt"])
    assert token == f"name-{sha256(salt + b'Pat').hexdigest()[:32]}"
    assert stat.S_IMODE(vault.stat().st_mode) == 0o600


def test_an_erased_name_is_in_no_file_and_comes_back_under_another_token(
    vault: Path, tmp_path: Path
) -> None:
    names = Names(vault)
    token, other = names.token("Pat"), names.token("Lee")
    salt = json.loads(vault.read_text())["names"][token]["salt"]
    before = vault.open("rb")
    with before:
        assert names.erase("Pat", "Ann Officer", "asked by letter of May 2") == token
        # Whoever still has the replaced file open finds nothing of it, and no free block does.
        assert not before.read().strip(b"\0")
    for secret in (b"Pat", salt.encode(), bytes.fromhex(salt)):
        assert secret not in every_byte(tmp_path)
    assert names.name_of(f"{token} and {other}") == f"erased {token[5:13]} and Lee"
    _, erased = Names(vault).listed()
    assert (erased[token].by, erased[token].reason) == ("Ann Officer", "asked by letter of May 2")
    # Commands name the patron, who may still sit there, as pages do.
    assert names.token(f"erased {token[5:13]}") == token
    assert names.token("Pat") != token
    assert names.name_of(token) == f"erased {token[5:13]}"


def test_tokens_do_not_allow_to_guess_names(vault: Path) -> None:
    """Without the salt, each name of a list gives another token than the record contains."""
    names = Names(vault)
    token = names.token("Pat")
    names.erase("Pat", "Ann", "asked")
    guesses = [("Pat" + end) for end in ("", " ", "\n")]
    hashed = {sha256(one.encode()).hexdigest()[:32] for one in guesses}
    assert token[5:] not in hashed
    assert names.token("Pat") != token


@pytest.mark.parametrize(
    "name", ["", " Pat", "P\nat", 'P"at', "P\\at", "<b>", "P&t", "x" * 101, "name-" + "0" * 32]
)
def test_what_could_end_a_string_of_json_or_html_is_not_a_name(vault: Path, name: str) -> None:
    before = vault.read_bytes()
    with pytest.raises(NameRefusedError, match="is not a patron's name"):
        Names(vault).token(name)
    assert vault.read_bytes() == before


def test_no_text_of_a_command_makes_a_name_appear(vault: Path) -> None:
    """Whoever has a token from an exported record could have a page show its name."""
    names = Names(vault)
    token = names.token("Pat")
    for command in (
        {"type": "SeatPatron", "seat": 3, "patron": token},
        {"type": "WriteNote", "text": f"about {token}"},
        {"type": "NoSuchCommand", "text": token},
    ):
        with pytest.raises(NameRefusedError, match="not its token"):
            names.tokens(command)
    seated = names.tokens({"type": "ReserveSeat", "seat": 3, "patron": "Pat", "reason": "Pat"})
    assert seated == {"type": "ReserveSeat", "seat": 3, "patron": token, "reason": "Pat"}


def swapped(data: dict[str, dict[str, dict[str, str]]]) -> None:
    one, other = data["names"].values()
    one["name"], other["name"] = other["name"], one["name"]


def markup(data: dict[str, dict[str, dict[str, str]]]) -> None:
    next(iter(data["names"].values()))["name"] = '"<script>'


def another_format(data: dict[str, object]) -> None:
    data["format"] = "croupier-names/9"


def unknown_field(data: dict[str, object]) -> None:
    data["extra"] = 1


@pytest.mark.parametrize("change", [swapped, markup, another_format, unknown_field])
def test_a_changed_vault_is_refused(vault: Path, change: Callable[[object], None]) -> None:
    names = Names(vault)
    names.token("Pat")
    names.token("Lee")
    data = json.loads(vault.read_text())
    change(data)
    vault.write_text(json.dumps(data))
    with pytest.raises(NamesError, match=str(vault)):
        Names(vault)
    told = told_with(2, "names", "list", vault).stderr
    assert str(vault) in told


def test_several_writers_lose_no_name(vault: Path) -> None:
    asked = [f"Patron {number}" for number in range(24)]
    with ThreadPoolExecutor(4) as pool:
        tokens = [*pool.map(lambda name: Names(vault).token(name), asked * 2)]
    assert tokens[:24] == tokens[24:]
    kept, _ = Names(vault).listed()
    assert sorted(kept.values()) == sorted(asked)


def test_a_vault_that_is_replaced_while_it_is_read_is_read_again(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Names(vault)

    def read_late(path: Path) -> bytes:
        with path.open("rb") as file:
            monkeypatch.undo()
            writer.token("Pat")
            return file.read()

    monkeypatch.setattr("croupier.records.names.read_bytes", read_late)
    kept, _ = Names(vault).listed()
    assert [*kept.values()] == ["Pat"]


def test_a_draft_left_by_a_killed_command_is_replaced(vault: Path, tmp_path: Path) -> None:
    names = Names(vault)
    names.token("Pat")
    vault.with_name(f"{vault.name}.new").write_bytes(vault.read_bytes())
    names.erase("Pat", "Ann", "asked")
    assert b"Pat" not in every_byte(tmp_path)


# --- the commands --------------------------------------------------------------------------------


def test_who_erases_a_name_and_why_is_recorded(vault: Path) -> None:
    token = Names(vault).token("Pat")
    for words, told in (
        (("Lee", "--by", "Ann", "--reason", "asked"), "it has no name 'Lee'"),
        (("Pat", "--by", " ", "--reason", "asked"), "write both"),
        (("Pat", "--by", "Ann", "--reason", ""), "write both"),
    ):
        assert told in told_with(2, "names", "erase", vault, *words).stderr
        assert Names(vault).token("Pat") == token
    told_with(0, "names", "erase", vault, token, "--by", "Ann", "--reason", "asked by letter")
    listed = told_with(0, "names", "list", vault).stdout
    assert "by Ann: asked by letter" in listed
    assert "0 names, 1 erased" in listed
    again = told_with(2, "names", "erase", vault, token, "--by", "Ann", "--reason", "asked")
    assert "it was erased" in again.stderr
    told_with(2, "names", "new", vault)


def test_who_erased_a_name_first_stays_recorded(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes erase at once: the other is done between this one's look and its lock."""
    token = Names(vault).token("Pat")
    late, first = Names(vault), Names(vault)

    def locked_late(path: Path) -> int:
        monkeypatch.setattr("croupier.records.names.locked", locked)
        first.erase("Pat", "Ann", "asked first")
        return locked(path)

    monkeypatch.setattr("croupier.records.names.locked", locked_late)
    with pytest.raises(NamesError, match="it has no name 'Pat'"):
        late.erase("Pat", "Bob", "asked later")
    assert Names(vault).listed()[1][token].by == "Ann"


def shown(log: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what every command that shows persons makes of a log, outside its folder."""
    out = folder / "out"
    out.mkdir(exist_ok=True)
    told_with(0, "replay", log, "-o", out / "page.html", "--force")
    yield "replay", (out / "page.html").read_text()
    told_with(0, "explain", log, "--round", "1", "--report", out / "round.json", "--force")
    yield "report", (out / "round.json").read_text()
    yield "rounds", told_with(0, "rounds", log, "--format", "json").stdout


ROUND = COMMANDS + "".join(
    f"{one}\n"
    for one in (
        '{"type":"ReceiveCards","decks":8,"preshuffled":true}',
        '{"type":"VerifyCards","floorperson":"Flo"}',
        '{"type":"AcceptCut","seat":3,"position":120}',
        '{"type":"InsertCuttingCards","from_back":14}',
        '{"type":"LoadShoe"}',
        '{"type":"DrawCard","card":"As"}',
        '{"type":"DrawCard","card":"2s"}',
        '{"type":"PlaceWager","seat":3,"wager":"banker","cents":10000}',
        '{"type":"CallNoMoreBets"}',
        *(f'{{"type":"DrawCard","card":"{card}"}}' for card in ("9h", "Kd", "4c", "7s", "8d")),
        '{"type":"SettleWagers"}',
        '{"type":"ClearLayout"}',
    )
)


def test_the_record_has_tokens_and_pages_and_reports_have_names_until_one_is_erased(
    vault: Path, tmp_path: Path
) -> None:
    log = vault.with_suffix("")
    told_with(0, "run", PLAIN, "-", "-o", log, "--quiet", text=ROUND)
    lines = log.read_bytes()
    (token,) = {*TOKEN.findall(lines.decode())}
    assert NAME.encode() not in lines
    told_with(0, "verify", log)
    export = tmp_path / "exported"
    told_with(0, "export", log, "-o", export)
    assert NAME.encode() not in every_byte(export)
    for place, text in shown(log, tmp_path):
        assert token not in text, place
        assert NAME in unescape(text).replace("\\u0027", "'"), place
    told_with(0, "names", "erase", vault, NAME, "--by", "Ann", "--reason", "asked")
    assert log.read_bytes() == lines
    told_with(0, "verify", log)
    for place, text in shown(log, tmp_path):
        assert f"erased {token[5:13]}" in text, place
        assert token not in text, place
    assert NAME.encode() not in every_byte(tmp_path)
    vault.unlink()
    for place, text in shown(log, tmp_path):
        assert token in text, place


def test_the_views_of_a_store_have_tokens(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    new_names(names_beside(store) or tmp_path / "pit.sqlite.names")
    told_with(0, "run", PLAIN, "-", "-o", store, "--quiet", text=ROUND)
    told_with(0, "store", "views", store)
    views = (tmp_path / "pit.sqlite.views").read_bytes()
    assert NAME.encode() not in views
    assert TOKEN.search(views.decode("latin-1"))


def test_a_damaged_vault_ends_what_would_show_names(log: Path, vault: Path) -> None:
    vault.write_text("{}}")
    for words in (("replay", log), ("explain", log, "--round", "1"), ("rounds", log)):
        assert str(vault) in told_with(2, *words).stderr
    told_with(0, "verify", log)


def test_a_log_goes_on_with_the_tokens_that_it_has(log: Path) -> None:
    more = f'{{"type":"ReserveSeat","seat":4,"patron":"{NAME}","floorperson":"Flo"}}\n'
    result = croupier("run", PLAIN, "-", "--resume", log, text=more)
    assert NAME.encode() not in log.read_bytes()
    assert len({*TOKEN.findall(log.read_text())}) == 1, result.output
