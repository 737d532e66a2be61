"""Where the cards of a table come from: a reader at its shoe, or a shoe that the service seals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.baccarat.cards import DECK, Card
from croupier.money.stax import commitment_to
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.vault import StoreVault, VaultError, new_vault_key
from croupier.server.desks.days import TableDay
from croupier.server.desks.shoe import SealedShoes, order_of
from croupier.table.cards.chance import Chance
from support.crew import CUT, Crew
from support.databases import cluster
from support.served import NJ, Person, Served, problem, served
from support.tables import NOTIFIED

T = "/v1/tables/MB-101"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


def drawn(house: Served) -> list[str | None]:
    """Return the cards that the record says were drawn, in order."""
    watcher = house.person("surveillance")
    lines = watcher.http.get(f"{T}/log").text.splitlines()[1:]
    entries = [json.loads(line) for line in lines]
    return [one["command"]["card"] for one in entries if one["command"]["type"] == "DrawCard"]


@contextmanager
def sealing(kind: str, folder: Path) -> Iterator[Served]:
    """Run a service that can seal its shoes, on a store of either kind."""
    if kind == "sqlite":
        with served(folder / "pit.sqlite") as one:
            yield one
        return
    key = folder / "vault.key"
    key.write_bytes(new_vault_key())
    key.chmod(0o600)
    store = PostgresStore(cluster().database())
    with served(store, vault=StoreVault(store, key)) as one:
        yield one


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_sealed_shoe_is_committed_to_before_the_cut_and_proven_after_it(
    kind: str, tmp_path: Path
) -> None:
    with sealing(kind, tmp_path) as house:
        _is_committed_to_and_proven(house)


def _is_committed_to_and_proven(house: Served) -> None:
    crew = Crew(house, "sealed")
    crew.until_drawing()
    (shoe,) = crew.dealer.sees(f"{T}/shoes")["shoes"]
    assert shoe["secret"] is None
    told = problem(crew.dealer.does("MB-101", {"type": "DrawCard", "card": "9h"}), 409, "no_shoe")
    # The table has a shoe: it is the card that the service does not take.
    assert told["title"] == "There is no such shoe or card of the service's own"
    assert "the service draws the cards of this table" in told["detail"]

    def draw() -> None:
        crew.do("DrawCard", card="next")

    while (act := crew.must()) and act["command"] == "DrawCard":
        draw()
    crew.do("BuyChips", seat=3, cents=100_000)
    crew.round(draw)
    cards = drawn(house)
    # What the house knew is what it had committed to: the secret gives every card again.
    vault = house.service.vault
    secret = vault.secret_of(shoe["commitment"])
    assert commitment_to(secret) == shoe["commitment"]
    order = [card for _ in range(8) for card in DECK]
    Chance(int(secret, 16)).shuffle(order)
    begins = [*order[CUT:], *order[:CUT]]
    for found, card in zip(cards, begins, strict=False):
        assert found is None or Card.of(found) == card
    assert sum(one is not None for one in cards) >= 5


def test_a_sealed_shoe_is_dealt_on_by_another_process(tmp_path: Path) -> None:
    """A table is taken over in the middle of its shoe; the secret is in the store, sealed."""
    key = tmp_path / "vault.key"
    key.write_bytes(new_vault_key())
    key.chmod(0o600)
    address = cluster().database()

    def store() -> tuple[PostgresStore, StoreVault]:
        made = PostgresStore(address)
        return made, StoreVault(made, key)

    first, vault = store()
    with served(first, vault=vault) as house:
        crew = Crew(house, "sealed")
        crew.until_drawing()
        (shoe,) = crew.dealer.sees(f"{T}/shoes")["shoes"]
        crew.do("DrawCard", card="next")
        tokens = crew.dealer.token, crew.floor.token
        secret = house.service.vault.secret_of(shoe["commitment"])
    second, vault = store()
    with served(second, vault=vault) as house:
        crew.house = house
        crew.dealer, crew.floor = (Person(house.place, one) for one in tokens)
        assert crew.dealer.sees(f"{T}/shoes")["shoes"] == [shoe]
        while (act := crew.must()) and act["command"] == "DrawCard":
            crew.do("DrawCard", card="next")
        crew.do("BuyChips", seat=3, cents=100_000)
        crew.round(lambda: crew.do("DrawCard", card="next"))
        begins = [*order_of(secret, 8)[CUT:], *order_of(secret, 8)[:CUT]]
        cards = drawn(house)
        for found, card in zip(cards, begins, strict=False):
            assert found is None or Card.of(found) == card
        assert sum(one is not None for one in cards) >= 5
        kept = second.documents("secret")
        for one in (crew.dealer, crew.floor):
            one.http.close()
        # No byte of the store has the secret; whoever has it and another key is told so.
        assert shoe["commitment"] in kept
        assert not any(bytes.fromhex(secret) in one for one in kept.values())
        other = tmp_path / "other.key"
        other.write_bytes(new_vault_key())
        other.chmod(0o600)
        with pytest.raises(VaultError, match="does not open"):
            StoreVault(second, other)


class TwoDays:
    """The days of a table, and which entries were read of them."""

    def __init__(self, lines: list[bytes], before: int) -> None:
        self._lines = lines
        self.all = [TableDay("1", "", 0), TableDay("2", "", before)]
        self.read: list[tuple[int, int]] = []

    def lines(self, first: int, last: int) -> list[bytes]:
        self.read.append((first, last))
        return self._lines[first - 1 : last]


def test_a_restart_reads_the_days_back_to_the_last_shuffle_alone(house: Served) -> None:
    crew = Crew(house, "sealed")
    crew.until_drawing()
    table, vault = house.service.tables["MB-101"], house.service.vault
    position, shoes = table.desk.durable, table.shoes
    assert shoes is not None
    lines, last = [*house.service.store.lines("MB-101")][1:], position.sequence
    (shoe,) = shoes.shown(position)
    at = shoe["entry"]
    assert isinstance(at, int)
    for before, read in ((at - 1, [(at, last)]), (at, [(at + 1, last), (1, at)])):
        days: Any = TwoDays(lines, before)
        again = SealedShoes(days, vault)
        again.follow(last)
        assert days.read == read
        assert again.card(position) == shoes.card(position)
        assert not again.is_missing(position)
        assert [again.shown(position), again.shown(position)] == [[shoe], [shoe]]
        assert days.read == [*read, *([(1, before)] if before < at else [])]


def test_a_database_takes_a_key_for_sealed_shoes() -> None:
    with served(PostgresStore(cluster().database())) as house:
        answer = house.person("licensee").http.post(
            "/v1/tables",
            params={"cards": "sealed", "notified": NOTIFIED},
            content=NJ.read_bytes(),
            headers={"Content-Type": "application/toml"},
        )
        assert "--vault-key" in problem(answer, 422, "malformed")["detail"]


def test_no_secret_is_taken_that_is_not_kept(tmp_path: Path) -> None:
    key = tmp_path / "vault.key"
    key.write_bytes(new_vault_key())
    key.chmod(0o600)
    with SQLiteStore(tmp_path / "pit.sqlite") as store:
        vault = StoreVault(store, key)
        with pytest.raises(VaultError, match="no secret is ready"):
            vault.commit()
        vault.prepare()
        taken = [vault.commit() for _ in range(8)]
        assert len({*taken}) == 8
        assert vault.is_short
        again = StoreVault(store, key)
        for one in taken:
            assert commitment_to(again.secret_of(one)) == one
        assert again.secret_of("0" * 64) == ""


def test_a_reader_deals_what_is_due_and_is_locked_by_what_is_not(house: Served) -> None:
    crew = Crew(house, "reader")
    crew.until_drawing()
    reader = house.person("machine", "shoe 1", tables=("MB-101",), device="reader")
    number = 0

    def pull(person: Person, line: str) -> str:
        answer = person.http.post(
            f"{T}/reader", content=line, headers={"Content-Type": "text/plain"}
        )
        assert answer.status_code == 200, answer.text
        return answer.text.strip()

    problem(crew.dealer.http.post(f"{T}/reader", content="1 9h"), 403, "not_allowed")
    assert pull(reader, "1 2h").startswith("ok 1 ")
    entry = crew.dealer.sees(T)["seq"]
    assert pull(reader, "1 2h").startswith(f"ok 1 {entry}"), "the same card came twice"
    assert crew.dealer.sees(T)["seq"] == entry
    assert pull(reader, "1 3h").startswith("no 1 key_reused")
    said = ""
    for number in range(2, 40):
        said = pull(reader, f"{number} 2h" if number % 2 else f"{number} 3h")
        assert said.startswith("ok")
        if said.endswith("locked"):
            break
    assert said.endswith("locked"), "the burn ends"
    assert pull(reader, f"{number + 1} Qs").startswith(f"no {number + 1} overdraw")
    locked = crew.dealer.sees(T)["seq"]
    assert pull(reader, f"{number + 1} Qs").startswith(f"no {number + 1} overdraw")
    assert pull(reader, f"{number + 2} 4h").startswith(f"no {number + 2} overdraw")
    assert crew.dealer.sees(T)["seq"] == locked, "one lock is one entry"
    events = house.person("surveillance").sees(f"{T}/look")
    assert '"card": "Qs"' not in json.dumps(events)
    assert crew.dealer.http.post(f"{T}/reader/unlock").status_code == 204
    assert crew.dealer.http.post(f"{T}/reader/unlock").status_code == 204
    assert crew.dealer.sees(T)["seq"] == locked + 1
    problem(reader.http.post(f"{T}/reader/unlock"), 403, "not_allowed")
    crew.do("BuyChips", seat=3, cents=100_000)
    crew.do("PlaceWager", seat=3, wager="banker", cents=10_000)
    crew.do("CallNoMoreBets")
    assert pull(reader, f"{number + 3} 4h").startswith("ok")
    assert pull(reader, "x").startswith("no x malformed")
    entries = house.service.store.lines("MB-101", crew.dealer.sees(T)["seq"])
    assert b'"person":"Dana","office":"dealer","device":"reader:' in next(iter(entries))


def test_the_lock_of_the_reader_and_its_card_outlive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "pit.sqlite"
    with served(path) as house:
        crew = Crew(house, "reader")
        crew.until_drawing()
        reader = house.person("machine", "shoe 1", tables=("MB-101",), device="reader")

        def pull(line: str) -> str:
            answer = reader.http.post(
                f"{T}/reader", content=line, headers={"Content-Type": "text/plain"}
            )
            return answer.text.strip()

        number = 1
        while not pull(f"{number} {'23'[number % 2]}h").endswith("locked"):
            number += 1
        assert pull("9999 Jc").startswith("no 9999 overdraw")
        tokens = crew.dealer.token, reader.token
        (last,) = house.service.store.lines("MB-101", crew.dealer.sees(T)["seq"])
        assert b'{"type":"ReportOverdraw","card":"Jc"}' in last
    with served(path) as house:
        dealer, reader = (Person(house.place, token) for token in tokens)
        text = {"Content-Type": "text/plain"}
        answer = reader.http.post(f"{T}/reader", content="10000 2h", headers=text)
        assert answer.text.startswith("no 10000 overdraw")
        assert dealer.http.post(f"{T}/reader/unlock").status_code == 204
        dealer.does("MB-101", {"type": "DrawCardInError", "card": "Jc", "disclosed": True})
        assert dealer.sees(T)["phase"] == "BETTING"
        dealer.http.close()
        reader.http.close()
