"""TOML with limits checked before parsing, and every key's place."""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import Any, Final, NoReturn

from msgspec import Struct

from croupier.files.errors import FileError, Place, did_you_mean
from croupier.files.text import MAX_DIGITS, MAX_NESTING, read_text

MAX_TOML_BYTES: Final = 256 << 10
"""The largest TOML file; the longest regulation takes a quarter of it."""
MAX_KEY_PARTS: Final = 16
MAX_KEY_LENGTH: Final = 256
"""Maximum length of a key or key part, in characters."""

# Groups are atomic and not possessive: Python 3.11.2 goes wrong with those that backtrack.
_TOKEN: Final = re.compile(
    r"""
    (?P<skip>[ \t\r]++|\#[^\n]*+)
    |(?P<text>\"\"\"(?>(?:[^"\\]++|\\.|"{1,2}(?!"))*)"{3,5}+
      |\'\'\'(?>(?:[^']++|'{1,2}(?!'))*)'{3,5}+
      |"(?>(?:[^"\\\n]++|\\.)*)"
      |'[^'\n]*+')
    |(?P<bare>[^\s\[\]{}=,.\#"']++)
    |(?P<mark>.|\n)
    """,
    re.VERBOSE | re.DOTALL,
)
_LONG_NUMBER: Final = re.compile(rf"[+-]?(?:0[xob])?[0-9a-fA-F_]{{{MAX_DIGITS + 1},}}")
_AT: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Toml(Struct, frozen=True):
    path: Path
    tables: dict[str, Any]
    keys: dict[str, tuple[int, int]]
    """Line and column by dotted key; a table of an array is ``line[1]``."""

    def place(self, key: str) -> Place:
        """Return the place of a dotted key, of the nearest table above it, or of the file."""
        while key:
            if key in self.keys:
                return Place(self.path, *self.keys[key])
            key = key.rpartition(".")[0]
        return Place(self.path)

    def located(self, key: str, message: str) -> str:
        return f"{self.place(key)}: {key}: {message}"


def read_toml(path: Path) -> Toml:
    """Raise ``FileError`` with the place of the error."""
    return parse_toml(read_text(path, MAX_TOML_BYTES), path)


def parse_toml(text: str, path: Path) -> Toml:
    """Raise ``FileError`` with the place of the error."""
    text = text.replace("\r\n", "\n")
    keys = key_places(text, path)
    try:
        return Toml(path, tomllib.loads(text), keys)
    except (ValueError, RecursionError) as error:
        message = str(error)
        match = _AT.search(message)
        if match is None:
            raise FileError(f"{path}: not TOML: {message}") from error
        at_end = text.count("\n") + 1, len(text) - text.rfind("\n")
        place = Place(path, *(at_end if match[1] is None else (int(match[1]), int(match[2]))))
        raise FileError(f"{place}: not TOML: {_plain(message[: match.start()])}") from error


def _plain(message: str) -> str:
    if message == "Cannot overwrite a value" or re.fullmatch("Cannot declare .* twice", message):
        return "a key or table is given twice; [name] is one table, [[name]] one of a list"
    return message


def key_places(text: str, path: Path) -> dict[str, tuple[int, int]]:
    """Return line and column of each key. Raises ``FileError`` beyond a limit."""
    return _Scanner(text.replace("\r\n", "\n"), path).keys()


def toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)


def toml_value(value: Any) -> str:
    r"""Return a value as TOML on one line.

    >>> toml_value({"win": "1:1"}), toml_value([25, "2.50"]), toml_value(True)
    ('{ win = "1:1" }', '[25, "2.50"]', 'true')
    >>> toml_value(chr(127))
    '"\\u007f"'
    >>> toml_value(time(12)), toml_value(date(2026, 11, 20))
    ('12:00:00', '2026-11-20')
    """
    match value:
        case Mapping():
            items = ", ".join(f"{toml_key(key)} = {toml_value(one)}" for key, one in value.items())
            return f"{{ {items} }}"
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case date() | time():
            return value.isoformat()
        case _:
            # JSON leaves these as they are, and TOML has none of them.
            content = json.dumps(value, ensure_ascii=False)
            return re.sub("[\x7f-\x9f\ud800-\udfff]", lambda one: f"\\u{ord(one[0]):04x}", content)


class _Scanner:
    """``_words`` and ``_marks`` are the tokens: one of the two is empty, and both at the end."""

    def __init__(self, text: str, path: Path) -> None:
        self._path = path
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._words: list[str] = []
        self._marks: list[str] = []
        self._starts: list[int] = []
        self._read(text)
        self._at = 0
        self._found: dict[str, tuple[int, int]] = {}
        self._counts: dict[str, int] = {}

    def keys(self) -> dict[str, tuple[int, int]]:
        table = ""
        while self._goes_on:
            match self._marks[self._at]:
                case "[":
                    self._at += 1
                    table = self._header()
                case "\n":
                    self._at += 1
                case _:
                    self._pair(table, 0)
        return self._found

    # --- the grammar ---------------------------------------------------------------------------

    def _take(self, mark: str) -> bool:
        is_taken = self._marks[self._at] == mark
        self._at += is_taken
        return is_taken

    @property
    def _goes_on(self) -> bool:
        # The last token marks the end and is never consumed.
        return self._at < len(self._marks) - 1

    def _skip(self) -> None:
        self._at += self._goes_on

    def _header(self) -> str:
        is_array = self._take("[")
        parts = self._parts()
        name = ""
        for part, start in parts:
            # A header below an array of tables refers to its last table.
            name = f"{name}[{self._counts[name]}]" if name in self._counts else name
            name = self._note(f"{name}.{part}" if name else part, start)
        if is_array and parts:
            self._counts[name] = self._counts.get(name, 0) + 1
            name = self._note(f"{name}[{self._counts[name]}]", parts[0][1])
        while self._take("]"):
            pass
        return name

    def _pair(self, table: str, depth: int) -> None:
        name, parts = table, self._parts()
        for part, start in parts:
            name = self._note(f"{name}.{part}" if name else part, start)
        if self._take("="):
            self._value(name, depth)
        elif not parts:
            self._skip()

    def _parts(self) -> list[tuple[str, int]]:
        """Return the parts of a dotted key, each with where it starts."""
        parts = []
        while (word := self._words[self._at]) or self._marks[self._at] == ".":
            start = self._starts[self._at]
            if word:
                text = _unquoted(word)
                if len(text) > MAX_KEY_LENGTH:
                    self._refuse(start, f"a key may have {MAX_KEY_LENGTH} characters")
                parts.append((text, start))
            self._at += 1
        return parts

    def _value(self, name: str, depth: int) -> None:
        mark, start = self._marks[self._at], self._starts[self._at]
        if depth >= MAX_NESTING and mark in {"[", "{"}:
            self._refuse(start, f"arrays and tables may be nested {MAX_NESTING} deep")
        if self._take("["):
            number = 0
            while self._goes_on and not self._take("]"):
                if not self._take("\n") and not self._take(","):
                    number += 1
                    note = self._note(f"{name}[{number}]", self._starts[self._at])
                    self._value(note, depth + 1)
        elif self._take("{"):
            while self._goes_on and not self._take("}"):
                if not self._take("\n") and not self._take(","):
                    self._pair(name, depth + 1)
        else:
            self._skip()
            while self._words[self._at] or self._marks[self._at] == ".":
                self._at += 1

    # --- tokens within the limits --------------------------------------------------------------

    def _read(self, text: str) -> None:
        run, after_part = 0, False
        for match in _TOKEN.finditer(text):
            kind, token = match.lastgroup, match[0]
            if kind == "skip":
                continue
            is_part = kind != "mark"
            self._words.append(token if is_part else "")
            self._marks.append("" if is_part else token)
            self._starts.append(match.start())
            if is_part:
                run, after_part = run + 1, True
                if run > MAX_KEY_PARTS:
                    self._refuse(match.start(), f"a dotted key may have {MAX_KEY_PARTS} parts")
                if kind == "bare" and _LONG_NUMBER.match(token):
                    self._refuse(match.start(), f"a number may have {MAX_DIGITS} digits")
            else:
                run = run if after_part and token == "." else 0  # noqa: S105  (no password)
                after_part = False
        self._words.append("")
        self._marks.append("")
        self._starts.append(len(text))

    def _place(self, start: int) -> tuple[int, int]:
        line = bisect_right(self._lines, start)
        return line, start - self._lines[line - 1] + 1

    def _note(self, name: str, start: int) -> str:
        if name not in self._found:
            self._found[name] = self._place(start)
        return name

    def _refuse(self, start: int, message: str) -> NoReturn:
        place = Place(self._path, *self._place(start))
        raise FileError(f"{place}: {message}, but this one has more")


def _unquoted(token: str) -> str:
    if token[0] not in "\"'":
        return token
    if token[0] == "'" or "\\" not in token:
        return token.strip(token[0])
    try:
        return str(tomllib.loads(f"a = {token}")["a"])
    except (ValueError, RecursionError):
        return token


SETTINGS: Final = "croupier.toml"
_KEYS: Final = ("laws", "serve")


def read_settings(faults: list[str] | None = None) -> Toml | None:
    """Return any settings. Raises ``FileError``; adds unknown keys to ``faults`` if it is given."""
    path = Path(SETTINGS)
    if not path.is_file():
        return None
    file = read_toml(path)
    known_keys = ", ".join(_KEYS)
    messages = [
        file.located(key, f"unknown key; the keys are {known_keys}{did_you_mean(key, _KEYS)}")
        for key in file.tables
        if key not in _KEYS
    ]
    if messages and faults is None:
        raise FileError(*messages)
    if faults is not None:
        faults.extend(messages)
    return file
