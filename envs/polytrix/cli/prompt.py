"""Asks a player for a move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.state import Record

from .moves import Numbered

Ask = Callable[[str, "list[str]"], str]
"""`(question, completions) -> answer`; raises EOFError or KeyboardInterrupt if there is no answer."""


def terminal() -> Ask:
    """A prompt with completion and history in a terminal, else one that reads plain lines.

    Tab lists the completions below the prompt: a menu would keep eight lines of the screen free for itself.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return lambda question, completions: input(question)
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.shortcuts import CompleteStyle

    session: PromptSession[str] = PromptSession(
        complete_style=CompleteStyle.READLINE_LIKE, complete_while_typing=False
    )
    return lambda question, completions: session.prompt(
        question, completer=WordCompleter(completions, sentence=True)
    )


def read_move(game: Game, s: Record, moves: Sequence[Numbered], answer: str) -> int:
    """The legal action of an answer, which is a number in the list of moves or notation.

    Args:
        game: the game.
        s: the position.
        moves: the legal moves.
        answer: the answer.

    Raises:
        NotationError: the answer is no legal move.
    """
    if answer.isascii() and answer.isdecimal() and len(answer) < 10:
        number = int(answer)
        if not 1 <= number <= len(moves):
            raise NotationError(f"there is no move {number}; type 1 to {len(moves)}, or ? for the list")
        return moves[number - 1].action
    action = game.parse_action(s, answer)
    if action not in [move.action for move in moves]:
        raise NotationError(f"{answer!r} is not legal here; type ? for the list of legal moves")
    return action
