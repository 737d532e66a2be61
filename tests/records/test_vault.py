"""Secrets stay in a vault until their value is hit, and a sealed one outlives its process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.money.stax import DrawTerms, MemoryVault, commitment_to, mystery_cents
from croupier.records.stores.vault import SealedVault, VaultError, new_vault_key
from support.project import ROOT

CARDS = "round 4: 6h 2d / Ks 8c"
SECRET = "3d" * 32
VALUE = mystery_cents(SECRET, CARDS, 40_000, 90_000)


def terms(shown_cents: int) -> DrawTerms:
    """What the value of these tests takes, with the meter at some amount."""
    return DrawTerms(CARDS, 40_000, 90_000, shown_cents)


def key_at(path: Path) -> Path:
    """Write a key that nobody else may read."""
    path.write_bytes(new_vault_key())
    path.chmod(0o600)
    return path


def test_a_secret_leaves_its_vault_when_the_value_is_hit_and_not_before() -> None:
    vault = MemoryVault(lambda: SECRET)
    commitment = vault.commit()
    assert commitment == commitment_to(SECRET)
    assert vault.release(commitment, terms(VALUE - 1)) is None
    # The shares of a round come together and may carry the meter past the value.
    for shown in (VALUE, VALUE + 1, 90_000):
        assert vault.release(commitment, terms(shown)) == SECRET
    with pytest.raises(LookupError):
        vault.release("0" * 64, terms(VALUE))


def test_a_sealed_vault_goes_on_after_a_restart(tmp_path: Path) -> None:
    key = key_at(tmp_path / "vault.key")
    first = SealedVault(tmp_path / "vault.json", key, lambda: SECRET)
    commitment = first.commit()
    again = SealedVault(tmp_path / "vault.json", key)
    assert again.holds(commitment)
    assert again.release(commitment, terms(VALUE - 1)) is None
    assert again.release(commitment, terms(VALUE)) == SECRET
    other = again.commit()
    assert SealedVault(tmp_path / "vault.json", key).holds(other)


def test_the_file_holds_no_secret(tmp_path: Path) -> None:
    vault = SealedVault(tmp_path / "vault.json", key_at(tmp_path / "k"), lambda: SECRET)
    vault.commit()
    assert SECRET not in (tmp_path / "vault.json").read_text(encoding="utf-8")


def test_another_key_and_a_changed_file_do_not_open_it(tmp_path: Path) -> None:
    path, key = tmp_path / "vault.json", key_at(tmp_path / "k")
    vault = SealedVault(path, key)
    ours, theirs = vault.commit(), vault.commit()
    with pytest.raises(VaultError, match="does not open"):
        SealedVault(path, key_at(tmp_path / "other"))
    # A secret in another's place is found out: each seal is bound to its commitment.
    data = json.loads(path.read_text(encoding="utf-8"))
    data["sealed"][ours] = data["sealed"][theirs]
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(VaultError, match="changed"):
        SealedVault(path, key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "croupier-vault/2"}',
        '{"format":"croupier-vault/1","sealed":{"a":"b"}}',
    ],
)
def test_what_is_no_vault_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "vault.json").write_text(text, encoding="utf-8")
    with pytest.raises(VaultError):
        SealedVault(tmp_path / "vault.json", key_at(tmp_path / "k"))


def test_a_key_that_others_may_read_or_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    key = key_at(tmp_path / "k")
    key.chmod(0o640)
    with pytest.raises(VaultError, match="others may read"):
        SealedVault(tmp_path / "vault.json", key)
    key.chmod(0o600)
    key.write_bytes(b"short")
    with pytest.raises(VaultError, match="32 bytes"):
        SealedVault(tmp_path / "vault.json", key)
    with pytest.raises(VaultError, match="cannot read"):
        SealedVault(tmp_path / "vault.json", tmp_path / "nowhere")


def test_a_table_goes_on_with_the_secrets_of_its_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    submission = str(ROOT / "submissions" / "ma-royal-9.toml")
    made = CliRunner().invoke(main, ["key", "vault", "vault.key"])
    assert made.exit_code == 0, made.output
    options = ["--vault", "vault.json", "vault.key", "--quiet"]
    begun = CliRunner().invoke(
        main, ["deal", submission, "--log", "t.jsonl", "--patrons", "2", *options]
    )
    assert begun.exit_code == 0, begun.output
    text = (tmp_path / "t.jsonl").read_text(encoding="utf-8")
    open_log = "".join(text.splitlines(keepends=True)[:-3])
    (tmp_path / "t.jsonl").write_text(open_log, encoding="utf-8")
    for name in tmp_path.glob("t.jsonl.*"):
        name.unlink()
    gone_on = CliRunner().invoke(
        main, ["deal", submission, "--resume", "t.jsonl", "--patrons", "2", *options]
    )
    assert gone_on.exit_code == 0, gone_on.output
    assert "MysteryReplaced" not in (tmp_path / "t.jsonl").read_text(encoding="utf-8")
