"""What can be changed in a source text: every place of a function body, and the mistakes that fit there.

Not touched: annotations, decorators, docstrings, texts, the arguments of `raise`, the messages of `assert`, and
what stands outside of functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitAnd, ast.BitOr),
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
ORDER_IS_FREE = {"min", "max", "isinstance", "zip"}
"""Calls whose arguments are not swapped: nothing or a TypeError would come of it."""


@dataclass(frozen=True)
class Mutant:
    """One change of one place.

    Attributes:
        file: the path from the root of the project.
        function: the qualified name of the function that is changed.
        operator: the kind of mistake.
        before: the source of the place.
        after: what stands there instead.
        number: counts mutants of a file that are alike in all of the above.
        line: where the place begins, from 1.
        span: first byte of the place in the file and the one after the last.
        lines: first and last line of the outermost function around the place, decorators included.
    """

    file: str
    function: str
    operator: str
    before: str
    after: str
    number: int
    line: int
    span: tuple[int, int]
    lines: tuple[int, int]

    @property
    def key(self) -> str:
        """Names the mutant for as long as its function does not change, wherever that stands in the file."""
        name = f"{self.file}::{self.function} {self.operator}: {self.before} -> {self.after}"
        return f"{name} [{self.number}]" if self.number else name

    def applied(self, source: str) -> str:
        """The file's text with the mistake in it."""
        data = source.encode()
        return (data[: self.span[0]] + self.after.encode() + data[self.span[1] :]).decode()


def places(file: str, source: str) -> list[list[Mutant]]:
    """For every place of `source` that can be changed the mutants that differ there."""
    found: list[list[Mutant]] = []
    counts: dict[str, int] = {}
    for place in _Reader(file, source).read():
        numbered = []
        for mutant in place:
            number = counts.get(mutant.key, 0)
            counts[mutant.key] = number + 1
            numbered.append(Mutant(**{**vars(mutant), "number": number}))
        found.append(numbered)
    return found


class _Reader:
    """Walks through one file."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source = file, source
        starts = [0]
        for line in source.encode().splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.starts = starts
        self.names: list[str] = []
        self.lines: tuple[int, int] | None = None

    def read(self) -> Iterator[list[Mutant]]:
        yield from self.visit(ast.parse(self.source))

    def visit(self, node: ast.AST, tested: bool = False) -> Iterator[list[Mutant]]:
        """The places of a node and of what stands in it; `tested` if it is a condition."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from self.definition(node)
            return
        if isinstance(node, ast.JoinedStr):
            return
        if self.lines is not None:
            changes = [*_changes(node), *(_of_condition(node) if tested else ())]
            if changes:
                yield [self.mutant(node, operator, after) for operator, after in changes]
        for child, is_test in _children(node):
            yield from self.visit(child, is_test)

    def definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[list[Mutant]]:
        self.names.append(node.name)
        outer = self.lines
        if not isinstance(node, ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            self.lines = outer or (first, node.end_lineno or node.lineno)
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                if default is not None:
                    yield from self.visit(default)
        for child in node.body:
            yield from self.visit(child)
        self.lines = outer
        self.names.pop()

    def mutant(self, node: ast.AST, operator: str, after: str) -> Mutant:
        start = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        after = f"({after})" if isinstance(node, ast.expr) and not isinstance(node, ast.Constant) else after
        assert self.lines is not None
        return Mutant(
            self.file, ".".join(self.names), operator, ast.unparse(node), after, 0,
            node.lineno, (start, end), self.lines,  # type: ignore[attr-defined]
        )  # fmt: skip


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """What stands in a node, but for annotations and the texts of errors; and whether it is a condition."""
    if isinstance(node, ast.Raise):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "msg", "ctx"):
            continue
        is_test = name in ("test", "ifs") and not isinstance(node, ast.Assert)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, is_test


def _changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The mistakes that fit a node: the kind, and the text that takes its place."""
    return _of_statement(node) if isinstance(node, ast.stmt) else _of_expression(node)


def _of_condition(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Constant):
        return
    if not isinstance(node, (ast.Compare, ast.UnaryOp)):  # those have their opposites
        yield "condition", f"not ({ast.unparse(node)})"
    yield "condition", "True"
    yield "condition", "False"


def _of_statement(node: ast.stmt) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call removed", "pass"
    elif isinstance(node, (ast.Assign, ast.AugAssign)) or (isinstance(node, ast.AnnAssign) and node.value):
        yield "assignment removed", "pass"
    elif isinstance(node, ast.Raise):
        yield "raise removed", "pass"
    elif isinstance(node, ast.Break):
        yield "break", "continue"
        yield "break", "pass"
    elif isinstance(node, ast.Continue):
        yield "continue", "break"
        yield "continue", "pass"
    elif isinstance(node, ast.Return):
        if node.value is None:
            yield "return removed", "pass"
        elif not (isinstance(node.value, ast.Constant) and not node.value.value):
            yield "return value", "return 0" if isinstance(node.value, _NUMERIC) else "return None"
    if isinstance(node, ast.AugAssign):
        for other in ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", ast.unparse(ast.AugAssign(node.target, other(), node.value))


_NUMERIC = (ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant, ast.Name)


def _of_expression(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            for other in COMPARISONS[type(op)]:
                ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                yield "comparison", ast.unparse(ast.Compare(node.left, ops, node.comparators))
    elif isinstance(node, ast.BinOp) and not (_is_text(node.left) or _is_text(node.right)):
        for operator in ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", ast.unparse(ast.BinOp(node.left, operator(), node.right))
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node.value)
    elif isinstance(node, ast.BoolOp):
        yield (
            "and or",
            ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)),
        )
        for index in range(len(node.values)):
            rest = [*node.values[:index], *node.values[index + 1 :]]
            yield "operand removed", ast.unparse(rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert, ast.USub)):
        yield "sign removed", ast.unparse(node.operand)
    elif isinstance(node, ast.Call):
        yield from _of_call(node, node.func.id if isinstance(node.func, ast.Name) else "")


def _of_constant(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, bool):
        yield "constant", repr(not value)
    elif isinstance(value, int):
        yield "constant", repr(value + 1)
        yield "constant", repr(value - 1)
    elif isinstance(value, float):
        yield "constant", repr(value * 2 + 1)


def _of_call(node: ast.Call, name: str) -> Iterator[tuple[str, str]]:
    if name == "range" and node.args and not isinstance(node.args[min(1, len(node.args) - 1)], ast.Constant):
        end = min(1, len(node.args) - 1)
        for operator in (ast.Add(), ast.Sub()):
            bound = ast.BinOp(node.args[end], operator, ast.Constant(1))
            yield (
                "range",
                ast.unparse(ast.Call(node.func, [*node.args[:end], bound, *node.args[end + 1 :]], [])),
            )
    elif name in OPPOSITES:
        yield "opposite", ast.unparse(ast.Call(ast.Name(OPPOSITES[name]), node.args, node.keywords))
    if name in ORDER_IS_FREE or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    for index in range(len(node.args) - 1):
        args = list(node.args)
        args[index], args[index + 1] = args[index + 1], args[index]
        yield "arguments swapped", ast.unparse(ast.Call(node.func, args, node.keywords))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
