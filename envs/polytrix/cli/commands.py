"""What a player can type besides moves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from polytrix.agents.policy import Policy
from polytrix.core.errors import NotationError, PolicyError, PolytrixError
from polytrix.core.pages import chapters_of, find_chapter, page_text, plain
from polytrix.play.moves import Numbered, matching
from polytrix.play.opponents import AGENTS, agent
from polytrix.play.session import Session

from .moves import offer, show, show_explained, show_hint
from .screen import echo, fold, make_ready, out

UNDONE = (
    "Dice and cards to come stay the same, so you may know some of them; the result will say how many "
    "decisions were taken back."
)

EVENTS = (
    "After a move, chance: introduces the dice or cards that followed, such as =4; (hidden) stands for "
    "what you may not see."
)


Ask = Callable[[str, "list[str]"], str]
"""`(question, completions) -> answer`; raises EOFError or KeyboardInterrupt if there is no answer."""


class Quit(Exception):  # noqa: N818  # no error
    """The player quits."""


class Undone(Exception):  # noqa: N818  # no error
    """The player has taken a decision back; the position is another one."""


@dataclass
class Seat:
    """The seat of a player at the terminal.

    Args:
        session: the game.
        policy: the agent in the other seats.
        ask: asks the player.
    """

    session: Session
    policy: Policy
    ask: Ask
    hinting: dict[str, Policy] = field(default_factory=dict)
    """The agents that have given hints, by name."""
    happened: list[str] = field(default_factory=lambda: ["Type help for all commands"])
    """What was printed since the player's last decision, mostly the turns of the others."""


class Command(NamedTuple):
    """A command."""

    usage: str
    help: str
    run: Callable[[Seat, str], None]
    """Called with what stands after the command."""


def show_board(seat: Seat, text: str = "") -> None:
    """`board`: the position, and as many moves as fit on the screen below it.

    What has happened is repeated between them if it would be above the screen.
    """
    position = ["", *fold(seat.session.text(), out.width).splitlines()]
    happened = [fold(line, out.width) for line in seat.happened]
    above = sum(len(lines.splitlines()) for lines in happened)
    moves = seat.session.moves()

    def offered(lines: list[str]) -> tuple[RenderableType, int]:
        """The moves, and the number of lines left above the board."""
        left = out.height - len(lines) - 2  # the prompt, and the line after it
        listed = offer(moves, left)
        return listed, left - len(out.render_lines(listed))

    listed, left = offered(position)
    if left < 0:
        position = [line for line in position if line]
        listed, left = offered(position)
    if left < above:
        position += fold("; ".join(seat.happened), out.width).splitlines()
        listed, left = offered(position)
    out.print(Text("\n".join(position)))
    out.print(listed)


def list_moves(seat: Seat, text: str) -> None:
    """`?`: all moves, or those that match."""
    show(find_moves(seat, text))


def explain_moves(seat: Seat, text: str) -> None:
    """`??`: the same with explanations."""
    show_explained(find_moves(seat, text))


def find_moves(seat: Seat, text: str) -> list[Numbered]:
    """The moves that match a text, or NotationError."""
    moves = seat.session.moves()
    found = matching(moves, text)
    if not found:
        raise NotationError(f"no legal move contains {text!r}; type ? for all {len(moves)}")
    return found


def hint(seat: Seat, text: str) -> None:
    """`hint`: what an agent would do.

    In Estimatrix, `hint` and a word is a move. A misspelt word is refused as such.
    """
    name = text or "greedy"
    if name not in seat.hinting:
        try:
            seat.hinting[name] = agent(name, seat.session.game)
        except PolicyError:
            if any(move.notation.startswith("hint ") for move in seat.session.moves()):
                seat.session.game.parse_action(seat.session.state, f"hint {text}")
            raise
    make_ready(seat.session.game, seat.hinting[name])
    show_hint(seat.session, seat.hinting[name])


def undo(seat: Seat, text: str) -> None:
    """`undo`: back to the player's last decision."""
    session = seat.session
    if not session.undo():
        raise NotationError("there is nothing to take back: you have not made a move yet")
    seat.happened.clear()
    session.recall(seat.policy, [other for other in range(len(session.seats)) if other != session.viewer])
    out.print(f"Back to your last decision. {UNDONE}")
    raise Undone


def notes(seat: Seat, text: str) -> None:
    """`notes`: what the player knows and the board does not show."""
    for line in seat.session.notes(seat.session.viewer) or ["Nothing: the board shows all that you know."]:
        out.print(Text(line))


def show_chapter(seat: Seat, wanted: str) -> None:
    """`rules`: a chapter by number or title, or without one the list of all."""
    game = seat.session.game
    chapters = chapters_of(page_text(game))
    if not chapters:
        raise PolytrixError(f"{game.title} has no page: there is no README.md beside its rules")
    if not wanted:
        for number, chapter in enumerate(chapters, start=1):
            out.print(f"{number:>3} {chapter.title}", markup=False)
        out.print("Type rules and a number, or the beginning of a title.", markup=False)
        return
    out.print(Markdown(plain(find_chapter(chapters, wanted).text)))


def show_legend(seat: Seat, text: str = "") -> None:
    """`legend`: how to read the board."""
    if legend := seat.session.game.legend:
        out.print(Text(f"How to read the board: {legend}"))


def save(seat: Seat, text: str) -> None:
    """`save`: write the game so far to a file."""
    if not text:
        raise NotationError("type save and the name of a file, such as save game.json")
    echo(seat.session.save(Path(text)))


def stop(seat: Seat, text: str) -> None:
    """`quit`."""
    raise Quit


def show_help(seat: Seat, text: str) -> None:
    """`help`: all commands."""
    out.print("Type a move in notation, or its number in the list of moves. Other commands:")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for command in COMMANDS.values():
        grid.add_row(Text(f"  {command.usage}"), Text(command.help))
    out.print(grid)
    out.print(EVENTS, markup=False)
    out.print("The chapter Actions of the rules explains the notation: rules actions.")


COMMANDS = {
    "?": Command("? [TEXT]", "list the legal moves, or those that begin with TEXT", list_moves),
    "??": Command("?? [TEXT]", "the same, with what each move does", explain_moves),
    "board": Command("board", "show the board again", show_board),
    "legend": Command("legend", "how to read the board", show_legend),
    "notes": Command("notes", "what you know that the board does not show", notes),
    "hint": Command("hint [AGENT]", f"what an agent would do, and why: {AGENTS}", hint),
    "undo": Command("undo", "take back your last move and what followed", undo),
    "rules": Command("rules [CHAPTER]", "the rules by chapters", show_chapter),
    "save": Command("save FILE", "write the game so far to a file, for polytrix replay", save),
    "help": Command("help", "this list", show_help),
    "quit": Command("quit", "stop", stop),
}


def command_in(answer: str) -> tuple[Command, str] | None:
    """The command that an answer names and what stands after it, or None."""
    for name in ("??", "?"):
        if answer.startswith(name):
            return COMMANDS[name], answer.removeprefix(name).strip()
    word, _, rest = answer.partition(" ")
    command = COMMANDS.get(word.lower())
    return None if command is None else (command, rest.strip())


def carry_out(seat: Seat, command: Command, rest: str) -> None:
    """Run a command; its errors are printed, and nothing has changed.

    Raises:
        Quit, Undone: see there.
    """
    try:
        command.run(seat, rest)
    except (PolytrixError, OSError) as error:
        out.print(Text(str(error)))


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
