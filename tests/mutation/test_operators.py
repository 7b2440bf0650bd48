"""What is changed in a source text, and what is not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutation.operators import Mutant, places


def mutants(body: str, signature: str = "a: int, b: int") -> list[Mutant]:
    """All mutants of a function of this body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return [mutant for place in places("f.py", f"def f({signature}):\n{lines}") for mutant in place]


def changes(body: str) -> set[str]:
    return {f"{mutant.before} -> {mutant.after}" for mutant in mutants(body)}


SETTLED = {"a -> (not (a))", "a -> (True)", "a -> (False)"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a < b", {"a < b -> (a <= b)", "a < b -> (a >= b)", "return a < b -> return 0"}),
        ("return a in b", {"a in b -> (a not in b)", "return a in b -> return 0"}),
        ("return a << b", {"a << b -> (a >> b)", "return a << b -> return 0"}),
        ("return 7", {"7 -> 8", "7 -> 6", "return 7 -> return 0"}),
        ("g(a, 'text')", {"g(a, 'text') -> pass", "g(a, 'text') -> (g('text', a))"}),
        ("a += b", {"a += b -> pass", "a += b -> a -= b"}),
        ("if a: raise KeyError(3 + 4)", {*SETTLED, "raise KeyError(3 + 4) -> pass"}),
        ("while a: break", {*SETTLED, "break -> continue", "break -> pass"}),
        ("for i in range(a): g", {"range(a) -> (range(a + 1))", "range(a) -> (range(a - 1))"}),
        ("if a: return", {*SETTLED, "return -> pass"}),
        ("a and b", {"a and b -> (a or b)", "a and b -> (b)", "a and b -> (a)"}),
        ("assert not a, 3 + 4", {"not a -> (a)"}),
        ("'''A text.'''\nb: int = max(a, b)", {"b: int = max(a, b) -> pass", "max(a, b) -> (min(a, b))"}),
        ("f'{a + b}' + str", set()),
    ],
)  # fmt: skip
def test_the_mistakes_that_fit(body: str, expected: set[str]) -> None:
    assert changes(body) == expected


def test_annotations_decorators_and_what_is_outside_of_functions_stay() -> None:
    source = (
        "A = 3 + 4\n@cache(3)\ndef f(a: 'list[3]', b: x | None = 5) -> y | None: pass\nclass C:\n    n = 6\n"
    )
    assert [[mutant.after for mutant in place] for place in places("f.py", source)] == [["6", "4"]]


def test_a_mutant_changes_its_place_only() -> None:
    source = "def f(a):\n    'ünïcode'\n    return (a  +\n        1), 'ü', a + 1  # ü\n"
    found = [mutant for place in places("f.py", source) for mutant in place if mutant.operator == "arithmetic"]
    assert [mutant.applied(source) for mutant in found] == [
        "def f(a):\n    'ünïcode'\n    return ((a - 1)), 'ü', a + 1  # ü\n",
        "def f(a):\n    'ünïcode'\n    return (a  +\n        1), 'ü', (a - 1)  # ü\n",
    ]
    first, second = found
    assert first.key == "f.py::f arithmetic: a + 1 -> (a - 1)" and second.key == first.key + " [1]"


def test_lines_are_those_of_the_outermost_function_with_its_decorators() -> None:
    source = "class C:\n    @property\n    def outer(self):\n        def inner(): return 1\n        return 2\n"
    (mutant, *_) = next(iter(places("f.py", source)))
    assert mutant.function == "C.outer.inner" and mutant.lines == (2, 5)


def test_every_mutant_of_this_file_is_another_program() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    found = [mutant for place in places(__file__, source) for mutant in place]
    assert len({mutant.key for mutant in found}) == len(found) > 50
    original = ast.dump(ast.parse(source))
    assert all(ast.dump(ast.parse(mutant.applied(source))) != original for mutant in found)
