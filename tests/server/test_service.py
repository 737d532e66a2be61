"""The live table over HTTP: made of a submission, commanded, listened to, and gone on with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append, InDoubtError
from croupier.records.stores.stream import StoreError
from croupier.verify.log import verify_log
from support.served import Person, Served, listen, problem, served
from support.tables import OPEN, consented, make_table, opened

T = "/v1/tables/MB-101"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


def test_a_table_is_made_opened_by_two_persons_and_its_record_verifies(
    house: Served, tmp_path: Path
) -> None:
    dealer, _ = opened(house)
    assert (
        dealer.does("MB-101", {"type": "SeatPatron", "seat": 3, "patron": "Pat"}).status_code == 200
    )
    watcher = house.person("surveillance")
    kept = watcher.http.get(f"{T}/log")
    log = tmp_path / "log.jsonl"
    log.write_bytes(kept.content)
    verdict = verify_log(log)
    assert (verdict.is_clean, verdict.is_open, verdict.entries) == (True, True, 2)
    assert watcher.sees(f"{T}/verify")["clean"]


def test_a_refusal_has_a_code_clauses_in_words_and_what_may_be_done_instead(house: Served) -> None:
    dealer, _ = opened(house)
    told = problem(dealer.does("MB-101", {"type": "CallNoMoreBets"}), 409, "not_now")
    assert told["seq"] == 1
    assert "ReceiveCards" in {one["command"] for one in told["legal"]}


def test_a_request_under_its_key_is_answered_again_and_done_once(house: Served) -> None:
    dealer, _ = opened(house)
    seat = {"type": "SeatPatron", "seat": 3, "patron": "Pat"}
    first = dealer.does("MB-101", seat, key="a")
    again = dealer.does("MB-101", seat, key="a")
    assert (first.content, first.status_code) == (again.content, again.status_code)
    assert again.headers["idempotent-replay"] == "true"
    assert "idempotent-replay" not in first.headers
    problem(dealer.does("MB-101", {**seat, "seat": 4}, key="a"), 422, "key_reused")
    # What corrects an entry is another request.
    path, keyed = f"{T}/commands?corrects=2", {"Idempotency-Key": "a"}
    problem(dealer.http.post(path, json=seat, headers=keyed), 422, "key_reused")
    assert dealer.sees(T)["seq"] == 2


def test_keys_hold_after_a_restart(tmp_path: Path) -> None:
    seat = {"type": "SeatPatron", "seat": 3, "patron": "Pat"}
    with served(tmp_path / "pit.sqlite") as house:
        dealer, _ = opened(house)
        first = dealer.does("MB-101", seat, key="a")
        refused = dealer.does("MB-101", {"type": "CallNoMoreBets"}, key="b")
        token = dealer.token
    with served(tmp_path / "pit.sqlite") as house:
        dealer = Person(house.place, token)
        again = dealer.does("MB-101", seat, key="a")
        assert (again.status_code, again.content) == (200, first.content)
        same = dealer.does("MB-101", {"type": "CallNoMoreBets"}, key="b")
        assert (same.status_code, same.content) == (409, refused.content)
        assert dealer.sees(T)["seq"] == 2
        dealer.http.close()


def test_a_stream_tells_each_entry_once_and_goes_on_where_it_was(house: Served) -> None:
    dealer, _ = opened(house)
    for seat in (1, 2, 3):
        dealer.does("MB-101", {"type": "SeatPatron", "seat": seat, "patron": f"Pat {seat}"})
    heard = listen(dealer, f"{T}/events?after=0", lambda found: len(found) == 4)
    assert [one[:2] for one in heard] == [(str(at), "entry") for at in (1, 2, 3, 4)]
    heard = listen(dealer, f"{T}/events", lambda found: len(found) == 2, Last_Event_ID="2")
    assert [(at, data["command"]["seat"]) for at, _, data in heard] == [("3", 2), ("4", 3)]


def test_a_stream_ends_with_bye_when_the_service_ends(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        make_table(house)
        board = house.person("board")

        house.end_in(0.3)
        assert listen(board, f"{T}/events", lambda heard: heard[-1:] == [("", "bye", {})])


def test_what_waits_for_consent_waits_after_a_restart_and_is_done_once(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        make_table(house)
        floor, dealer = house.person("floorperson", "Flo"), house.person("dealer", "Dana")
        waits = floor.does("MB-101", OPEN).json()["consent"]
        tokens = floor.token, dealer.token
    path, consent = f"{T}/consents/{waits['id']}", {"consent": True}
    with served(tmp_path / "pit.sqlite") as house:
        floor, dealer = (Person(house.place, one) for one in tokens)
        (shown,) = dealer.sees(f"{T}/consents")["consents"]
        # It is the floorperson's own, and the dealer's to answer.
        assert waits["mine"] is True
        assert {name: shown[name] for name in waits} == waits | {"mine": False}
        keys = [{"Idempotency-Key": name} for name in ("a", "b", "c")]
        # Who may not consent leaves it waiting.
        problem(floor.http.post(path, json=consent, headers=keys[0]), 403, "two_persons")
        first = dealer.http.post(path, json=consent, headers=keys[1])
        assert (first.status_code, first.json()["seq"]) == (200, 1)
        again = dealer.http.post(path, json=consent, headers=keys[1])
        assert again.headers["idempotent-replay"] == "true"
        for one in (floor, dealer):
            one.http.close()
    with served(tmp_path / "pit.sqlite") as house:
        dealer = Person(house.place, tokens[1])
        problem(dealer.http.post(path, json=consent, headers=keys[2]), 410, "gone")
        assert (dealer.sees(T)["seq"], house.service.store.documents("consent MB-101")) == (1, {})
        dealer.http.close()


def test_an_act_of_three_persons_waits_under_one_id_also_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        dealer, floor = opened(house)
        relief = house.person("floorperson", "Fay")
        assigned = {"type": "AssignOffice", "office": "floorperson", "person": "Fay"}
        assert floor.does("MB-101", assigned).status_code == 200
        shift = {
            "type": "ChangeShift", "shift": "night", "chips": {"10000": 500}, "dealer": "Dana",
            "leaving": "Flo", "floorperson": "Fay",
        }  # fmt: skip
        waits = floor.does("MB-101", shift).json()["consent"]
        assert waits["needs"] == ["dealer", "floorperson"]
        swing = floor.does("MB-101", {**shift, "shift": "swing"})
        assert consented(dealer, swing).status_code == 202
        # A decline after a consent ends it under the same id, too.
        name = swing.json()["consent"]["id"]
        declined = relief.http.post(
            f"{T}/consents/{name}", json={"consent": False}, headers={"Idempotency-Key": "no"}
        )
        assert declined.json() == {"declined": name}
        (other,) = relief.sees(f"{T}/consents")["consents"]
        assert other["id"] == waits["id"]
        path, given = f"{T}/consents/{waits['id']}", {"consent": True}
        first = dealer.http.post(path, json=given, headers={"Idempotency-Key": "a"})
        told = first.json()["consent"]
        assert (first.status_code, told["id"], told["needs"]) == (202, waits["id"], ["floorperson"])
        assert [one["person"] for one in told["by"]] == ["Flo", "Dana"]
        # Who consented does not consent again for another, and leaves it waiting.
        again = dealer.http.post(path, json=given, headers={"Idempotency-Key": "b"})
        problem(again, 403, "two_persons")
        tokens = dealer.token, relief.token
    with served(tmp_path / "pit.sqlite") as house:
        dealer, relief = (Person(house.place, one) for one in tokens)
        again = dealer.http.post(path, json=given, headers={"Idempotency-Key": "a"})
        assert again.content == first.content
        (shown,) = relief.sees(f"{T}/consents")["consents"]
        assert (shown["id"], shown["needs"]) == (waits["id"], ["floorperson"])
        last = relief.http.post(path, json=given, headers={"Idempotency-Key": "c"})
        assert (last.status_code, last.json()["seq"]) == (200, 3), last.text
        assert "consent" not in last.json()
        problem(dealer.http.post(path, json=given, headers={"Idempotency-Key": "d"}), 410, "gone")
        for one in (dealer, relief):
            one.http.close()


def test_an_act_of_unknown_outcome_does_not_wait_for_its_consent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, doubts = SQLiteStore(tmp_path / "pit.sqlite"), [False]
    with served(store) as house:
        make_table(house)
        floor, dealer = house.person("floorperson", "Flo"), house.person("dealer", "Dana")
        waits = floor.does("MB-101", OPEN).json()["consent"]
        house.record_grants()
        commit = store.commit

        def stored(appends: Sequence[Append]) -> Mapping[str, StoreError]:
            failed = commit(appends)
            if doubts[0]:
                raise InDoubtError("the store went away after the commit")
            return failed

        monkeypatch.setattr(store, "commit", stored)
        doubts[0] = True
        path, given = f"{T}/consents/{waits['id']}", {"consent": True}
        first = dealer.http.post(path, json=given, headers={"Idempotency-Key": "a"})
        problem(first, 503, "not_owner")
        doubts[0] = False
        assert house.service.store.documents("consent MB-101") == {}
        # Under its key it is answered as it was stored.
        again = dealer.http.post(path, json=given, headers={"Idempotency-Key": "a"})
        assert (again.status_code, again.json()["seq"]) == (200, 1)
    with served(tmp_path / "pit.sqlite") as house:
        boss = house.person("dealer", "Dora")
        late = boss.http.post(path, json=given, headers={"Idempotency-Key": "b"})
        problem(late, 410, "gone")
