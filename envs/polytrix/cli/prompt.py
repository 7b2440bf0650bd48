"""Asking a person for a move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.state import Record

Ask = Callable[[str, "list[str]"], str]
"""`(question, completions) -> answer`; EOFError or KeyboardInterrupt if there is none."""


def terminal() -> Ask:
    """Asks with completion and history in a terminal, and reads plain lines from anything else."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return lambda question, completions: input(question)
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    session: PromptSession[str] = PromptSession()
    return lambda question, completions: session.prompt(
        question, completer=WordCompleter(completions, sentence=True), complete_while_typing=True
    )


def numbered(game: Game, s: Record, legal: list[int]) -> dict[int, str]:
    """The legal actions in notation, by action."""
    return {action: game.format_action(s, action) for action in legal}


def read_move(game: Game, s: Record, moves: Mapping[int, str], answer: str) -> int:
    """The legal action that a person means: by its number in the list, or by notation.

    Args:
        game: the game.
        s: the position.
        moves: the legal actions and their notation, in the order of the list, which begins with 1.
        answer: what was typed.

    Raises:
        NotationError: for anything else.
    """
    if answer.isascii() and answer.isdecimal() and len(answer) < 10:
        number = int(answer)
        if not 1 <= number <= len(moves):
            raise NotationError(f"there is no move {number}; type 1 to {len(moves)}, or ? for the list")
        return list(moves)[number - 1]
    action = game.parse_action(s, answer)
    if action not in moves:
        raise NotationError(f"{answer!r} is not legal here; type ? for the list of legal moves")
    return action
