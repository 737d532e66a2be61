"""Bytes, text, and JSON of a file: bounded, decompressed, in an encoding never guessed."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import json
import re
import zlib
from pathlib import Path
from typing import Any, Final

from croupier.files.errors import FileError, Place, by_caller

MAX_TEXT_BYTES: Final = 4 << 20
"""The largest file that is read as a whole, decompressed."""

MAX_NESTING: Final = 32
MAX_DIGITS: Final = 64
"""The deepest nesting and the longest number of a JSON or TOML document."""

BROKEN: Final = (OSError, EOFError, zlib.error)
"""Exceptions raised by reading a damaged or badly compressed file."""

_BLOCK: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
KEPT_BYTES: Final = "croupier.kept"
"""Decoding error handler that escapes undecodable bytes; see ``broken_byte``."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKED: Final = (
    (_GZIP, "gzip twice"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"7z\xbc\xaf", "7-Zip"),
)
_SNIFFED: Final = 1 << 12

# Decoders that are not character sets, or that take quadratic time.
_NO_CHARSETS: Final = frozenset(
    {"idna", "punycode", "undefined", "mbcs", "oem", "unicode-escape", "raw-unicode-escape"}
)


class _Unread(io.RawIOBase):
    def __init__(self, start: bytes, stream: io.BufferedReader) -> None:
        self._start = start
        self._rest = stream

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any, /) -> int:
        # readinto1 waits for more than what has come if the buffer below is the smaller one.
        block = self._start or self._rest.read1(len(target))
        count = min(len(target), len(block))
        target[:count] = block[:count]
        self._start = block[count:]
        return count

    def close(self) -> None:
        super().close()
        self._rest.close()


class _Gzip(gzip.GzipFile):
    def __init__(self, source: io.BufferedReader) -> None:
        super().__init__(fileobj=source, mode="rb")
        self._below = source

    def close(self) -> None:
        super().close()
        self._below.close()


def open_bytes(path: Path) -> io.BufferedReader | gzip.GzipFile:
    """Open a file, decompressed if it is gzip. Raises ``FileError``."""
    try:
        return decompressed(path.open("rb"))
    except (OSError, ValueError) as error:  # A path may have a character that no path has.
        raise FileError(f"{path}: {getattr(error, 'strerror', '') or error}") from error


def decompressed(file: io.BufferedReader) -> io.BufferedReader | gzip.GzipFile:
    """Decompress a file that begins like gzip. Raises ``OSError``."""
    start = file.read(len(_GZIP))
    if file.seekable():
        file.seek(0)
    else:
        file = io.BufferedReader(_Unread(start, file))
    return _Gzip(file) if start == _GZIP else file


def read_bytes(path: Path, limit: int = MAX_TEXT_BYTES) -> bytes:
    """Read decompressed bytes. Raises ``FileError``."""
    with open_bytes(path) as file:
        try:
            raw = file.read(limit + 1)
        except BROKEN as error:
            reason = getattr(error, "strerror", None) or error
            raise FileError(f"{path}: cannot be read: {reason}") from error
    if len(raw) > limit:
        raise FileError(f"{path}: larger than {limit:,} bytes, the limit for a file of this kind")
    return raw


def read_text(path: Path, limit: int = MAX_TEXT_BYTES, encoding: str | None = None) -> str:
    """Raise ``FileError`` with line and column."""
    return decoded(read_bytes(path, limit), path, encoding)


def decoded(raw: bytes, path: Path, encoding: str | None = None) -> str:
    name = encoding or encoding_in(path, raw[:_SNIFFED])
    try:
        return raw.decode(name).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        prefix = raw[: error.start].decode(name, "replace")
        line = prefix.count("\n") + 1
        place = Place(path, line, len(prefix) - prefix.rfind("\n"))
        byte = f"not {name.upper()}: byte 0x{raw[error.start]:02x}"
        advice = by_caller(", or give its encoding if the command has --encoding", "")
        raise FileError(f"{place}: {byte}; save the file as UTF-8{advice}") from error


def encoding_of(start: bytes) -> str:
    r"""Return the encoding of a text by its byte order mark, or else UTF-8.

    Raises ``ValueError`` for a workbook, an archive, or UTF-16 without a byte order mark.

    >>> encoding_of(b"shoe,round"), encoding_of(b"\xff\xfes\x00")
    ('utf-8', 'utf-16')
    """
    for bom, name in _BOMS:
        if start.startswith(bom):
            return name
    is_archive = start.startswith(b"PK\x03\x04")
    parts = (b"[Content_Types].xml", b"xl/", b"_rels/", b"docProps/")
    if start.startswith(_OLD_WORKBOOK) or (is_archive and any(part in start for part in parts)):
        raise ValueError("this is an Excel workbook, save it as CSV")
    if is_archive:
        raise ValueError("this is a ZIP archive: extract the file from it")
    if packed := next((name for magic, name in _PACKED if start.startswith(magic)), ""):
        raise ValueError(f"this is compressed with {packed}: decompress it first")
    if utf_16 := _utf_16_without_bom(start):
        raise ValueError(
            f"this looks like {utf_16.upper()} without a byte order mark: use "
            f"{_encoding(utf_16)}, or save the file as UTF-8"
        )
    return "utf-8"


def encoding_in(path: Path, start: bytes) -> str:
    """Detect as ``encoding_of`` does. Raises ``FileError``."""
    try:
        return encoding_of(start)
    except ValueError as error:
        raise FileError(f"{path}: {error}") from None


def _utf_16_without_bom(start: bytes) -> str | None:
    even_zeros, odd_zeros = start[0::2].count(0), start[1::2].count(0)
    if max(even_zeros, odd_zeros) * 4 < len(start) or not start:
        return None
    if odd_zeros > 4 * even_zeros:
        return "utf-16-le"
    return "utf-16-be" if even_zeros > 4 * odd_zeros else None


def _encoding(name: str) -> str:
    return by_caller(f"--encoding {name}", f'encoding = "{name}" in [file] of a mapping')


_LOST: Final = "\ufffd"
_BYTE: Final = range(0xDC80, 0xDD00)
"""Surrogates that escape undecodable bytes from 0x80 on."""


def _keep(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    lost_bytes = error.object[error.start : error.end]
    return "".join(chr(0xDC00 + byte) if byte >= 0x80 else _LOST for byte in lost_bytes), error.end


codecs.register_error(KEPT_BYTES, _keep)


def broken_byte(text: str) -> str | None:
    r"""Return the error of a text with undecodable bytes, if any.

    >>> broken_byte(b"caf\xe9".decode("utf-8", KEPT_BYTES))
    'byte 0xe9 does not fit the encoding of the file: use --encoding cp1252'
    """
    for letter in text:
        if ord(letter) in _BYTE or letter == _LOST:
            fault = f"byte 0x{ord(letter) - 0xDC00:02x}" if letter != _LOST else "a character"
            return f"{fault} does not fit the encoding of the file: use {_encoding('cp1252')}"
    return None


def encoding_named(name: str) -> str:
    """Return an encoding's standard name. Raises ``ValueError`` if it is not of text."""
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError, OSError):
        raise ValueError(f"{name!r}: no such encoding; utf-8, utf-16, latin-1") from None
    try:
        "-".encode(codec)
    except (LookupError, ValueError):
        codec = ""
    if not codec or codec.replace("_", "-") in _NO_CHARSETS:
        raise ValueError(f"{name!r}: not an encoding of text")
    return codec


def digest(path: Path) -> tuple[int, str]:
    """Return size and SHA-256 of a file as stored. Raises ``OSError``."""
    sha256, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            sha256.update(block)
            size += len(block)
    return size, sha256.hexdigest()


def safe_cell(value: object) -> object:
    """Escape a cell that spreadsheets would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


_STRING: Final = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"', re.DOTALL)
_LONG_NUMBER: Final = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")
_BRACKET: Final = re.compile(r"[\[\]{}]")
_NESTED: Final = frozenset({dict, list})


class JsonError(ValueError):
    """Text that is not JSON, or beyond the limits; the message has the place."""


def _unique_keys(members: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(members)
    if len(data) < len(members):
        keys = [key for key, _ in members]
        repeats = sorted(key for key in data if keys.count(key) > 1)
        raise JsonError(f"{', '.join(repeats)} is given twice")
    return data


def _members(value: Any) -> int:
    if type(value) is dict:
        return len(value) + sum(_members(item) for item in value.values() if type(item) in _NESTED)
    return sum(map(_members, value)) if type(value) is list else 0


def check_keys(text: str, value: Any) -> None:
    """Raise ``JsonError`` for a key given twice in text that another decoder has read.

    >>> check_keys('{"at":"21:14","seat":3}', {"at": "21:14", "seat": 3})
    """
    # Without these, a quotation mark before a colon ends a key, or begins a text.
    if not ("\\" in text or '" ' in text or '"\t' in text or '"\n' in text or '"\r' in text):
        written = text.count('":')
        if (type(value) is dict and len(value) == written) or _members(value) == written:
            return
    json.loads(text, object_pairs_hook=_unique_keys, parse_int=str, parse_float=str)


def parse_json(text: str) -> Any:
    """Raise ``JsonError``, also for a key given twice."""
    check_limits(text)
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise JsonError(f"not JSON: {error.msg} at {line}column {error.colno}") from error
    except RecursionError as error:  # The depth was checked: this is a caller deep down already.
        raise JsonError("not JSON: nested too deep") from error
    except ValueError as error:
        raise JsonError(str(error)) from error


def read_json(path: Path) -> Any:
    """Raise ``FileError`` or ``JsonError``."""
    return parse_json(read_text(path))


def _no_number(name: str) -> Any:
    raise ValueError(f"not JSON: {name} is not a number")


def check_limits(text: str, nesting: int = MAX_NESTING) -> None:
    """Raise ``JsonError`` for JSON nested deeper, or with a longer number."""
    is_deep = text.count("[") + text.count("{") > nesting
    if not is_deep and _LONG_NUMBER.search(text) is None:
        return
    outer_text = _STRING.sub('""', text)
    if _LONG_NUMBER.search(outer_text):
        raise JsonError(f"a number may have {MAX_DIGITS} digits, but this one has more")
    depth = 0
    for match in _BRACKET.finditer(outer_text):
        depth += 1 if match[0] in "[{" else -1
        if depth > nesting:
            raise JsonError(f"not JSON: nested more than {nesting} deep")
