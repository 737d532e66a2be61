"""Coverage leads from a clause to code and tests, and finds every gap."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from croupier.law.coverage import CoverageRow, coverage, gaps
from croupier.law.coverage import tests_naming as naming  # or it would be taken for a test
from croupier.law.model import ClauseClass, Disposition
from croupier.law.resolve import resolve
from support.texts import NJ_MINI

LAW = resolve("us-nj/minibaccarat", on=NJ_MINI)

Names = Mapping[str, tuple[str, ...]]


def row(clause: str, **known: Names) -> CoverageRow:
    rows = coverage(LAW, known.get("carried", {}), known.get("tests", {}))
    (found,) = (each for each in rows if each.id == clause)
    return found


def reasons(clause: str, **known: Names) -> list[str]:
    rows = coverage(LAW, known.get("carried", {}), known.get("tests", {}))
    return [gap.reason for gap in gaps(rows, LAW) if gap.id == clause]


def test_there_is_a_row_for_every_clause_in_the_laws_own_order() -> None:
    assert [each.id for each in coverage(LAW, {}, {})] == list(LAW.clauses)


def test_a_clause_that_a_rule_states_is_covered_by_the_rule() -> None:
    found = row("NJ-MINI:7.3(c)1")
    assert (found.clause_class, found.disposition) == (ClauseClass.LOGIC, Disposition.RULE)
    assert found.by == (
        "vigorish.rounded",
        "vigorish.5_percent.rounds_to",
        "vigorish.4_percent.rounds_to",
    )


def test_a_clause_that_is_carried_out_is_covered_by_the_functions() -> None:
    carried = {"point_count": ("baccarat.coup.point_count",), "decks": ("elsewhere",)}
    found = row("NJ-MINI:7.1(c)", carried=carried)
    assert (found.disposition, found.by) == (Disposition.PROCEDURE, ("baccarat.coup.point_count",))


def test_a_clause_that_ties_elections_is_covered_by_the_constraint() -> None:
    found = row("NJ-MINI:7.5(c)")
    assert (found.disposition, found.by) == (Disposition.CONSTRAINT, ("uniform.shuffle",))


def test_a_clause_of_the_check_list_tells_why() -> None:
    found = row("NJ-MINI:7.1(a)#3")
    assert found.disposition is Disposition.CHECKLIST
    assert found.by[0].startswith("check-list: A physical condition")


def test_a_procedure_without_a_function_is_a_gap() -> None:
    test = {"NJ-MINI:7.1(c)": ("a test",)}
    assert reasons("NJ-MINI:7.1(c)", tests=test) == ["no function implements point_count"]
    carried = {"point_count": ("a function",)}
    assert reasons("NJ-MINI:7.1(c)", tests=test, carried=carried) == []


def test_a_function_for_a_rule_that_is_no_procedure_closes_no_gap() -> None:
    # The clause is stated by settlement.order and carried out by settlement.pay.
    test = {"NJ-MINI:7.10(b)1": ("a test",)}
    assert reasons("NJ-MINI:7.10(b)1", tests=test, carried={"settlement.order": ("f",)})
    assert not reasons("NJ-MINI:7.10(b)1", tests=test, carried={"settlement.pay": ("f",)})


@pytest.mark.parametrize("clause", ["NJ-MINI:7.3(b)", "NJ-MINI:7.5(b)"])
def test_a_clause_of_logic_or_procedure_that_no_test_names_is_a_gap(clause: str) -> None:
    (reason,) = reasons(clause)
    assert "no test under this regulation names it" in reason
    assert reasons(clause, tests={clause: ("a test",)}) == []


@pytest.mark.parametrize("clause", ["NJ-MINI:7.1(a)#3", "NJ-MINI:7.11(c)#2"])
def test_a_physical_or_filing_condition_needs_no_test(clause: str) -> None:
    assert reasons(clause) == []


def test_a_test_that_names_no_clause_of_the_law_is_a_gap() -> None:
    named = {"NJ-MINI:7.99": ("tests/test_slip.py::test_slip",)}
    found = row("NJ-MINI:7.99", tests=named)
    assert (found.clause_class, found.disposition) == (None, None)
    (reason,) = reasons("NJ-MINI:7.99", tests=named)
    assert "no such clause" in reason
    assert "tests/test_slip.py::test_slip" in reason


SOURCE = """
import pytest

pytestmark = [pytest.mark.under("x@1"), pytest.mark.clause("X:0")]


@pytest.mark.under("x@2")
@pytest.mark.clause("X:1", "X:2")
def test_one() -> None:
    assert True


@pytest.mark.parametrize("case", [1, pytest.param(2, marks=pytest.mark.clause("X:3"))])
def test_two(case: int) -> None:
    checked(case)


def checked(case: int) -> None:
    assert case


@pytest.mark.clause("X:4")
class TestSeveral:
    @pytest.mark.clause("X:5")
    def test_three(self) -> None:
        assert self

    async def test_four(self) -> None:
        with pytest.raises(ValueError):
            int("x")

    @pytest.mark.clause("X:6")
    def helper(self) -> None: ...
"""


def test_tests_are_found_by_marks_on_functions_classes_modules_and_cases(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    file = tmp_path / "deep" / "test_sample.py"
    file.write_text(SOURCE, encoding="utf-8")
    (tmp_path / "sample.py").write_text(SOURCE, encoding="utf-8")
    one, two, three, four = (
        f"{file.as_posix()}::{name}"
        for name in ("test_one", "test_two", "TestSeveral::test_three", "TestSeveral::test_four")
    )
    assert naming(tmp_path) == {
        "x@1": {
            "X:0": (one, two, three, four),
            "X:1": (one,),
            "X:2": (one,),
            "X:3": (two,),
            "X:4": (three, four),
            "X:5": (three,),
        },
        "x@2": {"X:0": (one,), "X:1": (one,), "X:2": (one,)},
    }


def test_a_test_that_names_no_text_counts_for_none(tmp_path: Path) -> None:
    file = tmp_path / "test_sample.py"
    file.write_text("@pytest.mark.clause('X:1')\ndef test_one(): assert 1\n", encoding="utf-8")
    assert naming(tmp_path) == {"": {"X:1": (f"{file.as_posix()}::test_one",)}}


@pytest.mark.parametrize(
    ("source", "detail"),
    [
        ("@pytest.mark.clause(ID)\ndef test_one(): ...", r"test_bad\.py:1: a clause must be named"),
        ("\n@pytest.mark.clause(f'X:{1}')\ndef test_one(): ...", r"test_bad\.py:2: a clause"),
        ("@pytest.mark.under(ID)\ndef test_one(): ...", r"test_bad\.py:1: a text must be named"),
        ("\n\ndef test_one(:", r"test_bad\.py:3: not Python"),
        (
            "@pytest.mark.clause('X:1')\ndef test_one(): sum([1])",
            r"test_bad\.py:2: test_one names X:1 and asserts nothing",
        ),
        (
            "@pytest.mark.reading('T1')\ndef test_one(): helper()\ndef helper(): ...",
            r"test_bad\.py:2: test_one names T1 and asserts nothing",
        ),
    ],
)
def test_a_mark_that_cannot_be_read_is_refused_with_its_place(
    tmp_path: Path, source: str, detail: str
) -> None:
    (tmp_path / "test_bad.py").write_text(source, encoding="utf-8")
    with pytest.raises(ValueError, match=detail):
        naming(tmp_path)
