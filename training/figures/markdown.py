"""Parts of pages: tables, figures with intervals, headings, where a receipt comes from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Receipt = Mapping[str, Any]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table with the first `left` columns left-aligned, the others right-aligned."""
    marks = ["---"] * left + ["---:"] * (len(head) - left)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, marks, *rows])


def interval(bounds: Sequence[float], form: str) -> str:
    """An interval as text.

    >>> interval((0.25, 0.5), ".1%")
    '25.0% to 50.0%'
    """
    return f"{bounds[0]:{form}} to {bounds[1]:{form}}"


def with_interval(figure: float, bounds: Sequence[float], form: str) -> str:
    """A cell: a figure, and below it its interval.

    >>> with_interval(0.31, (0.25, 0.38), ".0%")
    '**31%**<br>25% to 38%'
    """
    return f"**{figure:{form}}**<br>{interval(bounds, form)}"


def beside(figure: float, bounds: Sequence[float], form: str) -> str:
    """A cell: a figure, and behind it its interval.

    >>> beside(0.31, (0.25, 0.38), "+.2f")
    '+0.31 (+0.25 to +0.38)'
    """
    return f"{figure:{form}} ({interval(bounds, form)})"


def two_digits(figure: float) -> str:
    """A positive figure with two digits, or more before its point.

    >>> two_digits(0.0412), two_digits(3.14), two_digits(123.4)
    ('0.041', '3.1', '123')
    """
    return f"{figure:.{max(0, 1 - math.floor(math.log10(figure)))}f}"


def three_digits(figure: float) -> str:
    """A large figure with three digits.

    >>> three_digits(3178432.0), three_digits(936.2)
    ('3,180,000', '936')
    """
    return f"{round(figure, 2 - math.floor(math.log10(figure))):,.0f}"


def heading(receipt: Receipt) -> str:
    """What a table is called."""
    return f"{receipt['title']}, {receipt['players']} players"


def column(receipt: Receipt, page: str = "") -> str:
    """The head of a table's column, a line for each word of its name: a link to its section on a page."""
    narrow = "<br>".join([*receipt["title"].split(), f"{receipt['players']} players"])
    kept = "".join(letter for letter in heading(receipt).lower() if letter.isalnum() or letter in " _-")
    return f"[{narrow}]({page}#{kept.replace(' ', '-')})"


def made(receipt: Receipt) -> str:
    """When and where a receipt was made, by which command and versions."""
    versions = ", ".join(f"{name} {number}" for name, number in receipt["versions"].items())
    command = f"`{receipt['command']}`, " if "command" in receipt else ""
    return f"{receipt['date'][:10]}, {command}{receipt['machine']['cpu']}; {versions}."
