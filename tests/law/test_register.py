"""Every entry of the register has an id and a name of its own, so that none hides another."""

import tomllib
from collections import Counter
from pathlib import Path

import croupier.law
from croupier.law.interpretations import interpretations, reading_ids

REGISTER = Path(croupier.law.__file__).with_name("interpretations.toml")


def test_no_entry_has_the_id_or_the_name_of_another() -> None:
    entries = tomllib.loads(REGISTER.read_text())["interpretation"]
    for key in ("id", "name"):
        counts = Counter(entry[key] for entry in entries if key in entry)
        assert [one for one, count in counts.items() if count > 1] == []
    assert list(interpretations()) == [entry["id"] for entry in entries]
    assert len(reading_ids(interpretations())) == sum("name" in entry for entry in entries)
