"""Keys, signed checkpoints, and logs that are held to them."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result

from support.command_line import croupier
from support.forged_logs import forged, has, read, where
from support.project import PLAIN
from support.signed_logs import DEALING, killed_log, made_key

run = partial(croupier, columns=200)


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """Return a log that was dealt with a key beside it."""
    key, log = tmp_path / "table.key", tmp_path / "log.jsonl"
    assert run("key", "new", key).exit_code == 0
    dealt = run("deal", PLAIN, "--seed", 8, "--patrons", 2, "--log", log, "--sign", key, "--quiet")
    assert dealt.exit_code == 0, dealt.output
    return log


def verified(log: Path, *more: object) -> Result:
    return run("verify", log, "--public-key", log.with_name("table.key.pub"), *more)


def test_a_key_is_for_its_owner_alone(signed: Path) -> None:
    assert signed.with_name("table.key").stat().st_mode & 0o077 == 0


def test_a_key_is_not_written_over(signed: Path) -> None:
    key = signed.with_name("table.key")
    before = key.read_bytes()
    assert run("key", "new", key).exit_code == 2
    assert key.read_bytes() == before


def test_a_signed_log_is_vouched_for(signed: Path) -> None:
    result = verified(signed)
    assert result.exit_code == 0, result.output
    assert "Every head given is in this log." in result.output
    assert json.loads(verified(signed, "--format", "json").output)["head_given"] is True


def test_a_truncated_log_is_told(signed: Path) -> None:
    signed.write_bytes(b"".join(signed.read_bytes().splitlines(keepends=True)[:-4]))
    assert run("verify", signed).exit_code == 0
    result = verified(signed)
    assert result.exit_code == 1
    assert "no line of this log has the hash given" in result.output


def test_a_log_that_was_sealed_again_is_told(signed: Path) -> None:
    lines = read(signed.read_bytes())
    lines[where(lines, has("PatronSeated"))]["key"] = "another"
    signed.write_bytes(forged(lines))
    assert run("verify", signed).exit_code == 0
    assert verified(signed).exit_code == 1


def test_a_log_with_another_header_is_told(signed: Path) -> None:
    lines = read(signed.read_bytes())
    lines[0]["title"] = "Another table"
    signed.write_bytes(forged(lines))
    assert run("verify", signed).exit_code == 0
    assert verified(signed).exit_code == 1


def test_another_key_is_told(signed: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    run("key", "new", other)
    result = run("verify", signed, "--public-key", f"{other}.pub")
    assert result.exit_code == 1
    assert "no trusted key has signed" in result.output


@pytest.mark.parametrize(
    ("old", "new"),
    [('"entry":', '"entry":1'), ('"at":"2', '"at":"3'), ('"stream":"', '"stream":"0')],
)
def test_a_checkpoint_that_was_changed_is_told(signed: Path, old: str, new: str) -> None:
    checkpoints = signed.with_name("log.jsonl.checkpoints")
    checkpoints.write_text(checkpoints.read_text().replace(old, new, 1))
    assert verified(signed).exit_code == 1


@pytest.mark.parametrize(
    "text", ["", "{}\n", "[]\n", "no\n", '{"format":"croupier-checkpoint/9"}\n']
)
def test_what_is_no_checkpoint_is_wrong_input(signed: Path, text: str) -> None:
    signed.with_name("log.jsonl.checkpoints").write_text(text)
    assert verified(signed).exit_code == 2


def test_what_is_no_key_is_wrong_input(signed: Path, tmp_path: Path) -> None:
    no_key = tmp_path / "no.key"
    no_key.write_text("-----BEGIN NOTHING-----\n")
    signing = run("deal", PLAIN, "--log", tmp_path / "b.jsonl", "--sign", no_key, "--quiet")
    assert (signing.exit_code, "not a private key" in signing.output) == (2, True)
    # It is refused before anything is dealt.
    assert not (tmp_path / "b.jsonl").exists()
    assert run("verify", signed, "--public-key", no_key).exit_code in {1, 2}


def test_only_a_log_that_is_kept_is_signed(signed: Path) -> None:
    refused = run("deal", PLAIN, "--sign", signed.with_name("table.key"), "--quiet")
    assert refused.exit_code == 2
    assert "--sign requires a log" in refused.output


# --- while it is dealt ---------------------------------------------------------------------------


def signed_entries(log: Path) -> list[int]:
    found = log.with_name(f"{log.name}.checkpoints").read_bytes().splitlines()
    return [json.loads(line)["entry"] for line in found]


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """Return a log of two shoes whose dealer was killed before the third was over."""
    return killed_log(tmp_path, made_key(tmp_path, "table.key"))


def test_a_shoe_is_vouched_for_before_the_next_one_is_dealt(killed: Path) -> None:
    ends = [
        at for at, line in enumerate(read(killed.read_bytes())) if at and has("ShoeCompleted")(line)
    ]
    assert len(ends) == 2
    entries = signed_entries(killed)
    # Vigorish that is owed is collected between a shoe's end and its checkpoint.
    assert len(entries) == 2
    assert all(end <= entry < end + 5 for end, entry in zip(ends, entries, strict=True))
    assert verified(killed).exit_code == 0


def test_a_log_that_goes_on_is_vouched_for_as_before(killed: Path, tmp_path: Path) -> None:
    before = signed_entries(killed)
    checkpoints = killed.with_name("log.jsonl.checkpoints")
    # A checkpoint that was being written may be torn.
    whole = checkpoints.read_bytes()
    checkpoints.write_bytes(whole + whole[:40])
    assert verified(killed).exit_code == 0
    resumed = run(*DEALING, "--resume", killed, "--sign", tmp_path / "table.key")
    assert resumed.exit_code == 0, resumed.output
    after = signed_entries(killed)
    # The third shoe, and the closing.
    assert (after[:2], len(after)) == (before, 4)
    assert verified(killed).exit_code == 0
    killed.write_bytes(b"".join(killed.read_bytes().splitlines(keepends=True)[:-4]))
    assert verified(killed).exit_code == 1


def test_with_a_log_its_checkpoints_are_replaced(killed: Path, tmp_path: Path) -> None:
    key = tmp_path / "table.key"
    again = run("deal", PLAIN, "--seed", 4, "--patrons", 1, "--quiet", "--log", killed, "--force",
                "--sign", key)  # fmt: skip
    assert again.exit_code == 0, again.output
    assert len(signed_entries(killed)) == 2
    assert verified(killed).exit_code == 0


def test_checkpoints_never_go_through_a_symlink(signed: Path, tmp_path: Path) -> None:
    victim, log = tmp_path / "victim", tmp_path / "other.jsonl"
    victim.write_bytes(b"precious")
    log.with_name("other.jsonl.checkpoints").symlink_to(victim)
    key = signed.with_name("table.key")
    refused = run("deal", PLAIN, "--log", log, "--sign", key, "--quiet")
    assert (refused.exit_code, "symlink" in refused.output) == (2, True)
    assert victim.read_bytes() == b"precious"
    assert not log.exists()
