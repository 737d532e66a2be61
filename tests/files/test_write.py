"""Files appear whole or not at all, and never over one that is read, linked, or not asked about."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import pytest

from croupier.files import write
from croupier.files.write import Draft, WriteError, Writer, check_targets, form_of, write_file
from support.disk import files_no_longer_than, without_privileges


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_new_file_has_what_was_written_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    write_file(tmp_path / "sheet.txt", b"seven")
    assert (tmp_path / "sheet.txt").read_bytes() == b"seven"
    assert names_in(tmp_path) == {"sheet.txt"}


def test_a_file_is_replaced_only_when_asked_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "sheet.txt"
    target.write_bytes(b"old")
    target.chmod(0o600)
    with pytest.raises(WriteError, match="the file exists; use --force to replace it"):
        write_file(target, b"new")
    assert target.read_bytes() == b"old"
    write_file(target, b"new", force=True)
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert names_in(tmp_path) == {"sheet.txt"}


@pytest.mark.parametrize("force", [False, True])
def test_a_symlink_is_never_followed(tmp_path: Path, *, force: bool) -> None:
    victim, target = tmp_path / "victim", tmp_path / "sheet.txt"
    victim.write_bytes(b"victim")
    target.symlink_to(victim)
    with pytest.raises(WriteError, match="symlink"):
        write_file(target, b"new", force=force)
    assert victim.read_bytes() == b"victim"
    assert target.is_symlink()
    target.unlink()
    target.symlink_to(tmp_path / "nowhere")
    with pytest.raises(WriteError, match="symlink"):
        write_file(target, b"new", force=force)
    assert names_in(tmp_path) == {"victim", "sheet.txt"}


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("link", [None, os.link])
def test_a_file_that_is_read_is_never_replaced(
    tmp_path: Path, link: object, *, force: bool
) -> None:
    read, target = tmp_path / "submission.toml", tmp_path / "submission.toml"
    read.write_bytes(b"read")
    if callable(link):
        target = tmp_path / "other.toml"
        link(read, target)
    roundabout = tmp_path / "." / ".." / tmp_path.name / target.name
    for one in (target, roundabout):
        with pytest.raises(WriteError, match="this command reads that file"):
            write_file(one, b"new", reads=[read], force=force)
    assert read.read_bytes() == b"read"


def test_a_symlink_to_the_target_is_read_and_so_the_target_is_not_replaced(tmp_path: Path) -> None:
    target, read = tmp_path / "table.toml", tmp_path / "link.toml"
    target.write_bytes(b"read")
    read.symlink_to(target)
    with pytest.raises(WriteError, match="this command reads that file"):
        write_file(target, b"new", reads=[read], force=True)


def test_what_is_not_a_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    for name in ("folder.txt", "pipe.txt"):
        with pytest.raises(WriteError, match="not a file"):
            write_file(tmp_path / name, b"new", force=True)


def test_missing_folders_are_made_and_go_again_if_the_file_does_not_appear(tmp_path: Path) -> None:
    target = tmp_path / "no" / "such" / "sheet.txt"

    def interrupted(_file: IO[bytes]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_then(target, then=interrupted)
    assert names_in(tmp_path) == set()
    write_file(target, b"new")
    assert target.read_bytes() == b"new"


def test_no_folder_is_made_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WriteError, match="file is not a folder"):
        write_file(tmp_path / "file" / "sheet.txt", b"new")


def test_a_folder_that_cannot_be_written_is_named() -> None:
    # Not in `tmp_path`: its parents are for its owner alone, and root is nobody for a while here.
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)

        def refused() -> None:
            with pytest.raises(WriteError, match=f"no files can be created in {folder}"):
                check_targets([folder / "sheet.txt"])

        without_privileges(refused)
        assert names_in(folder) == set()


def test_a_name_that_is_too_long_is_named(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="it cannot be written: File name too long"):
        write_file(tmp_path / ("n" * 256), b"new")
    write_file(tmp_path / ("n" * 255), b"new")


@pytest.mark.parametrize("name", ["sheet.txt", "sheet.txt.gz"])
def test_a_full_disk_leaves_the_old_file_as_it_was(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    target.write_bytes(b"old")
    with files_no_longer_than(8192), pytest.raises(WriteError, match="File too large"):
        write_file(target, os.urandom(100_000), force=True)
    assert target.read_bytes() == b"old"
    assert names_in(tmp_path) == {name}


def write_and_then(
    *targets: Path, then: Callable[[IO[bytes]], object], force: bool = False
) -> None:
    """Write some files, and do something with the last before they get their names."""
    with Writer(force=force) as writer:
        for target in targets:
            file = writer.open(target)
            file.write(b"new")
        then(file)


def test_an_exception_leaves_nothing(tmp_path: Path) -> None:
    def interrupted(_file: IO[bytes]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_then(tmp_path / "one.txt", then=interrupted)
    assert names_in(tmp_path) == set()


def test_of_two_files_both_appear_or_none(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_bytes(b"old")
    with files_no_longer_than(8192), pytest.raises(WriteError, match=r"two.txt.*File too large"):
        write_and_then(one, two, then=lambda file: file.write(b"2" * 1_000_000), force=True)
    assert one.read_bytes() == b"old"
    assert names_in(tmp_path) == {"one.txt"}


@pytest.mark.parametrize("fails_at", ["two.txt", "three.txt"])
def test_a_name_that_cannot_be_given_takes_back_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: str
) -> None:
    (tmp_path / "one.txt").write_bytes(b"old")
    (tmp_path / "two.txt").write_bytes(b"old")
    real = Draft.place

    def place(draft: Draft) -> None:
        if draft.target.name == fails_at:
            raise OSError(5, "Input/output error")
        real(draft)

    monkeypatch.setattr(Draft, "place", place)
    targets = [tmp_path / name for name in ("one.txt", "two.txt", "three.txt")]
    with pytest.raises(WriteError, match="Input/output error"):
        write_and_then(*targets, then=lambda file: file.flush(), force=True)
    assert names_in(tmp_path) == {"one.txt", "two.txt"}
    assert {(tmp_path / name).read_bytes() for name in names_in(tmp_path)} == {b"old"}


def test_an_error_after_one_file_was_replaced_does_not_lose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "one.txt"
    target.write_bytes(b"old")

    def interrupted(folder: Path) -> None:
        raise KeyboardInterrupt(folder)

    monkeypatch.setattr(write, "sync_folder", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(target, b"new", force=True)
    assert target.read_bytes() == b"old"
    assert names_in(tmp_path) == {"one.txt"}


def test_two_outputs_are_not_one_file(tmp_path: Path) -> None:
    name = tmp_path / "one.txt"
    with pytest.raises(WriteError, match="two outputs cannot be one file"):
        check_targets([name, tmp_path / "." / "one.txt"], force=True)


def test_all_errors_come_at_once(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_bytes(b"")
    with pytest.raises(WriteError) as refused:
        check_targets([tmp_path / "there.txt", tmp_path / "there.txt" / "one.txt"])
    assert len(str(refused.value).splitlines()) == 2


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "one.txt"
    with pytest.raises(WriteError, match="the file exists"):
        write_and_then(target, then=lambda _: target.write_bytes(b"theirs"))
    assert target.read_bytes() == b"theirs"
    assert names_in(tmp_path) == {"one.txt"}


def test_two_commands_do_not_write_one_partial_file(tmp_path: Path) -> None:
    target = tmp_path / "log.jsonl"
    first = Draft(target, partial=True)
    first.file.write(b"first")
    with pytest.raises(WriteError, match="another command is writing"):
        Draft(target, partial=True)
    first.commit()
    assert target.read_bytes() == b"first"
    assert names_in(tmp_path) == {"log.jsonl"}


def test_a_partial_file_that_was_taken_away_is_noticed(tmp_path: Path) -> None:
    target = tmp_path / "log.jsonl"
    first = Draft(target, partial=True)
    second = Draft(target, partial=True, force=True)
    second.file.write(b"second")
    with pytest.raises(WriteError, match="took over this file"):
        first.commit()
    second.commit()
    assert target.read_bytes() == b"second"


def test_a_leftover_is_replaced_only_with_force_and_never_when_it_is_a_symlink(
    tmp_path: Path,
) -> None:
    target, leftover = tmp_path / "log.jsonl", tmp_path / "log.jsonl.partial"
    leftover.write_bytes(b"evidence")
    with pytest.raises(WriteError, match="an interrupted command left"):
        Draft(target, partial=True)
    assert leftover.read_bytes() == b"evidence"
    Draft(target, partial=True, force=True).commit()
    assert names_in(tmp_path) == {"log.jsonl"}
    leftover.symlink_to(tmp_path / "victim")
    for force in (False, True):
        with pytest.raises(WriteError):
            Draft(target, partial=True, force=force)
    assert leftover.is_symlink()


def test_a_form_is_known_by_the_suffix() -> None:
    forms = ["text", "json", "pdf"]
    assert form_of(Path("a/sheet.txt"), forms) == "text"
    assert form_of(Path("sheet.JSON"), forms, "json") == "json"
    with pytest.raises(WriteError, match=r"\.xls is not a format of this file: name it \.txt, "):
        form_of(Path("sheet.xls"), forms)
    with pytest.raises(WriteError, match="the name has no suffix"):
        form_of(Path("sheet"), forms, "pdf")
    with pytest.raises(WriteError, match="the suffix says pdf, but --format says json"):
        form_of(Path("sheet.pdf"), forms, "json")
