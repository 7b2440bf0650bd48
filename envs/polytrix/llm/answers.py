"""The line of an answer that names the move: in the form that is asked for, or in another dress."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from polytrix.core.calls import shown
from polytrix.core.errors import PolytrixError
from polytrix.core.notation import as_text
from polytrix.core.words import Move

GRAMMAR = """\
answer = { any line } , last line ;
last line = "MOVE:" , move ;
move = notation | number ;"""
"""The form that is asked for, in EBNF. Case, blanks, and Markdown around the move or the line do not matter."""

LAST_LINE = re.compile(r"[\s*_`>#-]*MOVE[*_`]*\s*:(.*)", re.IGNORECASE)
AROUND = " \t`*_\"'."
"""What may stand around a move; no notation begins or ends with it."""
THOUGHTS = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)

# -- what is taken off an answer in another form; docs/text.md lists it ------------------------------------
# Answers are long and may be anybody's: none of this may take more than linear time.

TYPOGRAPHY = str.maketrans(
    "‐‒–—―−‘’‚“”„«»×",  # dashes, quotation marks and a sign that keyboards do not have
    '------\'\'\'"""""x',
    "\u00ad\u200b\u200c\u200d\u2060\ufeff",  # characters that nobody sees
)
TOKENS = re.compile(r"<\|[^|<>]*\|>|</s>|<eos>|<end_of_turn>")
"""Ends of messages, `<|im_end|>`, where a server leaves them in."""
UPRIGHT = re.compile(r"\\(?:text|texttt|textbf|mathrm|mathtt|mathbf)\{([^{}]*)\}")
r"""Letters in a formula: `\boxed{\text{F1}}`."""
TAGGED = re.compile(r"<answer>([^<>]*)</answer>", re.IGNORECASE)
"""As models are taught to mark what follows their thoughts: `<answer>F1</answer>`, also in several lines."""
BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
r"""As models are taught to mark a result: `\boxed{F1}`."""
MOVE_LINE = re.compile(
    r"""[\s*_`>#+•"'$\\(\[{<-]*(?:\d{1,3}[.)]\s+[*_`"']*)?MOVE[*_`"']*\s*:(.*)""", re.IGNORECASE
)
"""The form that is asked for, MOVE with a colon and a move, also in a list, in brackets and as JSON."""
DRESS = AROUND + ",;$\\()[]{}<>"
"""What is taken off both ends of a move: Markdown, quotation marks, brackets, formulas, ends of sentences."""
REMARK = re.compile(r" - | \(")
"""Where an explanation begins: `F1 - flip it`, `F1 (flip it)`."""
ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s")
"""Where an item of a list begins. A list weighs moves: its items name none unless they say MOVE."""


class AnswerError(PolytrixError, ValueError):
    """An answer that names no move."""


def final_move(answer: str) -> str:
    r"""The move that an answer names in the form that is asked for.

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
    lines = [line for line in without_thoughts(answer).splitlines() if line.strip()]
    found = LAST_LINE.fullmatch(lines[-1]) if lines else None
    move = found[1].strip(AROUND) if found else ""
    if not move:
        raise no_move(lines)
    return move


def named_move(answer: str, names: Mapping[str, int], parse: Callable[[str], int]) -> int:
    """The action that an answer names in whatever form.

    The last line counts that says which move it is: after `MOVE:`, in a box or in a tag. Without one, the last
    line of all counts, if it is nothing but a legal move, and no line is another one.

    Args:
        answer: what the model has said.
        names: of the legal moves, see `names_of`.
        parse: from notation or a number to the action; it raises NotationError.

    Raises:
        AnswerError: no line names a move, or the one that counts names several.
        NotationError: the move is illegal, or none.
    """
    names = {name.strip(DRESS): action for name, action in names.items()} | dict(names)
    lines = [line for line in plain(without_thoughts(answer)).splitlines() if line.strip(DRESS)]
    for line in reversed(lines):
        if moves := marked_moves(line):
            actions = set[int]().union(*(said(move, names, parse) for move in moves))
            if len(actions) > 1:
                raise AnswerError(f"the line {shown(line.strip())} names several moves; it must name one")
            return actions.pop()
    alone = [None if ITEM.match(line.lstrip()) else legal_move(line, names) for line in lines]
    last = alone[-1] if alone else None
    if last is not None and {*alone} <= {None, last}:
        return last
    if len(lines) == 1 and (number := lines[0].strip(DRESS)).isdecimal():
        return parse(number)
    raise no_move(lines)


def names_of(moves: Iterable[Move]) -> dict[str, int]:
    """What legal moves are called: notation, the number before it, and what it does after it, as in the list.

    >>> list(names_of([Move(7, "D", "draw a card")]))
    ['D', 'D draw a card', 'D - draw a card', '7 D', '7 D draw a card', '7 D - draw a card']
    """
    return {
        f"{name}{end}": move.id
        for move in moves
        for name in (move.notation, f"{move.id} {move.notation}")
        for end in ("", f" {move.words}", f" - {move.words}")
    }


def without_thoughts(answer: str) -> str:
    """What is said outside of thoughts. A tag that closes thoughts which the prompt has opened ends them too.

    Raises:
        AnswerError: the answer ends inside thoughts.
    """
    text = as_text(answer)
    parts, inside, place = list[str](), False, 0
    for tag in THOUGHTS.finditer(text):
        if not inside:
            parts.append(text[place : tag.start()])
            if tag[1]:
                parts.clear()
        inside, place = not tag[1], tag.end()
    if inside:
        raise AnswerError("the answer ends inside your thoughts; close them, then write the line `MOVE: move`")
    return "".join(parts) + text[place:]


def plain(text: str) -> str:
    """A text with the characters of a keyboard, and without what servers and formulas put around a line."""
    # A whole text is not normalised in linear time: combining characters are sorted by insertion.
    text = "".join(each if each.isascii() else unicodedata.normalize("NFKC", each) for each in text)
    text = UPRIGHT.sub(r"\1", TOKENS.sub("\n", text.translate(TYPOGRAPHY)))
    return TAGGED.sub(lambda found: " ".join(found[0].split()), text)


def marked_moves(line: str) -> list[str]:
    """The moves that a line says to be the answer."""
    inside = [*BOXED.findall(line), *TAGGED.findall(line)]
    after = [found[1] if (found := MOVE_LINE.match(each)) else each for each in inside]
    if not inside and (found := MOVE_LINE.match(line)):
        after = [found[1]]
    return [move for move in after if move.strip(DRESS)]


def legal_move(text: str, names: Mapping[str, int]) -> int | None:
    """The legal move whose name a text is, and nothing else."""
    name = " ".join(text.split())
    if name not in names:
        name = name.strip(DRESS)
    return None if name.isdecimal() else names.get(name)


def said(move: str, names: Mapping[str, int], parse: Callable[[str], int]) -> set[int]:
    """The action that a move is, and others that its explanation names.

    Raises:
        NotationError: the move is illegal, or none.
    """
    action = legal_move(move, names)
    if action is not None:
        return {action}
    name, *remark = REMARK.split(" ".join(move.split()).strip(DRESS), maxsplit=1)
    action = legal_move(name, names)
    words = " ".join(word.strip(DRESS) for part in remark for word in part.split())
    others = {names[each] for each in names if f" {each} " in f" {words} " and not each.isdecimal()}
    return {parse(name.strip(DRESS)) if action is None else action, *others}


def no_move(lines: Sequence[str]) -> AnswerError:
    """The error for an answer of these lines, of which none names a move."""
    if not lines:
        return AnswerError("the answer is empty; its last line must be `MOVE: move`")
    return AnswerError(f"the last line is {shown(lines[-1].strip())}; it must be `MOVE: move` and nothing else")
