"""Every file that a command reads may be a pipe or standard input, and is read to its end."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import gettempdir
from typing import Final

import click
import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.cli.common.files import InputFile
from croupier.drills import DRILLS
from support.every_command import OPENING, furnish
from support.project import ROOT
from support.volume import spread

TABLE: Final = "--submission table.toml"
OWN: Final = "--own lucky-6.toml --own-limits lucky_6=5,500"
OWN_LAW: Final = "mini-baccarat@2004-01-01.toml"
CALLS: Final = {
    "check table.toml": 0,
    f"layout table.toml {OWN}": 0,
    "submission diff table.toml four.toml": 0,
    f"deal table.toml {OWN} --log NEW.jsonl --sign table.key --seed 1 --patrons 1": 0,
    "deal table.toml --log NEW.jsonl --continues signed.jsonl --seed 1 --patrons 1": 0,
    f"run table.toml commands.jsonl {OWN} --log NEW.jsonl --format json": 0,
    "run table.toml tomorrow.jsonl --log NEW.jsonl --continues signed.jsonl --quiet": 0,
    "table table.toml --log NEW.jsonl --continues signed.jsonl --as 'Dana (dealer)'": 0,
    f"serve table.toml {OWN} --store .": 2,
    "serve --no-links --store NEW.sqlite --tls cert.pem table.key --client-ca cert.pem": 2,
    "serve --store NEW.sqlite --vault-key commands.jsonl": 2,
    "serve --store NEW.sqlite --heads table.toml --sign table.key --trust trust.toml": 2,
    f"drill paper {TABLE} --kinds counts -o NEW.json": 0,
    f"drill mark paper.json drill-answers.json {TABLE}": 0,
    f"verify right.csv {TABLE} --mapping mapping.toml {OWN}": 0,
    "verify signed.jsonl --public-key table.key.pub --checkpoints signed.jsonl.checkpoints": 0,
    "verify signed.jsonl --trust trust.toml": 0,
    "store heads pit.sqlite --key table.key --trust trust.toml -o NEW": 0,
    "store stamp pit.heads --request NEW": 0,
    "store stamp pit.heads --response commands.jsonl --authority cert.pem": 2,
    "store views pit.sqlite --every 1 --reader auditor": 2,
    "store check pit.sqlite --trust trust.toml --heads pit.heads": 0,
    "store restore copy.sqlite NEW.sqlite --trust trust.toml --heads pit.heads": 0,
    "key trust table.key.pub": 0,
    "verify next.jsonl --continues signed.jsonl --beside other.jsonl": 0,
    f"explain right.csv {TABLE} --mapping mapping.toml {OWN} --shoe 1 --round 1": 0,
    "replay begun.jsonl -o NEW.html": 0,
    "ledger dealt.jsonl.gz": 0,
    "irregularities dealt.jsonl.gz": 0,
    "decks dealt.jsonl.gz": 0,
    "export dealt.jsonl.gz -o NEW": 0,
    "rounds dealt.jsonl.gz --won": 0,
    "law test scenarios.toml": 0,
    "law check law.toml": 0,
    "law pack laws --key table.key -o NEW.croupierlaw": 0,
    "law add own.croupierlaw --key table.key.pub --trust trust.toml -o NEW": 0,
    "draw verify royal.jsonl.gz": 0,
    f"map wrong.csv {TABLE} {OWN}": 0,
    f"audit right.csv {TABLE} --mapping mapping.toml {OWN}": 0,
    "blackjack --submission streak.toml --results results.jsonl --format json": 0,
    "par blackjack streak.toml --results win=43,push=9,lose=48": 0,
    f"par check vendor.csv {TABLE} {OWN}": 1,
    "par compare table.toml four.toml": 0,
    f"par {TABLE} {OWN} --format csv": 0,
    f"odds {TABLE} {OWN} --player 9h": 0,
    "odds --log begun.jsonl": 0,
    f"count {TABLE} {OWN} --wager tie --shoes 10": 0,
    f"count {TABLE} --wager tie --cards cards.txt": 0,
    f"design lucky-6.toml {TABLE} --edge 10%..20%": 0,
    f"simulate {TABLE} {OWN} --rounds 1000 --threads 1 --format csv": 0,
    f"session {TABLE} {OWN} --wager banker --unit 25 --bankroll 1000 --shoes 1 --sessions 20"
    " --format csv": 0,
    f"vectors {TABLE} -o NEW": 0,
    **{f"drill {name} {TABLE} --format json": 0 for name in ["mixed", *DRILLS] if name != "holder"},
    "drill holder --submission midi.toml --format json": 0,  # New Jersey has no holder of a hand.
}
"""Calls that read each file of each command, and their statuses. NEW is what a call writes."""

_VARIES: Final = re.compile(r"\b[0-9a-f]{64}\b|in \d+\.\d+ s on .*")
"""Seals of lines with the time, and how long a simulation took."""

WRITTEN: Final = {"--resume", "--tests", "--laws", "--names", "folder", "vault"}
"""Options that take something other than an input file, of those that must exist: a log or a vault
that is written in place, and folders."""


def commands(
    command: click.Command = main, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield each command, and the words that call it."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            _, inner, _ = command.resolve_command(context, [name])
            assert inner is not None
            yield from commands(inner, (*words, name))


COMMANDS: Final = dict(commands())
INPUTS: Final = [
    f"{' '.join(words)} {parameter.name}"
    for words, command in COMMANDS.items()
    for parameter in command.params
    if isinstance(parameter.type, InputFile)
]


@cache
def calls_by_input() -> dict[str, tuple[str, int]]:
    """Return, for each input of each command, a call and the place of its word."""
    found = {}
    for call in CALLS:
        args = shlex.split(call)
        size = max(size for size in (1, 2) if tuple(args[:size]) in COMMANDS)
        words = tuple(args[:size])
        command = COMMANDS[words]
        given = command.make_parser(click.Context(command)).parse_args(args[size:])[0]
        for parameter in command.params:
            value = given.get(str(parameter.name))
            if isinstance(parameter.type, InputFile) and isinstance(value, str | list | tuple):
                file = value if isinstance(value, str) else value[0]
                found[f"{' '.join(words)} {parameter.name}"] = (call, args.index(file))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the calls read."""
    folder = tmp_path_factory.mktemp("pipes")
    furnish(folder)
    for name, source in {
        "four.toml": "submissions/nj-minibaccarat-4-percent.toml",
        "midi.toml": "submissions/ny-midi.toml",
        "scenarios.toml": "docs/examples/scenarios/nj-minibaccarat.toml",
        "law.toml": "src/croupier/law/instruments/us-nj/subchapter-6@2003-01-01.toml",
        "drill-answers.json": "docs/examples/drill-answers.json",
    }.items():
        shutil.copy(ROOT / source, folder / name)
    (folder / "mapping.toml").write_text('[money]\npaid = "winnings"\n')
    (folder / "cert.pem").write_text("no certificate\n")
    (folder / "cards.txt").write_text(
        " ".join(f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs" * 8)
    )
    (folder / "results.jsonl").write_text('{"round": 1, "seat": 3, "hands": ["win"]}\n')
    (folder / "tomorrow.jsonl").write_text(OPENING.replace("2011-02-22", "2099-01-01"))
    (folder / "laws").mkdir()
    for name in (OWN_LAW, "interpretations.toml"):
        shutil.copy(ROOT / "examples" / "laws" / "au-nsw" / name, folder / "laws" / name)
    dealt = "--seed 1 --patrons 1 --quiet"
    for call in (
        "key new table.key",
        "law pack laws --key table.key -o own.croupierlaw",
        f"deal table.toml --log signed.jsonl --sign table.key {dealt}",
        f"deal table.toml --log other.jsonl {dealt}",
        f"deal table.toml -o pit.sqlite {dealt}",
        "store heads pit.sqlite --key table.key -o pit.heads",
        "store backup pit.sqlite copy.sqlite",
        f"deal table.toml --log next.jsonl --continues signed.jsonl {dealt}",
        f"drill paper {TABLE} --seed 7 --questions 4 --kinds counts,vigorish -o paper.json",
    ):
        done(folder, shlex.split(call), 0)
    trust = done(folder, ["key", "trust", "table.key.pub"], 0)
    (folder / "trust.toml").write_text(trust)
    return folder


_NUMBERS: Final = count()


def done(folder: Path, args: list[str], status: int, given: bytes = b"") -> str:
    """Call a command in a folder, which must end soon and with a status; return its output."""
    before = Path.cwd()
    os.chdir(folder)
    signal.signal(signal.SIGALRM, too_long)
    # What waits for a pipe waits forever; what has to wait for a processor does not.
    signal.alarm(120)
    try:
        result = CliRunner().invoke(main, args, input=given, env={"COLUMNS": "100"})
    finally:
        signal.alarm(0)
        os.chdir(before)
    assert result.exit_code == status, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.output


def too_long(*_: object) -> None:
    raise TimeoutError("the command did not end: it may wait for a pipe that was read already")


def call_with(folder: Path, call: str, name: str, place: int, given: bytes = b"") -> str:
    """Call with a file by another name; return the output without any of the file's names."""
    args = shlex.split(call)
    names = {args[place], name, "standard input"}
    args[place] = name
    new = f"new{next(_NUMBERS):05}"
    output = done(folder, [one.replace("NEW", new) for one in args], CALLS[call], given)
    output = _VARIES.sub("", output.replace(new, "NEW"))
    for one in sorted(names, key=len, reverse=True):
        output = output.replace(one, "")
    return "".join(output.replace("-", "").split())


@cache
def plainly(folder: Path, call: str, place: int) -> str:
    return call_with(folder, call, shlex.split(call)[place], place)


def test_every_input_is_an_input_file() -> None:
    others = {
        f"{' '.join(words)} {parameter.name}"
        for words, command in COMMANDS.items()
        for parameter in command.params
        if isinstance(parameter.type, click.Path)
        and parameter.type.exists
        and not isinstance(parameter.type, InputFile)
        and not WRITTEN & {*parameter.opts}
    }
    assert others == set()
    assert set(INPUTS) == calls_by_input().keys()


@pytest.mark.parametrize("name", INPUTS)
def test_a_file_may_come_through_a_pipe(folder: Path, name: str) -> None:
    call, place = calls_by_input()[name]
    word = shlex.split(call)[place]
    content = (folder / word).read_bytes()
    expected = plainly(folder, call, place)
    pipe = folder / "pipe" / word
    pipe.parent.mkdir(exist_ok=True)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    assert _uncounted(call_with(folder, call, f"pipe/{word}", place)) == _uncounted(expected)
    writer.join(5)
    assert not writer.is_alive()


@pytest.mark.parametrize("name", spread(INPUTS, 40))
def test_a_file_may_be_standard_input(folder: Path, name: str) -> None:
    call, place = calls_by_input()[name]
    content = (folder / shlex.split(call)[place]).read_bytes()
    found, expected = call_with(folder, call, "-", place, content), plainly(folder, call, place)
    # The names of a file that has several are counted, and copies of the folder are links.
    assert _uncounted(found) == _uncounted(expected)


def _uncounted(answer: object) -> str:
    return re.sub(r"has\d+names", "has names", str(answer))


# --- what holds for every pipe -------------------------------------------------------------------

PROGRAMS: Final = ROOT / ".venv" / "bin"
PLAIN: Final = ROOT / "submissions" / "nj-minibaccarat.toml"

# Player wins 6 to 5. A stake of $100 that wins brings back $200.
RETURNED: Final = (
    "shoe,round,player,banker,winner,stake:player,paid:player\n"
    "1,1,Kd 5h 6c,4c 2s Ah,banker,100,0\n"
    "1,2,9h Kd,Th 7c,player,100,200\n"
)


def shell(words: str, given: bytes | None = b"") -> subprocess.CompletedProcess[str]:
    """Run words in bash, in which ``croupier`` and ``$PLAIN`` are ours."""
    done = subprocess.run(  # noqa: S603  (our own words)
        ["/bin/bash", "-c", words],
        env=os.environ | {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "PLAIN": str(PLAIN)},
        input=given,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def test_a_mapping_by_process_substitution_counts(tmp_path: Path) -> None:
    rounds, mapping = tmp_path / "r.csv", tmp_path / "m.toml"
    rounds.write_text(RETURNED)
    mapping.write_text('[money]\npaid = "returned"\n')
    verify = f"croupier verify {rounds} --submission"
    assert shell(f"{verify} <(cat $PLAIN) --mapping <(cat {mapping})").returncode == 0
    assert shell(f"{verify} <(cat $PLAIN)").returncode == 1


@pytest.mark.parametrize("read", ["cat", "gzip -c"])
@pytest.mark.parametrize("name", ["-", "/dev/stdin", "/dev/fd/0"])
def test_standard_input_has_several_names(name: str, read: str) -> None:
    done = shell(f"{read} $PLAIN | croupier check {name}")
    assert done.returncode == 0, done.stderr


def test_a_long_submission_is_read_to_its_end() -> None:
    # Longer than a buffer and than what a pipe holds at once.
    done = shell("(for i in {1..2000}; do echo '# a long comment of one line, to be passed over';"
                 " done; cat $PLAIN) | croupier check -")  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "twice"),
    [
        ("croupier par compare - -", "standard input is given twice"),
        ("croupier par compare - /dev/stdin", "/dev/stdin is given twice (-)"),
        ("croupier run - -", "standard input is given twice"),
        ("mkfifo $P; cat $PLAIN > $P & croupier par compare $P $P", "is given twice"),
    ],
)
def test_a_pipe_is_read_once(words: str, twice: str, tmp_path: Path) -> None:
    done = shell(f"P={tmp_path}/p; {words}", PLAIN.read_bytes())
    assert done.returncode == 2
    assert twice in " ".join(done.stderr.split())


def test_a_closed_standard_input_is_an_error() -> None:
    done = shell("croupier check - <&-")
    assert done.returncode == 2
    assert "standard input: it is closed" in done.stderr


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("drill counts --submission $PLAIN", 0),
        ("table $PLAIN --log $LOG --as 'Lee (dealer)'", 0),
        ("run $PLAIN - --log $LOG", 2),
        ("deal $PLAIN --step", 2),
        ("new us-nj/minibaccarat --ask -o $LOG", 2),
    ],
)
def test_a_command_that_asks_ends_if_standard_input_is_closed(
    words: str, status: int, tmp_path: Path
) -> None:
    done = shell(f"LOG={tmp_path}/log.jsonl; croupier {words} <&-")
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


def test_a_pipe_without_an_end_is_refused() -> None:
    done = shell("croupier check - < /dev/zero")
    assert done.returncode == 2
    assert "standard input: larger than 16,777,216 bytes" in done.stderr


@pytest.mark.parametrize("text", ["", "# nothing but a comment\n"])
def test_an_empty_mapping_is_refused(text: str, tmp_path: Path) -> None:
    mapping = tmp_path / "m.toml"
    mapping.write_text(text)
    right = ROOT / "docs/examples/rounds/right.csv"
    done = shell(f"croupier verify {right} --submission $PLAIN --mapping {mapping}")
    assert done.returncode == 2
    assert f"{mapping}: the mapping is empty" in done.stderr


def test_a_verdict_names_standard_input(folder: Path) -> None:
    log = (folder / "signed.jsonl").read_bytes()
    done = shell("croupier verify -", log)
    assert "\nPASS: standard input conforms to the rules" in done.stdout
    done = shell("croupier verify -", log.replace(b'"BuyChips"', b'"BuyChip"', 1))
    assert "standard input" in done.stdout + done.stderr
    assert gettempdir() not in done.stdout + done.stderr


def test_an_error_names_standard_input() -> None:
    done = shell("echo 'a = ' | croupier check -")
    assert done.returncode == 2
    assert "standard input:1:5: not TOML" in done.stdout + done.stderr
    done = shell("croupier check <(echo 'a = ')")
    assert "/dev/fd/" in done.stdout + done.stderr


def test_a_signed_log_from_a_pipe_needs_its_checkpoints_named(folder: Path) -> None:
    log = (folder / "signed.jsonl").read_bytes()
    done = shell(f"croupier verify - --public-key {folder}/table.key.pub", log)
    assert done.returncode == 2
    assert "--checkpoints FILE" in done.stderr


def test_a_copy_of_a_pipe_is_private_and_does_not_stay() -> None:
    code = (
        "import os, sys; from croupier.files.pipes import spooled\n"
        "with spooled('-') as copy: print(oct(os.stat(copy).st_mode & 0o777), os.fspath(copy))"
    )
    done = shell(f'umask 0; python -c "{code}"', b"a key")
    mode, name = done.stdout.split()
    assert mode == "0o600"
    assert not Path(name).exists()


@pytest.mark.parametrize("words", ["cat", "gzip -c"])
def test_commands_come_in_any_form(words: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    done = shell(f"{words} | croupier run $PLAIN - --log {log} --format json", OPENING.encode())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["entry"] == 1


def test_commands_that_are_not_text_are_refused(tmp_path: Path) -> None:
    done = shell(f"croupier run $PLAIN - --log {tmp_path}/log.jsonl", b'{"type": "\xff"}\n')
    assert done.returncode == 2
    assert "line 1: byte 0xff does not fit the encoding" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_log_that_is_continued_is_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "p"
    done = shell(
        f"mkfifo {pipe}; echo > {pipe} & "
        f"croupier deal $PLAIN --resume {pipe} --seed 1; s=$?; kill %1; exit $s"
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_interface_of_python_reads_pipes_to_their_end() -> None:
    rounds = ROOT / "docs/examples/rounds/right.csv"
    code = (
        "import sys, croupier; submission, mapping, rounds = sys.argv[1:]\n"
        "rules = croupier.load_rules(submission)\n"
        "print(croupier.verify_rounds(rounds, rules, mapping=mapping).rounds)"
    )
    done = shell(
        f"python -c '{code}' <(cat $PLAIN) <(printf '[file]\nheader = 1\n') <(cat {rounds})"
    )
    assert done.stdout == "6\n", done.stderr
