"""A store is backed up with a sealed shoe in use, lost, and restored: no token, and the vault."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import httpx
import pytest

from croupier.records.stores.places import open_store
from croupier.records.stores.store import COPIED, Store
from croupier.records.stores.vault import SealedVault, StoreVault, VaultError, new_vault_key
from croupier.server.desks.shoe import ShoeVault
from support.command_line import croupier
from support.crew import Crew
from support.databases import cluster
from support.served import Person, Served, problem, served
from support.tables import given

store_command = partial(croupier, "store")


def vault_of(kind: str, store: Store, key: Path) -> ShoeVault | None:
    return StoreVault(store, key) if kind == "postgres" else None


def place_of(kind: str, folder: Path) -> str:
    return cluster().database() if kind == "postgres" else str(folder / "pit.sqlite")


def made(path: Path) -> Path:
    path.write_bytes(new_vault_key())
    path.chmod(0o600)
    return path


def crew_of(house: Served) -> Crew:
    """Return people with new grants at a table that is open already."""
    crew = object.__new__(Crew)
    crew.house = house
    crew.dealer, crew.floor = house.person("dealer", "Dana"), house.person("floorperson", "Flo")
    return crew


def resume(crew: Crew) -> None:
    """Let play go on at a table that the service paused, as the watch agrees."""
    watch = {"type": "AssignOffice", "person": "Sue", "office": "surveillance"}
    assert crew.floor.does("MB-101", watch).status_code == 200
    given(crew.floor, crew.house.person("surveillance", "Sue"), {"type": "ResumeTable"})


def backed_up(place: str, copy: Path, *, vault: str, key: Path) -> tuple[list[str], str, str]:
    """Deal up to the wagers of a sealed shoe and copy the store.

    Returns tokens, a link, and what the command printed.
    """
    store = open_store(place)
    with served(store, vault=vault_of(vault, store, key)) as one:
        crew = Crew(one, "sealed")
        crew.until_drawing()
        while (act := crew.must()) and act["command"] == "DrawCard":
            crew.do("DrawCard", card="next")
        crew.do("BuyChips", seat=3, cents=100_000)
        one.record_grants()
        told = store_command("backup", place, copy)
        assert told.exit_code == 0, told.output
        link = one.link("pit boss", "Lou")
        copied = store_command("backup", place, copy.with_name("with-link.sqlite"))
        assert copied.exit_code == 0, copied.output
        return [crew.dealer.token, crew.floor.token], link, told.output


@pytest.mark.parametrize("into", ["sqlite", "postgres"])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_restored_store_deals_its_sealed_shoe_on_and_revives_no_token(
    tmp_path: Path, kind: str, into: str
) -> None:
    key = made(tmp_path / "pit.sqlite.vault.key")
    copy = tmp_path / "with-link.sqlite"
    tokens, link, told = backed_up(
        place_of(kind, tmp_path), tmp_path / "copy.sqlite", vault=kind, key=key
    )
    assert "sealed secrets of shoes" in told
    assert "It does not have their key" in told
    # The disk is lost; the copy and a copy of the key are elsewhere.
    for end in ("", "-wal", "-shm", ".vault"):
        (tmp_path / f"pit.sqlite{end}").unlink(missing_ok=True)
    new = tmp_path / "new"
    new.mkdir()
    target = place_of(into, new)
    back = store_command("restore", copy, target)
    assert back.exit_code == 0, back.output
    assert "Its grants are void" in back.output
    if (kind, into) == ("sqlite", "sqlite"):
        assert "Put the key of the vault back" in " ".join(back.output.split())
        with pytest.raises(VaultError, match=r"its key .* is missing"), served(open_store(target)):
            pass
        shutil.copy(key, new / "pit.sqlite.vault.key")
    else:
        assert "--vault-key FILE" in back.output
    store = open_store(target)
    vault = "" if (kind, into) == ("sqlite", "sqlite") else "postgres"
    with served(store, vault=vault_of(vault, store, key)) as one:
        for token in tokens:
            person = Person(one.place, token)
            problem(person.http.get("/v1/tables/MB-101"), 401, "no_token")
            person.http.close()
        problem(one.anybody().post("/v1/tokens", json={"link": link}), 410, "gone")
        assert one.anybody().get("/readyz").json() == {"ready": True, "tables": 1}
        crew = crew_of(one)
        crew.round(lambda: crew.do("DrawCard", card="next"))
        token = crew.dealer.token
    # It is a store like any other by now: what was granted since goes on.
    store = open_store(target)
    assert store.document(*COPIED) is None
    with served(store, vault=vault_of(vault, store, key)) as one:
        again = Person(one.place, token)
        assert again.sees("/v1/tables/MB-101")["seq"] > 1
        again.http.close()
    assert store_command("check", target).exit_code == 0


def test_a_table_without_the_secret_of_its_shoe_is_paused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place, copy = tmp_path / "pit.sqlite", tmp_path / "copy.sqlite"
    backed_up(str(place), tmp_path / "first.sqlite", vault="", key=tmp_path / "none")
    (tmp_path / "pit.sqlite.vault").unlink()
    told = store_command("backup", place, copy)
    assert (told.exit_code, "lacks secrets of sealed shoes of MB-101" in told.output) == (0, True)
    target = tmp_path / "new.sqlite"
    back = store_command("restore", copy, target)
    assert (back.exit_code, "lacks secrets of sealed shoes of MB-101" in back.output) == (0, True)
    with served(open_store(str(target))) as one:
        assert one.anybody().get("/readyz").json() == {
            "ready": True,
            "tables": 1,
            "without_secret": ["MB-101"],
        }
        assert "MB-101: the vault lacks the secret" in caplog.text
        crew = crew_of(one)
        wager = {"type": "PlaceWager", "seat": 3, "wager": "banker", "cents": 10_000}
        refused = crew.dealer.does("MB-101", wager)
        assert (refused.status_code, refused.json()["code"]) == (409, "no_shoe")
        assert one.service.tables["MB-101"].desk.durable.house.pause
        # Who lets play go on still takes no wager on cards that cannot be dealt.
        resume(crew)
        for act in (wager, {"type": "CallNoMoreBets"}, {"type": "DrawCard", "card": "next"}):
            problem(crew.dealer.does("MB-101", act), 409, "no_shoe")


def test_a_shoe_of_a_lost_secret_is_exchanged_for_another(tmp_path: Path) -> None:
    place = tmp_path / "pit.sqlite"
    backed_up(str(place), tmp_path / "copy.sqlite", vault="", key=tmp_path / "none")
    (tmp_path / "pit.sqlite.vault").unlink()
    with served(open_store(str(place))) as one:
        crew = crew_of(one)
        resume(crew)
        crew.do("DeclareIdle", face_up=False)
        fields: dict[str, dict[str, object]] = {"CutStack": {"position": 100}, "ViewSpread": {"seat": 3},
                  "AcceptCut": {"seat": 3, "position": 100},
                  "VerifyCards": {"accepted": True},
                  "InsertCuttingCards": {"from_back": 20}}  # fmt: skip
        for _ in range(60):
            act = crew.must()
            assert act is not None
            if act["command"] == "DrawCard":
                break
            crew.do(act["command"], **fields.get(act["command"], {}))
        crew.do("DrawCard", card="next")
        assert "without_secret" not in one.anybody().get("/readyz").json()


def test_a_round_without_the_secret_of_its_shoe_is_void(tmp_path: Path) -> None:
    place = tmp_path / "pit.sqlite"
    backed_up(str(place), tmp_path / "copy.sqlite", vault="", key=tmp_path / "none")
    with served(open_store(str(place))) as one:
        crew = crew_of(one)
        crew.do("PlaceWager", seat=3, wager="banker", cents=10_000)
        crew.do("CallNoMoreBets")
        crew.do("DrawCard", card="next")
    (tmp_path / "pit.sqlite.vault").unlink()
    with served(open_store(str(place))) as one:
        crew = crew_of(one)
        resume(crew)
        problem(crew.dealer.does("MB-101", {"type": "DrawCard", "card": "next"}), 409, "no_shoe")
        ended = crew.floor.does("MB-101", {"type": "FindShoeEmpty", "supervisor": "Flo"})
        assert ended.status_code == 200, ended.text
        given(crew.dealer, crew.floor, {"type": "VoidRound"})
        state = one.service.tables["MB-101"].desk.durable.state
        assert not state.stakes, "the stake is the patron's again"


def test_a_vault_that_is_there_is_kept_if_it_has_the_secrets_of_the_copy(tmp_path: Path) -> None:
    place, copy, vault = (
        tmp_path / name for name in ("pit.sqlite", "c.sqlite", "pit.sqlite.vault")
    )
    backed_up(str(place), copy, vault="", key=tmp_path / "none")
    place.unlink()
    before = vault.read_bytes()
    moved = vault.rename(tmp_path / "elsewhere")
    other = SealedVault(vault, made(tmp_path / "other.key"))
    other.commit()
    told = store_command("restore", copy, place)
    assert (told.exit_code, place.exists()) == (2, False), told.output
    assert "it lacks secrets of the copy (1)" in told.output
    moved.replace(vault)
    assert store_command("restore", copy, place).exit_code == 0
    assert vault.read_bytes() == before
    assert store_command("check", place).exit_code == 0


@pytest.mark.parametrize("into", ["sqlite", "postgres"])
def test_a_copy_without_a_mark_is_marked_when_it_is_restored(tmp_path: Path, into: str) -> None:
    place, target = tmp_path / "pit.sqlite", place_of(into, tmp_path / "new")
    (tmp_path / "new").mkdir()
    with served(place) as one:
        token = one.token("pit boss", "Lou")
    # A store that was copied by other means while nobody used it.
    assert store_command("restore", place, target).exit_code == 0
    with served(open_store(target)) as one:
        problem(httpx.get(f"{one.place}/v1/grants", headers=bearer(token)), 401, "no_token")
    with served(place) as one:
        assert httpx.get(f"{one.place}/v1/grants", headers=bearer(token)).status_code == 200


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_nothing_is_restored_beside_the_log_of_a_lost_store(tmp_path: Path) -> None:
    place, copy = tmp_path / "pit.sqlite", tmp_path / "copy.sqlite"
    with open_store(str(place)) as store:
        store.create("T").append(0, [b"header"])
        assert store_command("backup", place, copy).exit_code == 0
        store.open("T").append(1, [b"entry"])
        place.unlink()
        told = store_command("restore", copy, place)
    assert (told.exit_code, place.exists()) == (2, False)
    assert "pit.sqlite-wal: it exists, and is not replaced" in told.output
