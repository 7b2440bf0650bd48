"""Run by test_compiler.py in separate processes: compile or load programs that differ only in a table."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode, program

LONG = "\n".join(f"    total += TABLE[(x * total + {k}) % len(TABLE)] << total % {k + 2}" for k in range(12))

SOURCE = f"""
def placeholder(x):
    return x

def driver(values):
    total = 0
    for x in values:
        total += placeholder(x)
    return total + placeholder(1) + placeholder(2)

def rule(x):  # too long to be inlined
    total = 0
{LONG}
    return total
"""


def total_of(table: list[int]) -> int:
    """A number that depends on the table, from a program compiled for that table."""
    module: dict[str, Any] = {"TABLE": np.array(table)}
    exec(SOURCE, module)
    made = program(module["driver"], {module["placeholder"]: module["rule"]}, Mode.COMPILED, "shared-names")
    return int(made(np.arange(len(table))))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(total_of([int(x) for x in argument.split(",")]))
