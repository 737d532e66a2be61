"""Check the chain of a Croupier record: a table log or a pit log, plain or compressed with gzip.

    python verify_record.py LOG [--head ENTRY:SHA256]

Needs Python 3.9 or later and nothing else. docs/record-bytes.md describes what is checked. The
chain does not say whether the rules give the recorded events: `croupier verify` does.

Exit status: 0 intact, 1 changed (each such line is named), 2 the file is not a readable record.
"""

import argparse
import codecs
import datetime
import gzip
import hashlib
import json
import re
import sys
import zlib

TABLE, PIT = "croupier-table-log/2", "croupier-pit-log/1"
HEADERS = {
    TABLE: [
        "format", "stream", "program", "version", "law", "on", "edition", "title", "elections",
        "layout", "limits", "interpretations", "drawing_table", "own", "unsupported", "documents",
        "readings", "law_sha256", "binding_sha256", "cited_sha256", "shuffle", "continues",
        "stored_law", "mechanisms", "prev",
    ],
    PIT: ["format", "stream", "program", "version", "pit", "prev"],
}  # fmt: skip
OPTIONAL = {
    "drawing_table", "own", "unsupported", "documents", "continues", "stored_law", "mechanisms",
}  # fmt: skip
ENTRY = ["seq", "prev", "at", "by", "key", "corrects", "command", "events"]
ACTOR = ["person", "office", "device", "seat"]
SEAL = re.compile(rb',"sha256":"([0-9a-f]{64})"\}\n\Z')
TIME = re.compile(r"(?!0001|9999)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
FIRST = "0" * 64
LONGEST = 1 << 20

CHANGED = "the line does not match its seal"
NOT_FOLLOWING = "an entry is missing, out of place, or follows a changed line"
AFTER_LAST = "there are lines after the one that closes the log"


class UnreadableError(Exception):
    """The file cannot be read as a record."""


def limited(number, line):
    """Return a line. Raises ``UnreadableError`` if it is too long."""
    if len(line) > LONGEST:
        raise UnreadableError(f"line {number} is longer than {LONGEST:,} bytes")
    return line


def numbered_lines(path):
    """Yield the number and the bytes of each line, then of what breaks off, with what broke it."""
    number, rest = 0, b""
    try:
        with open(path, "rb") as file:
            start = file.read(2)
            file.seek(0)
            source = gzip.GzipFile(fileobj=file) if start == b"\x1f\x8b" else file
            while data := source.read1(1 << 16):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    number += 1
                    yield number, limited(number, line) + b"\n", None
                limited(number + 1, rest)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        yield number + 1, rest, f"the gzip stream breaks off here: {error}"
        return
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None
    if rest:
        yield number + 1, rest, None


def unsealed(line):
    """Return the content of a line, its seal, and whether the seal is that of the content."""
    found = SEAL.search(line)
    if found is None:
        return line, hashlib.sha256(line).hexdigest(), False
    body, seal = line[: found.start()] + b"}", found[1].decode()
    return body, seal, hashlib.sha256(body).hexdigest() == seal


def refused(text):
    """Refuse a number that no record has: a fraction, an exponent, or not a number."""
    raise ValueError(f"{text} is not an integer")


def parsed(body):
    """Return the object of a line, or None unless it is canonical: written in the only way."""
    try:
        data = json.loads(body.decode(), parse_float=refused, parse_constant=refused)
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        return None
    return data if text == body and isinstance(data, dict) else None


def is_integer(value):
    """Return whether a value is an integer; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_actor(one):
    """Return whether a value is an actor: a person, an office, a device, and a patron's seat."""
    if not isinstance(one, dict) or list(one) not in (ACTOR, ACTOR[:3]):
        return False
    texts = all(isinstance(one[name], str) for name in ACTOR[:3])
    return texts and ("seat" not in one or is_integer(one["seat"]))


def is_named(one, *more):
    """Return whether a value is an object that begins with its type."""
    named = isinstance(one, dict) and list(one)[: 1 + len(more)] == ["type", *more]
    return named and isinstance(one["type"], str)


def is_entry(data):
    """Return whether an object has the fields of an entry, in order and of the right kinds."""
    return (
        list(data) == ENTRY
        and is_integer(data["seq"])
        and isinstance(data["prev"], str)
        and isinstance(data["at"], str)
        and isinstance(data["by"], list)
        and all(map(is_actor, data["by"]))
        and (data["key"] is None or isinstance(data["key"], str))
        and (data["corrects"] is None or is_integer(data["corrects"]))
        and is_named(data["command"])
        and isinstance(data["events"], list)
        and all(is_named(one, "v") and is_integer(one["v"]) for one in data["events"])
    )


def time_fault(at, before):
    """Return what is wrong with a time, given the one before."""
    try:
        valid = TIME.fullmatch(at) is not None
        datetime.datetime.fromisoformat(at[:-1])
    except ValueError:
        valid = False
    if not valid:
        return f"{at!r} is not a time in the format of a record"
    return f"the time goes backward: {at} follows {before}" if at < before else None


class Chain:
    """The state of a chain: the number, seal, and time of the last line.

    ``seen`` are the numbers and seals of all lines. A line is expected to follow a changed line as
    it is now, so that each change is reported once.
    """

    def __init__(self, line):
        self.closed = False
        self.body, self.seal, self.sealed = unsealed(line)
        self.begin = self.continued()
        self.sequence, self.at = self.begin
        self.seen = {(self.sequence, self.seal)}

    def continued(self):
        """Return the number and time of the last entry of the log that this one continues."""
        try:
            data = json.loads(self.body.decode())
            if data["format"] not in HEADERS:
                raise UnreadableError(f"its format is {data['format']!r}, which is not known here")
            self.header = data
            before = data.get("continues") or {"entry": 0, "at": ""}
            if not is_integer(before["entry"]) or not isinstance(before["at"] or "", str):
                raise UnreadableError("line 1: `continues` is not a log and its last entry")
            return before["entry"], before["at"] or ""
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise UnreadableError("line 1: not the header of a table log or pit log") from None

    def header_fault(self):
        """Return what is wrong with the header."""
        if not self.sealed:
            return CHANGED
        data, known = parsed(self.body), HEADERS[self.header["format"]]
        if data is None or list(data) != [
            one for one in known if one in data or one not in OPTIONAL
        ]:
            return "the header is not in the canonical form"
        return None if data["prev"] == FIRST else "the header follows another line"

    def follow(self, line):
        """Advance by one line, and return what is wrong with it."""
        if self.closed:
            return AFTER_LAST
        body, seal, sealed = unsealed(line)
        data = parsed(body)
        entry = data if data is not None and is_entry(data) else None
        self.closed = body.startswith(b'{"entries":')
        if entry is not None:
            fault = self.place_fault(entry)
        elif not self.closed:
            fault = "the line is not an entry in the canonical form"
        elif body == b'{"entries":%d,"prev":"%s"}' % (self.sequence, self.seal.encode()):
            fault = None
        else:
            fault = "the last line does not close the log before it"
        if entry is not None and sealed:
            self.sequence, self.at = entry["seq"], entry["at"]
        else:
            self.sequence += not self.closed
        self.seal = seal
        self.seen.add((self.sequence, seal))
        return fault if sealed else CHANGED

    def place_fault(self, entry):
        """Return why an entry does not follow the line before."""
        if (entry["seq"], entry["prev"]) != (self.sequence + 1, self.seal):
            return NOT_FOLLOWING
        return time_fault(entry["at"], self.at)


def check(path):
    """Return the chain of a record at its end, its faults by line, and a torn line's number."""
    chain, faults, torn = None, {}, None
    for number, line, broken in numbered_lines(path):
        whole = line.endswith(b"\n")
        if chain is None:
            if line.startswith(codecs.BOM_UTF8) or line.endswith(b"\r\n"):
                raise UnreadableError("line 1: this copy has a byte order mark or CRLF line ends")
            if not whole:
                raise UnreadableError(f"line 1: {broken or 'the log breaks off in its header'}")
            chain = Chain(line)
            fault = chain.header_fault()
        elif broken is not None:
            fault = broken
        elif not whole and not chain.closed:
            torn = number
            break
        else:
            fault = chain.follow(line)
        if fault is not None:
            faults[number] = fault
        if fault == AFTER_LAST:
            break
    if chain is None:
        raise UnreadableError("the file is empty")
    return chain, faults, torn


def head_of(text):
    """Return the number and the seal of a head that was noted before."""
    found = re.fullmatch(r"(\d+):([0-9a-fA-F]{64})", text, re.ASCII)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r}: write the entry and its seal as 12:5f6c...")
    return int(found[1]), found[2].lower()


def main():
    """Check the record that the command line names, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check the chain of a Croupier record.")
    parser.add_argument("log", help="a table log or pit log (.jsonl or .jsonl.gz)")
    parser.add_argument("--head", type=head_of, action="append", default=[], metavar="ENTRY:SHA256")
    asked = parser.parse_args()
    try:
        chain, faults, torn = check(asked.log)
    except UnreadableError as error:
        print(f"{asked.log}: {error}", file=sys.stderr)
        return 2
    for number, fault in faults.items():
        print(f"line {number}: {fault}")
    missing = [head for head in asked.head if head not in chain.seen]
    for entry, seal in missing:
        print(f"head {entry}:{seal}: no line has this number and seal")
    if faults or missing:
        return 1
    state = "closed" if chain.closed else "still open"
    print(f"intact, {state}, head {chain.sequence}:{chain.seal}")
    if torn is not None:
        print(f"line {torn} breaks off and was left out: it was being written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
