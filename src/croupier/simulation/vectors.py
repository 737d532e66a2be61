"""Vectors for kernels: 16-bit or 32-bit unsigned numbers that wrap around."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import typing
from numba.core.datamodel import models, register_default
from numba.core.extending import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global

from croupier.odds.compiled import operation

LANES: Final = 32
"""Number of 16-bit numbers in a 512-bit vector; half as many have 32 bits."""


class Vector(types.Type):
    def __init__(self, bits: int, lanes: int) -> None:
        self.stored = ir.VectorType(ir.IntType(bits), lanes)
        self.bits = bits
        super().__init__(name=f"Vector({bits}, {lanes})")


@register_default(Vector)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Vector) -> None:
        super().__init__(manager, kind, kind.stored)


SHORTS: Final = Vector(16, LANES)
WORDS: Final = Vector(32, LANES // 2)
MASK: Final = Vector(1, LANES)


def _emitted(name: str, builder: Any, one: Any, other: Any) -> Any:
    return getattr(builder, name)(one, other)


def _compared(sign: str, builder: Any, one: Any, other: Any) -> Any:
    return builder.icmp_unsigned(sign, one, other)


def _operator(sign: Any, emit: Any, gives: Vector | None = None) -> None:
    @infer_global(sign)
    class _Rule(AbstractTemplate):
        def generic(self, given: Any, _named: Any) -> Any:
            if len(given) == 2 and isinstance(given[0], Vector) and given[0] == given[1]:
                return typing.signature(gives or given[0], *given)
            return None

    @lower_builtin(sign, Vector, Vector)
    def _generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return emit(builder, *arguments)


for _name in ("add", "sub", "mul", "and_", "or_", "xor", "shl", "lshr"):
    _sign = {"shl": "lshift", "lshr": "rshift"}.get(_name, _name)
    _operator(getattr(operator, _sign), partial(_emitted, _name))
    _operator(getattr(operator, f"i{_sign}".rstrip("_")), partial(_emitted, _name))
_operator(operator.lt, partial(_compared, "<"), MASK)
_operator(operator.eq, partial(_compared, "=="), MASK)


def _place(context: Any, builder: Any, signature: Any, arguments: Any, vector: Vector) -> Any:
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.bitcast(builder.gep(data, [arguments[1]]), vector.stored.as_pointer())


def _loader(vector: Vector) -> Any:
    @operation
    def load(_context: Any, array: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _place(context, builder, signature, arguments, vector)
            return builder.load(place, align=vector.bits // 8)

        return vector(array, at), generate

    return load


shorts: Final = _loader(SHORTS)
"""Load a vector from a flat array of 16-bit numbers at a position."""
words: Final = _loader(WORDS)
"""Load a vector from a flat array of 32-bit numbers at a position."""


@operation
def store(_context: Any, array: Any, at: Any, vector: Any) -> Any:
    """Store a vector in a flat array at a position."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[2]
        place = _place(context, builder, signature, arguments, kind)
        builder.store(arguments[2], place, align=kind.bits // 8)
        return context.get_dummy_value()

    return types.void(array, at, vector), generate


@operation
def splat(_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one = context.cast(builder, arguments[0], signature.args[0], types.uint16)
        none = ir.Constant(SHORTS.stored, ir.Undefined)
        first_lane = builder.insert_element(none, one, ir.Constant(ir.IntType(32), 0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), None)
        return builder.shuffle_vector(first_lane, none, everywhere)

    return SHORTS(number), generate


@operation
def select(_context: Any, mask: Any, where: Any, elsewhere: Any) -> Any:
    """Return elements of the second argument where the mask is set, else of the third."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return where(mask, where, elsewhere), generate


def _chooser(sign: str) -> Any:
    @operation
    def choose(_context: Any, one: Any, other: Any) -> Any:
        def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.select(builder.icmp_unsigned(sign, *arguments), *arguments)

        return one(one, other), generate

    return choose


least: Final = _chooser("<")
"""Return the minimum in each lane."""
most: Final = _chooser(">")
"""Return the maximum in each lane."""


@operation
def high_product(_context: Any, one: Any, other: Any) -> Any:
    """Return the upper 16 bits of the products."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        double = ir.VectorType(ir.IntType(32), LANES)
        product = builder.mul(*(builder.zext(vector, double) for vector in arguments))
        sixteen = ir.Constant(double, [16] * LANES)
        return builder.trunc(builder.lshr(product, sixteen), SHORTS.stored)

    return SHORTS(one, other), generate


def _mover(*, around: bool) -> Any:
    @operation
    def move(_context: Any, vector: Any, by: Any) -> Any:
        shift = by.literal_value if isinstance(by, types.IntegerLiteral) else None
        if shift is None:
            return None

        def generate(_target: Any, builder: Any, _signature: Any, given: Any) -> Any:
            left_part = builder.shl(given[0], ir.Constant(WORDS.stored, [shift] * (LANES // 2)))
            if not around:
                return left_part
            down = builder.lshr(given[0], ir.Constant(WORDS.stored, [32 - shift] * (LANES // 2)))
            return builder.or_(left_part, down)

        return WORDS(vector, by), generate

    return move


rotate: Final = _mover(around=True)
"""Return 32-bit numbers rotated left by a constant."""
shift: Final = _mover(around=False)
"""Return 32-bit numbers shifted left by a constant."""


@operation
def woven(_context: Any, even: Any, odd: Any) -> Any:
    """Return the lower and the upper 16 bits of two interleaved 32-bit vectors."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sixteen = ir.Constant(WORDS.stored, [16] * (LANES // 2))
        half = ir.Constant(WORDS.stored, [0xFFFF] * (LANES // 2))
        low = builder.or_(builder.and_(arguments[0], half), builder.shl(arguments[1], sixteen))
        upper = ir.Constant(WORDS.stored, [0xFFFF0000] * (LANES // 2))
        high = builder.or_(builder.lshr(arguments[0], sixteen), builder.and_(arguments[1], upper))
        halves = [builder.bitcast(vector, SHORTS.stored) for vector in (low, high)]
        return context.make_tuple(builder, signature.return_type, halves)

    return types.UniTuple(SHORTS, 2)(even, odd), generate


@operation
def bits_of(_context: Any, mask: Any) -> Any:
    """Mask as a number, with the first lane in the lowest bit."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], ir.IntType(LANES))
        return builder.zext(bits, ir.IntType(64))

    return types.uint64(mask), generate


@operation
def lowest(_context: Any, _bits: Any) -> Any:
    """Index of the lowest set bit of a nonzero number."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate
