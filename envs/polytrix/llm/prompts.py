"""What a language model is told: the task and the rules once, then each decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from polytrix.core.calls import shown
from polytrix.core.game import Game
from polytrix.core.pages import notation_text, rules_text
from polytrix.core.words import Move, listed
from polytrix.play.known import HIDDEN
from polytrix.play.log import Entry

TASK = """\
You play {title}, a game for {players} players. You are {seat}.
What counts is your payoff at the end: play to win.

Before each of your decisions you are told what has happened, the position as you see it{list_too}.
Think as long as you like. The last line of your answer must be

MOVE: the move

with a legal move in notation{or_number}, and nothing else in that line."""


Listed = Literal[True, False, "notation"]
"""How legal moves are listed: number, notation and meaning, not at all, or by notation alone."""


class Message(TypedDict):
    """A message of a chat: `role` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True)
class Prompts:
    """How a language model is asked.

    Args:
        rules: tell the rules of the game, once.
        notation: tell how moves are written, once.
        legal_moves: list the legal moves with each position: a line for each, or with "notation" one line of
            all. Without the list, the model must find them.
        memory: number of earlier decisions, with their answers, that stay in the chat. The task and the rules
            always do. None: all stay, with answers that were refused, so that each chat begins with the one
            before, which trainers of whole chats need.
        strict: only the form that is asked for is an answer, see `polytrix.llm.answers.GRAMMAR`. By default a
            move also counts in the other forms that `polytrix.llm.answers.named_move` knows.
    """

    rules: bool = True
    notation: bool = True
    legal_moves: Listed = True
    memory: int | None = 2
    strict: bool = False

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < 0:
            raise ValueError(f"memory is {self.memory}; allowed: 0 or more, or None")
        if not isinstance(self.legal_moves, bool) and self.legal_moves != "notation":
            raise ValueError(f"legal_moves is {shown(self.legal_moves)}; allowed: True, False, 'notation'")

    def task(self, game: Game, players: int, seat: int) -> str:
        """The first message: task, rules and notation. It never changes, so caches of prompts can serve it."""
        task = TASK.format(
            title=game.title,
            players=players,
            seat=f"{game.seats[seat]} (seat {seat})",
            list_too=", and the legal moves" if self.legal_moves else "",
            or_number=" or its number in the list" if self.legal_moves is True else "",
        )
        parts = [task]
        if self.rules:
            parts.append(rules_text(game).strip())
        if self.notation:
            parts.append(notation_text(game).strip())
        return "\n\n".join(part for part in parts if part)

    def decision(self, position: str, moves: Sequence[Move]) -> str:
        """The message for a seat's decision in a position, which is told as `Conversation.position` does."""
        parts = [position, self._list(moves), "Which move do you make?"]
        return "\n\n".join(part for part in parts if part)

    def _list(self, moves: Sequence[Move]) -> str:
        """The legal moves, as far as they are told."""
        if self.legal_moves == "notation":
            return "Legal moves: " + ", ".join(move.notation for move in moves)
        if not self.legal_moves:
            return ""
        return "Legal moves: number, notation, meaning\n" + listed(moves)


def refusal(error: str) -> str:
    """The message after an answer that was not a legal move."""
    return f"Your answer was refused: {error}. Answer again; the last line must be `MOVE: ` and a legal move."


def log_line(game: Game, entry: Entry, reader: int) -> str:
    """A decision, as a seat may know it, as a line for this reader."""
    who = "you" if entry.seat == reader else game.seats[entry.seat]
    seen = [each for each in entry.chance if each != HIDDEN]
    if seen and game.tell is None:
        seen = [f"chance: {', '.join(seen)}"]
    words = [*entry.words, *seen]
    return f"{who}: {entry.move}" + (f" - {'; '.join(words)}" if words else "")
