"""``frozen`` makes what the standard library's frozen dataclass is, method for method."""

import copy
import dataclasses
import pickle
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields

import pytest

from croupier.frozen import field, frozen, replace


@frozen
class Base:
    """A class with a field of each sort."""

    x: int
    own: tuple[str, ...] = ()
    labels: dict[str, int] = field(default_factory=dict)


@frozen
class Below(Base):
    """One made from it, with a field more and another default."""

    own: tuple[str, ...] = ("a",)
    y: int = 7


@dataclass(frozen=True)
class PlainBase:
    """The same by the standard library."""

    x: int
    own: tuple[str, ...] = ()
    labels: dict[str, int] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class PlainBelow(PlainBase):
    """The same by the standard library."""

    own: tuple[str, ...] = ("a",)
    y: int = 7


PAIRS = pytest.mark.parametrize(("made", "plain"), [(Base, PlainBase), (Below, PlainBelow)])


@PAIRS
@pytest.mark.parametrize("given", [(1,), (1, ("b",)), (1, ("b",), {"c": 2})])
def test_it_is_shown_compared_and_hashed_as_a_dataclass(
    made: type[Base], plain: type[PlainBase], given: tuple[object, ...]
) -> None:
    one, like = made(*given), plain(*given)  # type: ignore[arg-type]
    assert repr(one) == repr(like).removeprefix("Plain")
    assert vars(one) == vars(like)
    assert one == made(*given)  # type: ignore[arg-type]
    assert one != replace(one, x=2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@PAIRS
def test_some_of_its_fields_are_replaced_as_a_dataclass_has_it(
    made: type[Base], plain: type[PlainBase]
) -> None:
    one = made(1, ("b",), {"c": 2})
    assert vars(replace(one, x=2)) == vars(dataclasses.replace(plain(1, ("b",), {"c": 2}), x=2))
    assert replace(one, x=2) == dataclasses.replace(one, x=2)
    assert one.x == 1
    with pytest.raises(TypeError, match="'z'"):
        replace(one, z=2)


def test_a_field_of_the_standard_library_is_no_default() -> None:
    class Mistaken:
        labels: dict[str, int] = dataclasses.field(default_factory=dict)

    with pytest.raises(TypeError, match="Mistaken"):
        frozen(Mistaken)


@PAIRS
def test_its_fields_are_those_of_a_dataclass(made: type[Base], plain: type[PlainBase]) -> None:
    told = [[(one.name, one.default, one.type) for one in fields(kind)] for kind in (made, plain)]
    assert told[0] == told[1]
    assert [one.default_factory is MISSING for one in fields(made)][2] is False
    assert made.__match_args__ == plain.__match_args__


def test_equal_objects_have_one_hash() -> None:
    @frozen
    class Point:
        x: int
        y: int = 0

    assert hash(Point(1)) == hash(Point(1, 0))
    assert {Point(1), Point(1), Point(2)} == {Point(1), Point(2)}


def test_objects_of_two_classes_are_never_equal() -> None:
    assert Base(1) != Below(1, ())
    assert Below(1, ()) != Base(1)


def test_an_object_is_never_changed() -> None:
    one = Below(1)
    with pytest.raises(FrozenInstanceError, match="'x'"):
        one.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="'y'"):
        del one.y
    assert one == Below(1)


@pytest.mark.parametrize("given", [(), (1, (), {}, 3, 4)])
def test_wrong_arguments_are_refused(given: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match=r"Below\.__init__"):
        Below(*given)  # type: ignore[arg-type]


def test_a_factory_makes_each_object_its_own() -> None:
    assert Base(1).labels is not Base(1).labels


def test_it_is_copied_and_pickled() -> None:
    one = Below(1, labels={"a": 1})
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one  # noqa: S301  (our own bytes)


def test_a_method_of_the_class_stays() -> None:
    @frozen
    class Told:
        x: int

        def __repr__(self) -> str:
            return "told"

        __eq__ = object.__eq__
        __hash__ = object.__hash__

    assert repr(Told(1)) == "told"
    assert Told(1) != Told(1)


def test_a_field_may_be_called_anything() -> None:
    @frozen
    class Held:
        held: dict[str, int] = field(default_factory=dict)
        self_dict: int = 3

    assert Held() == Held({}, 3)
    assert Held().held == {}
