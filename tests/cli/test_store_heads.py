"""Signed heads of a store: what is missing, truncated, renamed, doubled, changed, or older is found."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

from croupier.cli.common.schema import SCHEMAS
from croupier.records.checkpoints import append_signed
from croupier.records.heads import ContradictedError, HeadsFile
from croupier.records.signing import Signer
from croupier.records.stores.places import open_store
from croupier.records.stores.stream import StoreError
from support.command_line import croupier
from support.databases import cluster
from support.forged_logs import forged, has, read, where
from support.project import PLAIN
from support.signed_logs import made_key, trust_file

run = partial(croupier, "store", columns=400)
Records = Mapping[str, Sequence[bytes]]
KINDS = ("sqlite", "postgres")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """Return the lines of two closed logs."""
    folder = tmp_path_factory.mktemp("logs")
    for seed, name in enumerate(("T1", "T2")):
        dealt = croupier("deal", PLAIN, "--seed", seed, "--patrons", 1, "--quiet", "-o",
                         folder / name)  # fmt: skip
        assert dealt.exit_code == 0, dealt.output
    return {one: (folder / one).read_bytes().splitlines(keepends=True) for one in ("T1", "T2")}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Return a folder with keys and a trust file of one of them."""
    for name in ("house", "witness"):
        made_key(tmp_path, name)
    trust_file(tmp_path / "trust.toml", ("House", tmp_path / "house", ""))
    return tmp_path


def stored(kind: str, folder: Path, records: Records) -> str:
    """Return the place of a new store with these records."""
    place = cluster().database() if kind == "postgres" else str(folder / "pit.sqlite")
    Path(folder / "pit.sqlite").unlink(missing_ok=True)
    store = open_store(place)
    try:
        for name, lines in records.items():
            store.create(name).append(0, lines)
    finally:
        store.close()
    return place


def sign(keys: Path, place: object, key: str = "house", out: str = "heads") -> str:
    done = run("heads", place, "--key", keys / key, "-o", keys / out, "--trust",
               keys / "trust.toml")  # fmt: skip
    assert done.exit_code == 0, done.output
    return done.output


def checked(keys: Path, place: str, *heads: str) -> tuple[int, str]:
    given = [word for one in heads or ("heads",) for word in ("--heads", keys / one)]
    done = run("check", place, "--trust", keys / "trust.toml", *given)
    return done.exit_code, done.output


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_is_as_signed_and_grows(
    kind: str, keys: Path, logs: dict[str, list[bytes]]
) -> None:
    sign(keys, stored(kind, keys, {"T1": logs["T1"][:400]}))
    place = stored(kind, keys, logs)
    assert checked(keys, place)[0] == 0
    assert "2 records" in sign(keys, place)
    assert "0 records" in sign(keys, place)
    status, told = checked(keys, place)
    assert (status, "signed: 2 records through line 3 by House at" in told) == (0, True)
    lines = [json.loads(line) for line in (keys / "heads").read_bytes().splitlines()]
    for line in lines:
        Draft202012Validator(SCHEMAS["heads"]()).validate(line)
    assert [len(one["records"]) for one in lines] == [1, 2, 0]
    assert lines[0]["records"][0] == {
        "record": "T1",
        "stream": json.loads(logs["T1"][0])["stream"],
        "lines": 400,
        "sha256": json.loads(logs["T1"][399])["sha256"],
        "closed": False,
    }
    assert [one["closed"] for one in lines[1]["records"]] == [True, True]


def resealed(lines: Sequence[bytes]) -> list[bytes]:
    data = read(b"".join(lines))
    data[where(data, has("PatronSeated"))]["key"] = "another"
    return forged(data).splitlines(keepends=True)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_as_signed_is_found(
    kind: str, keys: Path, logs: dict[str, list[bytes]]
) -> None:
    first, second = logs["T1"], logs["T2"]
    sign(keys, stored(kind, keys, logs))
    others: dict[str, tuple[Records, list[str]]] = {
        "missing": ({"T1": first}, ["T2: the record is missing; head 1 ("]),
        "truncated": (
            {"T1": first, "T2": second[:-100]},
            [f"T2: the record has {len(second) - 100} lines; head 1 ("],
        ),
        "renamed": (
            {"T2": first, "T1": second},
            ["T1: the record is now named T2", "T2: the record is now named T1"],
        ),
        "doubled": (
            {"T1": first, "T2": second, "T3": first},
            ["T3: the record is that of T1 again: both have stream"],
        ),
        "changed": ({"T1": resealed(first), "T2": second}, ["T1: line", "it was sealed again"]),
        "older": (
            {"T1": first[:90], "T2": second[:60]},
            ["T1: the record has 90 lines", "T2: the record has 60 lines"],
        ),
        "begun only": ({"T1": first, "T2": []}, ["T2: the record is missing"]),
    }
    for name, (records, messages) in others.items():
        place = stored(kind, keys, records)
        status, told = checked(keys, place)
        assert (status, [one for one in messages if one not in told]) == (1, []), (name, told)
        # Nothing more is signed of such a store, and no service starts with it.
        before = (keys / "heads").read_bytes()
        done = run("heads", place, "--key", keys / "house", "-o", keys / "heads")
        assert (done.exit_code, messages[0] in done.output) == (1, True), (name, done.output)
        store = open_store(place)
        with pytest.raises(ContradictedError, match=re.escape(messages[0])):
            HeadsFile(keys / "heads", Signer(keys / "house")).check(store)
        store.close()
        assert (keys / "heads").read_bytes() == before


def test_a_doubled_record_is_found_without_heads(
    tmp_path: Path, logs: dict[str, list[bytes]]
) -> None:
    place = stored("sqlite", tmp_path, {"T1": logs["T1"], "T2": logs["T1"]})
    done = run("check", place)
    assert (done.exit_code, "T2: the record is that of T1 again" in done.output) == (1, True)
    # Nor has the second one rows, which would be counted twice.
    done = run("views", place)
    assert (done.exit_code, "T2: the record is that of T1 again" in done.output) == (1, True)


def test_a_record_without_a_header_is_not_signed(keys: Path, logs: dict[str, list[bytes]]) -> None:
    place = stored("sqlite", keys, {"T1": [b"{}\n", *logs["T1"][1:]]})
    done = run("heads", place, "--key", keys / "house", "-o", keys / "heads")
    assert (done.exit_code, "T1: line 1: not the header" in done.output) == (2, True)
    assert not (keys / "heads").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_that_is_restored_is_compared_with_heads(
    kind: str, keys: Path, logs: dict[str, list[bytes]]
) -> None:
    copy = keys / "copy.sqlite"
    made = run("backup", stored(kind, keys, {"T1": logs["T1"][:300]}), copy)
    assert made.exit_code == 0, made.output
    place = stored(kind, keys, logs)
    sign(keys, place)
    target = cluster().database() if kind == "postgres" else str(keys / "new.sqlite")
    back = run("restore", copy, target, "--heads", keys / "heads", "--trust", keys / "trust.toml")
    assert back.exit_code == 0, back.output
    assert "T1: the record has 300 lines; head 1 (" in back.output
    assert "T2: the record is missing" in back.output
    assert checked(keys, target)[0] == 1
    for at, (key, extent) in enumerate(
        {"house": "signed: 2 records", "witness": "no trusted key has signed these heads"}.items()
    ):
        sign(keys, place, key=key, out=f"by {key}")
        target = cluster().database() if kind == "postgres" else str(keys / f"{at}.sqlite")
        more = ("--heads", keys / f"by {key}", "--trust", keys / "trust.toml")
        assert extent in run("restore", copy, target, *more).output


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_that_is_not_as_it_was_signed_is_not_restored(
    kind: str, keys: Path, logs: dict[str, list[bytes]]
) -> None:
    sign(keys, stored(kind, keys, {"T1": logs["T1"][:200]}))
    sign(keys, stored(kind, keys, {"T1": logs["T1"]}))
    target = cluster().database() if kind == "postgres" else str(keys / "new.sqlite")
    for copied, named, message in (
        # It ends before the last head; the line of the first one is another.
        (logs["T2"][200:210], "T1", "T1: line 200 is not that of head 1"),
        ([], "T9", "T1: the record is now named T9"),
    ):
        source = stored(kind, keys, {named: [*logs["T1"][:199], *copied, *logs["T1"][:100]]})
        copy = keys / f"{named}.sqlite"
        assert run("backup", source, copy).exit_code == 0
        more = ("--heads", keys / "heads", "--trust", keys / "trust.toml")
        back = run("restore", copy, target, *more)
        assert (back.exit_code, message in back.output) == (1, True), back.output
        assert "nothing is restored" in back.output
    # It is as it was signed until the first head.
    short = stored(kind, keys, {"T1": logs["T1"][:250]})
    run("backup", short, keys / "short.sqlite")
    back = run("restore", keys / "short.sqlite", target, *more)
    assert (back.exit_code, "T1: the record has 250 lines" in back.output) == (0, True)


def test_the_document_of_a_restored_copy_has_what_the_heads_contradict(
    keys: Path, logs: dict[str, list[bytes]]
) -> None:
    copy = keys / "copy.sqlite"
    run("backup", stored("sqlite", keys, {"T1": logs["T1"][:300]}), copy)
    sign(keys, stored("sqlite", keys, logs))
    more = ("--trust", keys / "trust.toml", "--format", "json")
    back = run("restore", copy, keys / "new.sqlite", "--heads", keys / "heads", *more)
    told = json.loads(back.stdout)
    first, second = told["wrong"]
    assert first.startswith("T1: the record has 300 lines; head 1 (")
    assert second.startswith("T2: the record is missing")
    assert "signed: 2 records" in told["heads"][0]
    assert (told["uncounted"], back.stderr) == ([], "")
    sign(keys, stored("sqlite", keys, logs), key="witness", out="by witness")
    back = run("restore", copy, keys / "next.sqlite", "--heads", keys / "by witness", *more)
    told = json.loads(back.stdout)
    assert len(told["uncounted"]) == 1
    assert "no trusted key has signed these heads" in told["heads"][0]


def test_the_document_of_a_backup_has_no_heads(keys: Path, logs: dict[str, list[bytes]]) -> None:
    place = stored("sqlite", keys, {"T1": logs["T1"]})
    told = json.loads(run("backup", place, keys / "copy.sqlite", "--format", "json").stdout)
    assert [told[one] for one in ("wrong", "uncounted", "heads")] == [[], [], []]


def test_a_witness_signs_the_heads_of_another_organization(
    keys: Path, logs: dict[str, list[bytes]]
) -> None:
    place = stored("sqlite", keys, {"T1": logs["T1"][:400]})
    sign(keys, place)
    sign(keys, keys / "heads", key="witness", out="witnessed")
    sign(keys, stored("sqlite", keys, logs))
    trust_file(
        keys / "trust.toml",
        ("House", keys / "house", ""),
        ("Witness", keys / "witness", ""),
    )
    assert "2 records" in sign(keys, keys / "heads", key="witness", out="witnessed")
    status, told = checked(keys, place, "heads", "witnessed")
    assert (status, "by Witness at" in told, "by House at" in told) == (0, True, True)
    # The house cannot take back what the witness has seen, in whatever it signs anew.
    (keys / "heads").unlink()
    place = stored("sqlite", keys, {"T1": logs["T1"][:90], "T2": logs["T2"]})
    sign(keys, place)
    assert checked(keys, place, "heads")[0] == 0
    assert checked(keys, place, "heads", "witnessed")[0] == 1
    refused = run("heads", keys / "heads", "--key", keys / "witness", "-o", keys / "witnessed",
                  "--trust", keys / "trust.toml")  # fmt: skip
    assert (refused.exit_code, "T1: not what follows head 2" in refused.output) == (1, True)


def test_a_witness_signs_what_is_signed(keys: Path, logs: dict[str, list[bytes]]) -> None:
    sign(keys, stored("sqlite", keys, logs))
    unknown = trust_file(keys / "t.toml", ("Witness", keys / "witness", ""))
    out = keys / "witnessed"
    refused = run("heads", keys / "heads", "--key", keys / "witness", "-o", out, "--trust", unknown)
    assert (refused.exit_code, "is not trusted" in refused.output) == (1, True)
    assert not out.exists()
    untold = run("heads", keys / "heads", "--key", keys / "witness", "-o", out)
    assert (untold.exit_code, "give --trust" in untold.output) == (2, True)


@pytest.mark.parametrize(
    "line", [b'{"format":[]}', b'{"format":{}}', b'{"format":null}', b"[1]", b"1", b"text", b"\xff"]
)
def test_what_is_no_line_of_heads_is_wrong_input(
    keys: Path, logs: dict[str, list[bytes]], line: bytes
) -> None:
    place = stored("sqlite", keys, {"T1": logs["T1"]})
    sign(keys, place)
    heads = keys / "heads"
    before = heads.read_bytes() + line + b"\n"
    heads.write_bytes(before)
    status, told = checked(keys, place)
    assert (status, "heads:2: not " in told or "heads:2: 'utf-8'" in told) == (2, True), told
    refused = run("heads", place, "--key", keys / "house", "-o", heads)
    assert (refused.exit_code, heads.read_bytes()) == (2, before)
    if not line.startswith(b"{"):
        with pytest.raises(StoreError, match="not a signed line"):
            append_signed(heads, Signer(keys / "house"), "croupier-heads/1", {})


@pytest.mark.parametrize(
    "change", [(b'"lines":7', b'"lines":8'), (b'"record":"T1"', b'"record":"T3"')]
)
def test_heads_that_were_changed_are_not_believed(
    keys: Path, logs: dict[str, list[bytes]], change: tuple[bytes, bytes]
) -> None:
    place = stored("sqlite", keys, logs)
    sign(keys, place)
    path = keys / "heads"
    path.write_bytes(path.read_bytes().replace(*change))
    status, told = checked(keys, place)
    assert (status, "heads:1: " in told) == (1, True)
    assert "no trusted key has signed these heads" in told
    refused = run("heads", place, "--key", keys / "house", "-o", path)
    assert (refused.exit_code, "not signed with this key" in refused.output) == (1, True)


def test_a_key_that_has_ended_signs_no_heads(keys: Path, logs: dict[str, list[bytes]]) -> None:
    place = stored("sqlite", keys, logs)
    trust = trust_file(keys / "t", ("Old", keys / "house", "valid_until = 2001-01-01T00:00:00Z"))
    given = ("--key", keys / "house", "-o", keys / "heads", "--trust", trust)
    refused = run("heads", place, *given)
    assert (refused.exit_code, "Old: it cannot sign: " in refused.output) == (2, True)
    assert not (keys / "heads").exists()


def test_a_head_that_was_taken_out_is_missed(keys: Path, logs: dict[str, list[bytes]]) -> None:
    for count in (100, 200, 300):
        place = stored("sqlite", keys, {"T1": logs["T1"][:count]})
        sign(keys, place)
    path = keys / "heads"
    first, _, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + last)
    assert checked(keys, place)[0] == 1
    # A torn line was being written.
    path.write_bytes(first[:-50])
    status, told = checked(keys, place)
    assert (status, "no trusted key has signed these heads" in told) == (1, True)


def test_a_later_signature_vouches_for_those_before(
    keys: Path, logs: dict[str, list[bytes]]
) -> None:
    sign(keys, stored("sqlite", keys, {"T1": logs["T1"][:100]}))
    place = stored("sqlite", keys, logs)
    trust_file(
        keys / "trust.toml",
        ("House", keys / "house", ""),
        ("Witness", keys / "witness", ""),
    )
    sign(keys, place, key="witness")
    trust_file(keys / "trust.toml", ("Witness", keys / "witness", ""))
    status, told = checked(keys, place)
    assert (status, "not counted" in told) == (0, False)
    trust_file(keys / "trust.toml", ("House", keys / "house", ""))
    status, told = checked(keys, place)
    assert (status, "heads:2: not counted" in told, "through line 1" in told) == (0, True, True)


def test_a_record_that_was_signed_beside_the_store_is_missed(keys: Path) -> None:
    store = keys / "pit.sqlite"
    for number, table in enumerate(("T1", "T2")):
        dealt = croupier("deal", PLAIN, "--seed", number, "--patrons", 1, "--quiet", "-o", store,
                         "--table", table, "--sign", keys / "house")  # fmt: skip
        assert dealt.exit_code == 0, dealt.output
    trust = ("--trust", keys / "trust.toml")
    assert run("check", store, *trust).exit_code == 0
    kept = open_store(str(store))
    lines = {name: [*kept.lines(name)] for name in kept.names}
    kept.close()
    checkpoints = shutil.move(f"{store}.checkpoints", keys / "kept")
    place = stored("sqlite", keys, {"T1": lines["T1"][:-30]})
    shutil.move(checkpoints, f"{store}.checkpoints")
    done = run("check", place, *trust)
    stream = json.loads(lines["T2"][0])["stream"]
    assert done.exit_code == 1
    assert "no line of this log has the hash given" in done.output
    assert f"stream {stream}: signed, and missing" in done.output
    # A file of checkpoints without a signature that counts does not pass in silence.
    place = stored("sqlite", keys, lines)
    none = "no trusted key has signed a checkpoint of this store"
    kept_lines = Path(f"{store}.checkpoints").read_bytes()
    by_witness = trust_file(keys / "witness.toml", ("Witness", keys / "witness", ""))
    for content, key in ((None, "trust"), (b"", "trust"), (kept_lines, "witness")):
        Path(f"{store}.checkpoints").unlink()
        if content is not None:
            Path(f"{store}.checkpoints").write_bytes(content)
        done = run("check", place, "--trust", by_witness.with_name(f"{key}.toml"))
        assert (done.exit_code, none in done.output) == (1, True), done.output
        if content is None:
            Path(f"{store}.checkpoints").touch()
    # A record of which no checkpoint was signed is named.
    first = [one for one in kept_lines.splitlines(keepends=True) if stream.encode() not in one]
    Path(f"{store}.checkpoints").write_bytes(b"".join(first))
    done = run("check", place, *trust)
    assert (done.exit_code, "T2: no trusted key has signed it" in done.output) == (0, True)
    assert "T1: no trusted key" not in done.output
