"""Keys, signed checkpoints, and logs that are held to them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from support.forged_logs import forged, has, read, where
from support.project import PLAIN


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(one) for one in arguments], env={"COLUMNS": "200"})
    assert "Traceback" not in result.output
    return result


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
    lines[where(lines, has("PatronSeated"))]["by"] = [
        {"person": "Somebody", "office": "floorperson", "device": ""}
    ]
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
    assert "not signed with this key" in result.output


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
