"""Two texts are compared rule by rule, with the clauses of both sides."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from croupier.law.compare import ChangeKind, RegulationDiff, RuleDifference, compare_texts
from croupier.law.load import load_instrument
from croupier.law.model import Instrument
from croupier.law.resolve import resolve
from support.made_up_laws import NEW, OTHER, shelf


@pytest.fixture(autouse=True)
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shelf(tmp_path, monkeypatch):
        yield


def old() -> Instrument:
    return resolve("xx/game", on=date(2001, 1, 16))


def new() -> Instrument:
    return resolve("xx/game", on=date(2005, 3, 1))


def dates() -> RegulationDiff:
    return compare_texts(old(), new())


def states() -> RegulationDiff:
    return compare_texts(new(), resolve("yy/game", on="latest"))


def altered(folder: Path, text: str, *changes: tuple[str, str]) -> Instrument:
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    path = folder / "altered.toml"
    path.write_text(text, encoding="utf-8")
    return load_instrument(path)


def ids(compared: RegulationDiff, change: ChangeKind) -> list[str]:
    return [one.id for one in compared.by_change().get(change, ())]


def only(compared: RegulationDiff, change: ChangeKind) -> RuleDifference:
    (one,) = compared.by_change()[change]
    return one


def test_another_default_is_another_choice_between_two_dates_of_a_law_alone(tmp_path: Path) -> None:
    text = NEW.replace("at_least = 6\n", "at_least = 6\ndefault = 6\n", 1)
    before = altered(tmp_path, text)
    after = altered(tmp_path, text, ("default = 6", "default = 8"))
    change = only(compare_texts(before, after), ChangeKind.CHOICES)
    assert change.first is not None
    assert change.second is not None
    assert change.id == "decks"
    assert (change.first.says[-10:], change.second.says[-10:]) == ("default: 6", "default: 8")
    other = altered(tmp_path, text, ("default = 6", "default = 8"), ('"xx/game"', '"yy/game"'))
    assert not compare_texts(before, other).by_change()


def test_a_rule_that_only_the_second_text_has_is_added_with_its_clauses() -> None:
    added = dates().by_change()[ChangeKind.ADDED]
    assert [(one.id, one.title) for one in added] == [
        ("cut.execute", "The cut"),
        ("cut.from_ends", "How far from either end"),
    ]
    assert [one.first for one in added] == [None, None]
    assert [(one.second.says, one.second.clauses) for one in added if one.second] == [
        ("procedure", ("XX:2(b)",)),
        ("cutter elects: at least 10", ("XX:2(b)",)),
    ]


def test_a_rule_that_only_the_first_text_has_is_removed_with_when_it_counted() -> None:
    removed = states().by_change()[ChangeKind.REMOVED]
    told = {one.id: one.first.says for one in removed if one.first is not None}
    assert list(told) == ["device", "vigorish.rate", "cut.execute", "cut.from_ends"]
    assert told["vigorish.rate"] == "5% (when device = none)"
    assert all(one.second is None and not one.excerpt for one in removed)


def test_what_an_excerpt_lacks_is_marked_as_not_formalised() -> None:
    assert all(one.excerpt for one in dates().by_change()[ChangeKind.ADDED])
    backwards = compare_texts(new(), old())
    assert [one.excerpt for one in backwards.by_change()[ChangeKind.REMOVED]] == [True, True]


def test_what_only_the_excerpt_has_is_not_in_doubt(tmp_path: Path) -> None:
    shorter = altered(tmp_path, OTHER, ("partial = false", "partial = true"))
    compared = compare_texts(old(), shorter)
    assert {one.excerpt for one in compared.by_change()[ChangeKind.REMOVED]} == {True}
    assert {one.excerpt for one in compare_texts(old(), new()).by_change()[ChangeKind.VALUE]} == {
        False
    }


def test_a_value_that_is_now_left_open_is_another_value() -> None:
    changed = only(dates(), ChangeKind.VALUE)
    assert changed.id == "wagers.tie.pays"
    assert changed.first is not None
    assert changed.second is not None
    assert (changed.first.says, changed.second.says) == ("8:1", "licensee elects: at least 8:1")
    assert (changed.first.clauses, changed.second.clauses) == (("XX-OLD:9.2(a)~old",), ("XX:2(a)",))


def test_another_bound_is_told_and_the_order_of_choices_is_none() -> None:
    changed = only(dates(), ChangeKind.CHOICES)
    assert changed.id == "decks"
    assert changed.first is not None
    assert changed.second is not None
    assert changed.first.says == "licensee elects: at least 5"
    assert changed.second.says == "licensee elects: at least 6"
    assert ids(states(), ChangeKind.CHOICES) == ["decks"]


@pytest.mark.parametrize(
    "change",
    [
        ("between = [6, 8]", "between = [6, 9]"),
        ("between = [6, 8]", "at_least = 6"),
        ("between = [6, 8]", 'between = [6, 8]\nby = "cutter"'),
        ("choices = [8, 10]", "choices = [8, 12]"),
        ('at_least = "8:1"', 'at_least = "9:1"'),
    ],
)
def test_whatever_is_left_open_otherwise_is_told(tmp_path: Path, change: tuple[str, str]) -> None:
    compared = compare_texts(resolve("yy/game", on="latest"), altered(tmp_path, OTHER, change))
    assert [one.change for one in compared.differences] == [ChangeKind.CHOICES]


def test_a_named_table_differs_where_what_stands_in_it_does(tmp_path: Path) -> None:
    tables = (
        '\n[[rule]]\nid = "table.A"\nkind = "paytable"\ntitle = "A"\ncites = ["YY:1"]\nvalue = { win = "1:1" }\n'
        '\n[[rule]]\nid = "bonus"\nkind = "paytable"\ntitle = "Bonus"\ncites = ["YY:1"]\n'
        'at_least_any = { A = "table.A" }\n'
    )
    text = OTHER + tables
    better = altered(tmp_path, text, ('"1:1"', '"2:1"'))
    exact = altered(tmp_path, text, ("at_least_any", "one_of"))
    plain = altered(tmp_path, text)
    assert [(one.id, one.change) for one in compare_texts(plain, better).differences] == [
        ("table.A", ChangeKind.VALUE),
        ("bonus", ChangeKind.CHOICES),
    ]
    assert [one.id for one in compare_texts(plain, exact).differences] == ["bonus"]


def test_a_value_under_another_reading_is_compared_too(tmp_path: Path) -> None:
    with_reading = altered(
        tmp_path, NEW, ('value = "5%"', 'value = "5%"\nvalue_by_reading = { "T41.literal" = "4%" }')
    )
    changed = only(compare_texts(new(), with_reading), ChangeKind.READING)
    assert changed.second is not None
    assert changed.second.says == "5%; under the reading T41.literal: 4%"


def test_another_condition_is_told_of_both_sides() -> None:
    changed = only(dates(), ChangeKind.CONDITION)
    assert changed.id == "vigorish.rate"
    assert changed.first is not None
    assert changed.second is not None
    assert (changed.first.says, changed.second.says) == ("always", "when device = none")


def test_between_dates_a_place_is_compared_as_people_cite_it() -> None:
    # 9.1(a)#1 of one text and 1(a)#1 with 1(a)#2 of the other are all X Code 9.1(a).
    changed = only(dates(), ChangeKind.CITES)
    assert changed.id == "burn.count"
    assert changed.first is not None
    assert changed.second is not None
    assert (changed.first.says, changed.second.says) == ("X Code 9.1(b)", "X Code 9.1(c)")


def test_between_states_a_place_is_never_a_difference() -> None:
    assert ChangeKind.CITES not in states().by_change()
    assert states().alike == 1  # the tie


def test_a_constraint_that_ties_otherwise_or_that_one_text_lacks_is_told() -> None:
    changed, lacking = dates().by_change()[ChangeKind.CONSTRAINT]
    assert (changed.id, changed.title) == ("device.decks", "a shuffler is fed twelve decks")
    assert changed.first is not None
    assert changed.second is not None
    assert changed.first.says == "when device = shuffler: decks at least 12"
    assert changed.second.says == "when device = shuffler: decks at least 10"
    assert (lacking.id, lacking.second, lacking.excerpt) == ("uniform.decks", None, False)
    assert lacking.first is not None
    assert lacking.first.says == "alike in a pit: decks"
    assert lacking.first.clauses == ("XX-OLD:9.1(a)~old#1",)


@pytest.mark.parametrize(
    "change",
    [
        ('when = { device = "shuffler" }', 'when = { device = "none" }'),
        ("at_least = { decks = 10 }", "at_most = { decks = 10 }"),
        ("at_least = { decks = 10 }", "multiple_of = { decks = 10 }"),
        ("at_least = { decks = 10 }", "then = { decks = 10 }"),
    ],
)
def test_whatever_a_constraint_binds_by_is_compared(
    tmp_path: Path, change: tuple[str, str]
) -> None:
    compared = compare_texts(new(), altered(tmp_path, NEW, change))
    assert [(one.id, one.change) for one in compared.differences] == [
        ("device.decks", ChangeKind.CONSTRAINT)
    ]


_BOUND = '[[constraint]]\nid = "bound"\nsays = "{0}"\ncites = ["XX:1(a)#2"]\nkind = "{0}"\n'
EXCLUDES = _BOUND.format("excludes") + 'when = { device = "shuffler" }\nthen = { decks = 9 }\n'
UNIFORM = _BOUND.format("uniform") + 'rules = ["decks"]\n'
NOTICE = _BOUND.format("notice") + 'rules = ["decks"]\nto = ["Board"]\nminutes = 15\n'


@pytest.mark.parametrize(
    ("constraint", "change"),
    [
        (EXCLUDES, ('"excludes"\nwhen', '"requires"\nwhen')),
        (UNIFORM, ('["decks"]', '["decks", "device"]')),
        (UNIFORM, ('["decks"]', '["decks"]\nbeside = "baccarat"')),
        (UNIFORM, ('["decks"]', '["decks"]\nacross = "licensee"')),
        (UNIFORM, ('["decks"]', '["decks"]\nwhen = { device = "none" }')),
        (NOTICE, ("15", "16")),
        (NOTICE, ('["Board"]', '["Division"]')),
    ],
)
def test_whatever_a_constraint_of_another_kind_binds_by_is_compared(
    tmp_path: Path, constraint: str, change: tuple[str, str]
) -> None:
    texts = NEW + constraint, NEW + constraint.replace(*change)
    assert texts[0] != texts[1]
    first, second = (altered(tmp_path, text) for text in texts)
    assert [(one.id, one.change) for one in compare_texts(first, second).differences] == [
        ("bound", ChangeKind.CONSTRAINT)
    ]


def test_what_a_constraint_says_in_our_words_is_no_difference_but_its_place_is(
    tmp_path: Path,
) -> None:
    reworded = altered(tmp_path, NEW, ("a shuffler is fed ten decks", "ten decks go in"))
    assert compare_texts(new(), reworded).differences == ()
    moved = altered(
        tmp_path,
        NEW,
        ('decks"\ncites = ["XX:1(a)#2"]', 'decks"\ncites = ["XX:2(c)"]'),
    )
    assert [(one.id, one.change) for one in compare_texts(new(), moved).differences] == [
        ("device.decks", ChangeKind.CITES)
    ]


def test_differences_are_told_by_kind_of_change_and_can_be_narrowed() -> None:
    compared = dates()
    order = list(ChangeKind)
    places = [order.index(one.change) for one in compared.differences]
    assert places == sorted(places)
    assert list(compared.by_change([ChangeKind.VALUE, ChangeKind.REMOVED])) == [ChangeKind.VALUE]


def test_a_text_does_not_differ_from_itself() -> None:
    assert dates().alike == 1  # the device
    same = compare_texts(new(), new())
    assert (same.differences, same.alike) == ((), 7)
