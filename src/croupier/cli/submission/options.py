"""Elections as options of a command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from croupier.files.errors import FileError
from croupier.files.toml import parse_toml
from croupier.law.model import Instrument, Rule
from croupier.law.values import Kind

OWN: Final = frozenset(
    {"ask", "title", "pit", "table", "seats", "limit", "reading", "out", "force", "help"}
    | {"plain", "ascii", "no-pager", "laws"}
)


def option_names(law: Instrument) -> Mapping[str, tuple[str, ...]]:
    """Return the options of every election, by rule id.

    The short name is the beginning that several ids share; it is that of the first.

    >>> from croupier.law.resolve import resolve
    >>> names = option_names(resolve("us-nj/minibaccarat", on="latest"))
    >>> names["vigorish.scheme"], names["vigorish.rounded"]
    (('--vigorish', '--vigorish-scheme'), ('--vigorish-rounded',))
    """
    words = {
        rule.id: rule.id.removeprefix("wagers.").replace("_", "-").split(".")
        for rule in law.elections
    }
    taken = {"-".join(parts) for parts in words.values()} | OWN
    names = dict[str, tuple[str, ...]]()
    for rule_id, parts in words.items():
        names[rule_id] = (f"--{'-'.join(parts)}",)
        short = "-".join(parts[:-1])
        if short and short not in taken:
            taken.add(short)
            names[rule_id] = (f"--{short}", *names[rule_id])
    return names


def elected(rule: Rule, text: str) -> Any:
    """Return a typed election as a submission writes it. Raises ``ValueError``.

    >>> elected(Rule("decks", Kind.COUNT, "", ()), "8")
    8
    """
    if text.startswith(("{", "[")):
        try:
            return parse_toml(f"value = {text}", Path(rule.id)).tables["value"]
        except FileError as error:
            raise ValueError(f"{text} is not TOML: write it as in a submission") from error
    if rule.kind is Kind.FLAG:
        if text.lower() not in _FLAGS:
            raise ValueError(f"{text!r} is neither yes nor no")
        return _FLAGS[text.lower()]
    if rule.kind is Kind.COUNT and text.isascii() and text.isdigit():
        return int(text)
    return text


_FLAGS: Final = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
