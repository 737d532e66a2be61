"""The table of editions names every included law file, and the register grows without binding."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from croupier.law.interpretations import edition_of, editions, interpretations, unlisted
from croupier.law.model import Correction, Interpretation
from croupier.law.resolve import instruments
from support.command_line import told_with

LAWS = instruments()


def test_every_included_law_file_is_in_the_table_of_editions() -> None:
    assert list(unlisted(LAWS)) == []
    told_with(0, "law", "coverage", "--gaps")


def test_no_law_file_is_of_two_editions() -> None:
    files = [(one.law, file) for one in editions() for file in one.files]
    assert len(files) == len(set(files))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.key)
def test_the_edition_of_today_has_every_correction(law: object) -> None:
    one = next(one for one in LAWS if one is law)
    found = edition_of(one, one.edition, one.sha256)
    assert found is not None
    assert found.corrections_since(one) == ()


def test_a_changed_law_file_is_a_gap() -> None:
    law = replace(LAWS[0], sha256="0" * 64)
    ((name, reason),) = unlisted((law,))
    assert name == law.key
    assert "is not in editions.toml" in reason


def test_a_correction_that_the_table_lacks_is_a_gap() -> None:
    law = LAWS[0]
    more = Correction(date(2027, 1, 1), ("wagers.tie.pays",), "It was wrong.", binds=True)
    changed = replace(law, corrections=(*law.corrections, more))
    reasons = [reason for _, reason in unlisted((changed,))]
    assert any("lacks corrections of it: wagers.tie.pays" in reason for reason in reasons)


def test_a_new_entry_of_the_register_without_a_day_is_a_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = interpretations()["C78"]
    assert entry.added is not None
    register: dict[str, Interpretation] = {
        **interpretations(),
        "C78": replace(entry, added=None),
        "C999": replace(entry, id="C999", added=None),
    }
    monkeypatch.setattr("croupier.law.interpretations.interpretations", lambda: register)
    assert [name for name, _ in unlisted(LAWS)] == ["C78", "C999"]
    shown = told_with(1, "law", "coverage", "--gaps")
    assert "C78: 'added' is missing" in shown.output


def test_a_law_file_of_ones_own_has_its_own_edition_alone() -> None:
    law = replace(LAWS[0], id="xx/mine", sha256="1" * 64)
    assert edition_of(law, law.edition, law.sha256) is not None
    assert edition_of(law, law.edition, "0" * 64) is None
    assert edition_of(law, law.edition + 1, law.sha256) is None
