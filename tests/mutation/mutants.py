"""Mutants of a module: its source with one small thing changed, as a slip of the hand might.

Numbers, comparisons, arithmetic, conditions, loops and decorators are changed as mutmut and Cosmic Ray
change them; neither can change what this package is full of: words that lead to a rule or a line, rows
of tables, steps left out. What no program can notice is left alone: annotations, docstrings,
``__all__``, and the sentences of an error or a refusal.
"""

import ast
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

# What each comparison and operation is mistaken for. What is compared by identity, None and members
# of an Enum, is equal to itself alone: ``==`` would say the same.
ORDERED: Final = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.GtE: ">=",
    ast.Gt: ">",
}
PAIRED: Final = {ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
OPPOSITE: Final = {
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
NEAR: Final = {ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Mod: "//"}

# Of what says no to somebody, the argument that holds the sentence.
SENTENCES: Final = {"Refusal": 2, "Fault": 1}

Place = tuple[int, int]
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Mutant(NamedTuple):
    """A module with one thing changed: where, by which operator, and its whole source."""

    line: int
    where: str
    operator: str
    change: str
    source: str


class Text:
    """The source of a module, by line and column, as the ast counts them and as parso does."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Return the offset of a place of the ast, whose columns are bytes."""
        ahead = self.lines[line - 1].encode()[:column]
        return self.starts[line - 1] + len(ahead.decode())

    def span(self, node: ast.AST) -> Place:
        place: Any = node
        end = self.at(place.end_lineno, place.end_col_offset)
        return self.at(place.lineno, place.col_offset), end

    def of(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def line_of(self, offset: int) -> int:
        return bisect_right(self.starts, offset)


def mutants_of(path: Path) -> tuple[Mutant, ...]:
    """Return every mutant of a module, each once, in the order of its lines."""
    text = Text(path.read_text(encoding="utf-8"))
    skipped = tuple(_left_alone(text))
    seen = {text.source}
    found = []
    for operator, start, source in changes_of(text):
        if source in seen or any(begin <= start < end for begin, end in skipped):
            continue
        seen.add(source)
        try:
            ast.parse(source)
        except SyntaxError:
            continue
        line = text.line_of(start)
        change = _change(text.source, source)
        found.append(Mutant(line, _where(text.tree, line), operator, change, source))
    return tuple(sorted(found, key=lambda mutant: mutant.line))


def _change(before: str, after: str) -> str:
    """Tell what was changed: the lines as they were, an arrow, and the lines as they are."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    sides = (" ".join(" ".join(lines).split()) for lines in (old, new))
    return " => ".join(side or "nothing" for side in sides)


def _where(tree: ast.Module, line: int) -> str:
    """Return the function or class that a line stands in, by its qualified name."""
    names: list[str] = []
    body: list[ast.stmt] = tree.body
    while body:
        inside = [
            node
            for node in body
            if isinstance(node, Function)
            and min([node.lineno, *(one.lineno for one in node.decorator_list)]) <= line
            and line <= (node.end_lineno or 0)
        ]
        names += [node.name for node in inside]
        body = [one for node in inside for one in node.body]
    return ".".join(names)


# --- what is left alone ------------------------------------------------------------------------


def _left_alone(text: Text) -> Iterator[Place]:
    for node in ast.walk(text.tree):
        match node:
            case ast.arg(annotation=ast.AST() as note) | ast.AnnAssign(annotation=note):
                yield text.span(note)
            case ast.FunctionDef(returns=ast.AST() as note):
                yield text.span(note)
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom() | ast.Import():
                yield text.span(node)
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                yield text.span(node)
            case _:
                for sentence in _said(node):
                    yield from _sentences(text, sentence)


def _said(node: ast.AST) -> list[ast.expr]:
    """Return the expressions that hold what an error, a refusal or a fault says."""
    match node:
        case ast.Assign(targets=[ast.Name(id="message")], value=value):
            return [value]
        case ast.Raise(exc=ast.Call(args=args)):
            return args
        case ast.Call(func=ast.Name(id=name), args=args) if name in SENTENCES:
            return args[SENTENCES[name] : SENTENCES[name] + 1]
    return []


def _sentences(text: Text, node: ast.AST) -> Iterator[Place]:
    """Yield the strings of an expression; what chooses between them stays."""
    for one in ast.walk(node):
        if isinstance(one, ast.JoinedStr) or (
            isinstance(one, ast.Constant) and isinstance(one.value, str)
        ):
            yield text.span(one)


# --- what is changed --------------------------------------------------------------------------


def changes_of(text: Text) -> Iterator[tuple[str, int, str]]:
    """Yield the operator, the offset and the whole changed source of every mutant."""
    inside = {
        id(one)
        for node in ast.walk(text.tree)
        if isinstance(node, ast.JoinedStr | ast.pattern)
        for one in ast.walk(node)
        if one is not node
    }
    for node in ast.walk(text.tree):
        if id(node) in inside:
            continue
        for operator, place, new in _changes(text, node):
            start, end = text.span(place)
            yield operator, start, text.source[:start] + new + text.source[end:]


def _changes(text: Text, node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield the operator, the node that is replaced, and the text that takes its place."""
    match node:
        case ast.Constant() | ast.JoinedStr():
            for new in _constants(text, node):
                yield "Constant", node, new
        case ast.Return(value=ast.AST()):
            yield "Step", node, "return None"
        case (
            ast.Raise() | ast.AugAssign() | ast.Assign() | ast.Expr(value=ast.Call() | ast.Yield())
        ):
            yield "Step", node, "pass"
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            for decorator in decorators:
                yield "Decorator", decorator, "(lambda one: one)"
        case ast.Call():
            yield from _calls(text, node)
        case _:
            yield from _tests(text, node)
            yield from _loops(node)
            for operator, left in _parts(text, node):
                yield operator, node, left


def _loops(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    match node:
        case ast.Break() | ast.Continue():
            yield "Loop", node, "continue" if isinstance(node, ast.Break) else "break"
        case ast.For(iter=iterated):
            yield "Loop", iterated, "()"
        case ast.ExceptHandler(type=ast.AST() as caught):
            yield "Except", caught, "()"


def _constants(text: Text, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=bool(flag)):
            yield str(not flag)
        case ast.Constant(value=int(number)):
            yield str(number + 1)
            yield str(number - 1)
        case ast.Constant(value=str(word)):
            yield repr(f"X{word}")
        case ast.JoinedStr():
            whole = text.of(node)
            yield f"{whole[:2]}X{whole[2:]}"


def _tests(text: Text, node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield "Branch", test, f"(not ({text.of(test)}))"
            yield "Branch", test, "True"
            yield "Branch", test, "False"
        case ast.comprehension(ifs=tests):
            for test in tests:
                yield "Branch", test, "True"
                yield "Branch", test, "False"
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "Operator", node, f"({text.of(operand)})"
        case ast.Compare(ops=ops):
            sides = [text.of(one) for one in (node.left, *node.comparators)]
            words = [(ORDERED | PAIRED)[type(op)] for op in ops]
            # Words stand in no order: of them only equality is asked.
            of_words = any(
                isinstance(one, ast.Constant) and isinstance(one.value, str)
                for one in (node.left, *node.comparators)
            )
            for index, word in enumerate(words):
                if of_words or word not in ORDERED.values():
                    others = {OPPOSITE[word]} if word in OPPOSITE else set()
                else:
                    others = set(ORDERED.values()) - {word}
                for other in sorted(others):
                    changed = [*words[:index], other, *words[index + 1 :], ""]
                    pairs = zip(sides, changed, strict=True)
                    yield "Comparison", node, f"({' '.join(f'{a} {b}' for a, b in pairs).strip()})"


def _parts(text: Text, node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what is left of a display without one element, of an operation without an operand."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            yield from _elements(text, node, parts)
        case ast.Dict(keys=keys, values=values):
            pairs = [
                f"{text.of(key)}: {text.of(value)}" if key else f"**{text.of(value)}"
                for key, value in zip(keys, values, strict=True)
            ]
            for index in range(len(pairs)):
                yield "Element", f"{{{', '.join(_without(pairs, index))}}}"
        case ast.BoolOp(values=values):
            word, other = (" and ", " or ")[:: 1 if isinstance(node.op, ast.And) else -1]
            yield "Operator", f"({other.join(f'({text.of(one)})' for one in values)})"
            for index in range(len(values)):
                left = _without([f"({text.of(one)})" for one in values], index)
                yield "Operand", f"({word.join(left)})"
        case ast.BinOp():
            if type(node.op) in NEAR:
                near = NEAR[type(node.op)]
                yield "Operator", f"({text.of(node.left)} {near} {text.of(node.right)})"
            yield "Operand", f"({text.of(node.left)})"
            yield "Operand", f"({text.of(node.right)})"


def _without(parts: list[str], index: int) -> list[str]:
    return parts[:index] + parts[index + 1 :]


def _elements(text: Text, node: ast.AST, parts: list[ast.expr]) -> Iterator[tuple[str, str]]:
    if isinstance(getattr(node, "ctx", None), ast.Store):
        return
    for index in range(len(parts)):
        rest = ", ".join(_without([text.of(one) for one in parts], index))
        if isinstance(node, ast.List):
            yield "Element", f"[{rest}]"
        elif isinstance(node, ast.Tuple):
            yield "Element", f"({rest}{',' if rest else ''})"
        else:
            yield "Element", f"{{{rest}}}" if rest else "set()"


def _calls(text: Text, node: ast.Call) -> Iterator[tuple[str, ast.AST, str]]:
    """Leave out what a call can do without; of the least or the greatest, take each alone."""
    arguments = [text.of(one) for one in node.args]
    named = [f"{one.arg}={text.of(one.value)}" if one.arg else "" for one in node.keywords]
    function = text.of(node.func)
    if function in {"min", "max"} and len(arguments) > 1:
        for argument in arguments:
            yield "Operand", node, argument
    if "" not in named:
        for index in range(len(named)):
            rest = arguments + _without(named, index)
            yield "Argument", node, f"{function}({', '.join(rest)})"
