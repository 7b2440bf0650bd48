"""Scripts of worked positions: blocks of lines, each with a name and the clauses that it is about, if any.

W07 what the block shows (PM-14, PM-18)
lines in the language of the game, see its `positions.py`

Blocks about an effect of a card of Pixel Tactics have its name, such as `KNI-V`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from operator import getitem
from pathlib import Path

from polytrix.core.state import CHANCE, OVER

from .by_hand import ByHand
from .planted import broken
from .ratings import best

Block = tuple[str, tuple[str, ...], list[str]]
"""Name, clause ids and lines."""


def blocks(module: str, *names: str, comment: str = "") -> Iterator[Block]:
    """Each block of the files of positions beside a module; what stands before their first ones is for people.

    Args:
        module: its file.
        names: how the names of the files begin.
        comment: what begins a comment in their lines; none by default.
    """
    for name in names:
        content = Path(module).with_name(f"{name}_positions.txt").read_text(encoding="utf-8")
        for text in re.split(r"(?:\A|\n\n)(?=[A-Z]\d\d[a-z]?\s|[A-Z]{3}-[VFROL] )", content)[1:]:
            yield block_of(text, comment)


def block_of(text: str, comment: str) -> Block:
    """A block, without comments and empty lines."""
    title, *lines = text.splitlines()
    cited = re.search(r"\(([^()]+)\)$", title)
    if comment:
        lines = [line.partition(comment)[0].strip() for line in lines]
    return title.split()[0], tuple(cited[1].split(", ") if cited else ()), [line for line in lines if line]


@contextmanager
def reported(line: str, position: Callable[[], str]) -> Iterator[None]:
    """Make a failure say at which line of a script it was, and how the game stands."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{line}\n{position()}\n{error}") from error


# -- commands of every game's language -------------------------------------------------------


def says(table: ByHand, rest: str) -> None:
    """`says F1: flip the card ...`: what an action does, in words for its mover."""
    move, words = parted(rest)
    game, s = table.game, table.state
    names = [game.format_action(s, action) for action in range(game.actions.size)]
    assert game.explain is not None
    agree([game.explain(s, names.index(move))], words)


def tells(table: ByHand, rest: str) -> None:
    """`tells 1 F1: flips the card ...`: carries out an action or outcome; what a log tells seat 1 of it."""
    event, words = parted(rest)
    viewer, _, name = event.partition(" ")
    game, before = table.game, table.state.copy()
    if before.mover == CHANCE:
        number = [game.format_chance(before, outcome) for outcome in range(game.chance(before))].index(name)
    else:
        number = game.parse_action(before, name)
    table.advance(number)
    assert game.tell is not None
    agree(game.tell(before, number, table.state, viewer_of(viewer)), words)


def task(table: ByHand, rest: str) -> None:
    """`task draw`: what the mover is to do."""
    assert table.game.task is not None
    agree([table.game.task(table.state)], rest)


def notes(table: ByHand, rest: str) -> None:
    """`notes 0: ...`: what seat 0 is told beside the text."""
    seat, words = parted(rest)
    assert table.game.notes is not None
    agree(table.game.notes(table.state, int(seat)), words)


def shows(table: ByHand, rest: str) -> None:
    """`shows 0: ...`: words in the text for seat 0 (`-`: with all that is hidden)."""
    viewer, words = parted(rest)
    agree([table.game.text(table.state, viewer_of(viewer))], f"...{words}...")


def likes(table: ByHand, rest: str) -> None:
    """`likes greedy, shy: draw, pass`: the actions that each of these heuristics and habits rates highest."""
    names, actions = parted(rest)
    for name in names.split(", "):
        found = best(table.game, table.state, name)
        assert found == set(actions.split(", ")), f"{name} likes {', '.join(sorted(found))}"


def breaks(table: ByHand, rest: str) -> None:
    """`breaks dice[0]=7, mover=over: the dice show`: which invariant does not hold with these other numbers.

    `deck^=1<<42` changes one bit.
    """
    changes, text = parted(rest)
    s = table.state.copy()
    assert not broken(table.game, s)
    for change in changes.split(", "):
        name, _, value = change.partition("=")
        *way, last = (int(step) if step.isdigit() else step for step in re.findall(r"\w+", name))
        place = reduce(getitem, way, s)
        place[last] = number_of(value) ^ (place[last] if name.endswith("^") else 0)
    found = broken(table.game, s), broken(table.game, s, table.state)
    assert any(text in each for each in found), f"it is {found}"


def number_of(text: str) -> int:
    """A number as scripts write it: also `over`, `chance` and `1<<42`."""
    number, _, places = text.partition("<<")
    return {"over": OVER, "chance": CHANCE}[text] if text.isalpha() else int(number) << int(places or 0)


def parted(rest: str) -> tuple[str, str]:
    """What stands before and after the colon."""
    before, _, words = rest.partition(":")
    return before, words.strip()


def viewer_of(name: str) -> int | None:
    """A seat; `-` sees everything."""
    return None if name == "-" else int(name)


COMMON: dict[str, Callable[[ByHand, str], None]] = {
    "says": says,
    "tells": tells,
    "task": task,
    "notes": notes,
    "shows": shows,
    "likes": likes,
    "breaks": breaks,
}
"""Commands of every game's language: what players are told, where `...` stands for any words, and more."""


def agree(lines: list[str], expected: str) -> None:
    """Assert that lines are those of a script, which writes `//` between them."""
    pattern = ".*".join(map(re.escape, re.sub(" ?// ?", "\n", expected).split("...")))
    assert re.fullmatch(pattern, "\n".join(lines), re.DOTALL), f"it is {' // '.join(lines)}"
