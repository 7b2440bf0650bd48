"""Asks a player for a move."""

from __future__ import annotations

import sys
from collections.abc import Callable

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
