"""The list of slow tests names tests that are there, and a spread is of different cases."""

import ast
import inspect
from collections.abc import Sequence
from pathlib import Path

import pytest

import slow
from conftest import COUNTED
from croupier.rules import read_submission
from slow import TESTS, UNREAD, listed, slow_of
from support import volume as volumes
from support.cases import each
from support.project import SUBMISSIONS
from support.volume import apart, spread, volume

pytestmark = pytest.mark.usefixtures("usual")


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volumes, "WHOLE", False)
    monkeypatch.setattr(volumes, "MOST", False)


def test_the_whole_check_tries_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (volume(9, 4), spread("abcdefghi", 3)) == (4, ["a", "e", "i"])
    monkeypatch.setattr(volumes, "WHOLE", True)
    assert (volume(9, 4), spread("abcdefghi", 3)) == (9, list("abcdefghi"))
    assert volume(9, 4, most=30) == 9
    assert spread("abcdefghi", 3, 5) == ["a", "c", "e", "g", "i"]
    monkeypatch.setattr(volumes, "MOST", True)
    assert spread("abcdefghi", 3, 5) == list("abcdefghi")
    assert (volume(9, 4), volume(9, 4, most=30)) == (9, 30)


def test_a_spread_of_few_cases_is_all_of_them() -> None:
    assert spread("abc", 5) == spread("abc", 3) == ["a", "b", "c"]
    assert spread((), 2) == []
    assert spread("abc", 1) == ["a"]


@pytest.mark.parametrize("count", [4, 5, 6, 8])
def test_a_spread_of_the_samples_has_every_law(count: int) -> None:
    def laws(paths: Sequence[Path]) -> set[str]:
        return {read_submission(path).law for path in paths}

    assert laws(spread(SUBMISSIONS, count)) == laws(SUBMISSIONS)


@pytest.mark.parametrize("count", [2, 3, 7, 11])
def test_cases_that_lie_apart_are_different_and_in_order(count: int) -> None:
    found = apart(list(range(11)), count)
    assert len(set(found)) == count
    assert (found[0], found[-1]) == (0, 10)
    assert found == sorted(found)


def test_no_hands_are_counted_before_the_first_test(request: pytest.FixtureRequest) -> None:
    # Each process of the suite would do it again, and so would whoever asks for a single test.
    assert request.config.stash[COUNTED] == 0


def test_every_test_that_is_listed_as_slow_is_there() -> None:
    for line in listed():
        module, *inside = line.split("::")
        body = ast.parse((TESTS / module).read_text(encoding="utf-8")).body
        names = {one.name for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
        names |= {one.targets[0].id for one in body if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)}  # fmt: skip
        assert not inside or inside[0].partition("[")[0] in names, (
            f"{line}: run tests/slow.py again"
        )


def test_a_test_is_slow_by_a_case_or_by_all_and_a_module_by_its_tests() -> None:
    def cases(name: str, *seconds: float) -> dict[str, dict[str, float]]:
        return {name: {f"{name}[{at}]": took for at, took in enumerate(seconds)}}

    kept = "test_tidy.py"
    assert list(
        slow_of(
            cases(f"{kept}::test_one_long", 0.5)
            | cases(f"{kept}::test_many", *[0.06] * 20)
            | cases(f"{kept}::test_very_many", *[0.01] * 240, 4.0)
            | cases(f"{kept}::test_short", *[0.01] * 20)
            | cases(f"{kept}::test_short_but_for_two", 1.5, *[0.01] * 20, 2.0)
            | cases("test_words.py::test_long", 3.0)
        )
    ) == [
        f"{kept}::test_many",
        f"{kept}::test_one_long",
        f"{kept}::test_short_but_for_two[0]",
        f"{kept}::test_short_but_for_two[21]",
        f"{kept}::test_very_many 10",
        f"{kept}::test_very_many[240]",
        "test_words.py",
    ]


def test_a_case_with_spaces_in_its_name_is_listed_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = "test_tidy.py::test_a_query"
    case = f"{test}[a table of 7]"
    lines = list(slow_of({test: {case: 2.0, **{f"{test}[{at}]": 0.01 for at in range(240)}}}))
    assert lines == [f"{test} 10", case]
    monkeypatch.setattr(slow, "LIST", tmp_path / "slow.txt")
    slow.LIST.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert listed() == {test: 10, case: 0}


def test_a_module_that_is_long_to_import_is_slow() -> None:
    for module in UNREAD:
        assert list(slow_of({f"{module}::test_short": {f"{module}::test_short": 0.01}})) == [module]


def test_of_many_cases_in_one_test_all_that_fail_are_named_and_the_others_are_tried() -> None:
    tried = []

    @each("above", [1, 2])
    @each(("over", "under"), [(6, 3), (5, 0), (4, 2)])
    def divides(above: int, over: int, under: int, whole: str) -> None:
        tried.append((above, over, under, whole))
        assert over // under == above

    assert [*inspect.signature(divides).parameters] == ["whole"]
    with pytest.raises(BaseExceptionGroup, match="2 of 2 cases failed") as caught:
        divides(whole="a fixture")
    assert tried == [
        (above, over, under, "a fixture")
        for above in (1, 2)
        for over, under in ((6, 3), (5, 0), (4, 2))
    ]
    groups = [(one.__notes__, [*map(_told, one.exceptions)]) for one in caught.value.exceptions]
    zero = (ZeroDivisionError, ["over = 5, under = 0"])
    assert groups == [
        (
            ["above = 1"],
            [
                (AssertionError, ["over = 6, under = 3"]),
                zero,
                (AssertionError, ["over = 4, under = 2"]),
            ],
        ),
        (["above = 2"], [zero]),
    ]
    with pytest.raises(AssertionError, match="no case is tried"):
        each("above", ())


def _told(error: BaseException) -> tuple[type[BaseException], list[str]]:
    return type(error), error.__notes__
