"""The last line of an answer: the move that a language model has chosen."""

from __future__ import annotations

import re

from polytrix.core.calls import shown
from polytrix.core.errors import PolytrixError
from polytrix.core.notation import as_text

GRAMMAR = """\
answer = { any line } , last line ;
last line = "MOVE:" , move ;
move = notation | number ;"""
"""The form of an answer, in EBNF. Case, blanks, and Markdown around the move or the line do not matter."""

LAST_LINE = re.compile(r"[\s*_`>#-]*MOVE[*_`]*\s*:(.*)", re.IGNORECASE)
AROUND = " \t`*_\"'."
"""What may stand around a move; no notation begins or ends with it."""
THOUGHTS = re.compile(r"<(think|thinking)>.*?</\1>", re.DOTALL | re.IGNORECASE)
UNFINISHED = re.compile(r"<(think|thinking)>", re.IGNORECASE)


class AnswerError(PolytrixError, ValueError):
    """An answer whose last line names no move."""


def final_move(answer: str) -> str:
    r"""The move that an answer names in its last line.

    Thoughts between `<think>` and `</think>` are not part of the answer.

    Args:
        answer: what the model has said.

    Returns:
        Notation or a number. Whether the move is legal, `polytrix.api.words.parse` finds out.

    Raises:
        AnswerError: the last line is none of the form `MOVE: move`. The message can be shown to the model.

    >>> final_move("Flipping opens the line.\n\n**MOVE: `F3`**")
    'F3'
    """
    said = THOUGHTS.sub("", as_text(answer))
    if UNFINISHED.search(said):
        raise AnswerError("the answer ends inside your thoughts; close them, then write the line `MOVE: move`")
    lines = [line for line in said.splitlines() if line.strip()]
    if not lines:
        raise AnswerError("the answer is empty; its last line must be `MOVE: move`")
    found = LAST_LINE.fullmatch(lines[-1])
    move = found[1].strip(AROUND) if found else ""
    if not move:
        raise AnswerError(
            f"the last line is {shown(lines[-1].strip())}; it must be `MOVE: move` and nothing else"
        )
    return move
