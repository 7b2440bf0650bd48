"""The data of a replay: every position of a game as its viewers see it, and what agents think there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from polytrix.agents.policy import Policy
from polytrix.core.behaviour import shown as shown_figure
from polytrix.core.calls import is_whole, shown
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolytrixError
from polytrix.core.options import Value
from polytrix.core.state import OVER
from polytrix.core.transcript import Transcript
from polytrix.core.viewers import Viewer
from polytrix.drawing import Picture
from polytrix.play.log import Entry, Log
from polytrix.play.session import Session, session_of
from polytrix.play.thoughts import Mind, Thought

from .chats import Chat, Told

FORMAT = "polytrix replay 1"

END = "</g></svg>"

Key = TypeVar("Key")


@dataclass(frozen=True)
class View:
    """A game as one viewer sees it. There is one more position than there are decisions.

    Attributes:
        seat: the viewer's seat; None for all.
        opening: chance before the first decision, in notation.
        boards, texts: for each position, a number of `Replay.boards` and one of `Replay.texts`.
        moves: for each decision, who made it, what it was, and the chance that followed.
    """

    seat: int | None
    opening: Sequence[str]
    boards: Sequence[int]
    texts: Sequence[int]
    moves: Sequence[Entry]


@dataclass(frozen=True)
class Opinions:
    """What an agent thinks.

    Attributes:
        name: what the agent is called.
        thoughts: for each position; None where it is not asked.
    """

    name: str
    thoughts: Sequence[Thought | None]


@dataclass(frozen=True)
class Replay:
    """A game to look at again.

    Attributes:
        game, title, legend: the game's id, its title, and how to read its text.
        open: whether every seat knows everything.
        seats: their names.
        players: who played them; () if that is not known.
        options: the values of all options, and which data files are not the shipped ones.
        seed: of the game, as text; None if the replay is for one seat, since it gives hidden information away.
        limit: the most that can be won.
        movers: the seat to move in each position; -1 where the game is over.
        result: how the game ended, or who is to move.
        payoffs: of the seats; None if the game is not over.
        pieces: parts of boards, and lines of texts.
        boards: each as numbers of pieces, which together are an SVG; those in between the first and the last
            are its shapes.
        texts: each as numbers of pieces, which are its lines.
        views: who can look at it, the one that sees most first.
        agents: what they think.
        chats: for each position, what a language model was asked and what it said, or None; () without models.
    """

    game: str
    title: str
    legend: str
    open: bool
    seats: Sequence[str]
    players: Sequence[str]
    options: Mapping[str, Value | str]
    seed: str | None
    limit: float
    movers: Sequence[int]
    result: str
    payoffs: Sequence[float] | None
    pieces: Sequence[str]
    boards: Sequence[Sequence[int]]
    texts: Sequence[Sequence[int]]
    views: Sequence[View]
    agents: Sequence[Opinions] = field(default=())
    chats: Sequence[Chat | None] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"format": FORMAT, **asdict(self)}


def replay_of(
    transcript: Transcript,
    policies: Sequence[Policy] = (),
    seat: int | None = None,
    told: Told | None = None,
) -> Replay:
    """The replay of a game, with what agents think.

    Args:
        transcript: the game, finished or not.
        policies: agents. Each is told no more than the seat to move knows. A search must have been compiled, or
            compiles now.
        seat: the replay holds only what this seat knows, and thoughts about its own decisions; None for all.
        told: who played, and what else the file of the game tells; for a replay with all in view.

    Raises:
        TranscriptError, IllegalActionError, GameOverError: the transcript does not replay.
        PolicyError: an agent does not tell its reasons.
        PolytrixError: there is no such seat.
    """
    session, told = session_of(transcript), told or Told()
    game, limit = session.game, float(session.game.payoff_limit(session.options))
    if seat is not None and (not is_whole(seat) or not 0 <= seat < len(session.seats)):
        last = len(session.seats) - 1
        raise PolytrixError(f"seat is {shown(seat)}; allowed: 0 to {last}, or None for all")
    viewers: list[int | None] = [None, *range(len(session.seats))] if seat is None else [int(seat)]
    seen: dict[Viewer, tuple[list[int], list[int]]] = {viewer: ([], []) for viewer in viewers}
    agents = [(Mind(policy, limit), list[Thought | None]()) for policy in policies]
    pieces: dict[str, int] = {}
    boards, texts = dict[tuple[int, ...], int](), dict[tuple[int, ...], int]()
    movers = []
    played = list[str]()
    for action in session.replay(transcript.actions):
        if session.over:
            played = behaviour_of(transcript)
        movers.append(int(session.state.mover) if not session.over else -1)
        for viewer, (own_boards, own_texts) in seen.items():
            shapes = parts(game.draw(session.state, viewer))
            lines = [*game.text(session.state, viewer).splitlines(), *session.notes(viewer)]
            lines += played
            own_boards.append(number(boards, tuple(number(pieces, each) for each in shapes)))
            own_texts.append(number(texts, tuple(number(pieces, each) for each in lines)))
        for mind, thoughts in agents:
            thoughts.append(thought_of(session, mind, action, seat))
    log = Log(session)
    found = Replay(
        game=game.id,
        title=game.title,
        legend=game.legend,
        open=not game.hides,
        seats=list(session.seats),
        players=list(told.players),
        options={**session.options, **dict.fromkeys(game.replaced, "(a file of its own)")},
        seed=str(session.seed) if seat is None else None,
        limit=limit,
        movers=movers,
        result=session.result() if session.over else f"{session.seat_name()} is to move.",
        payoffs=session.payoff() if session.over else None,
        pieces=list(pieces),
        boards=list(boards),
        texts=list(texts),
        views=[View(viewer, log.opening(viewer), *own, log.entries(viewer, 0)) for viewer, own in seen.items()],
        agents=[Opinions(mind.name, thoughts) for mind, thoughts in agents],
        chats=told.chats,
    )
    if told.forfeited is None:
        return found
    return replace(found, payoffs=told.payoffs, result=forfeit(session.seats[told.forfeited]))


def behaviour_of(transcript: Transcript) -> list[str]:
    """How the seats of a game that is over have played: a line for each figure."""
    game = transcript.description()
    seats = game.seats[: game.num_players(transcript.options)]
    if not game.behaviour.size:
        return []
    counted = game.behaviour.view(transcript.behaviour(Mode.PLAIN))
    lines = ["How they have played:"]
    for figure in game.behaviour:
        pairs = zip(seats, counted[figure.name], strict=True)
        by_seat = ", ".join(f"{seat} {shown_figure(figure, *pair)}" for seat, pair in pairs)
        lines.append(f"  {by_seat}  {figure.meaning}")
    return lines


def number(numbers: dict[Key, int], key: Key) -> int:
    """The number of a key: positions differ little from each other, so each piece of them is stored once."""
    return numbers.setdefault(key, len(numbers))


def parts(drawing: Picture) -> list[str]:
    """The SVG of a drawing in parts: what stands before the shapes, the shapes, and the end.

    >>> from polytrix.drawing import Picture, circle
    >>> picture = Picture(9, 9, (circle(1, 1, 1), circle(5, 5, 2)))
    >>> len(parts(picture)), "".join(parts(picture)) == picture.svg()
    (4, True)
    """
    bare = replace(drawing, shapes=()).svg()
    return [bare.removesuffix(END), *drawing.shapes, END]


def forfeit(seat: str) -> str:
    """How a game ended that a language model has forfeited."""
    return f"The game is over: {seat} has forfeited it, with no answer that was a legal move."


def thought_of(session: Session, mind: Mind, action: int | None, seat: int | None) -> Thought | None:
    """What an agent thinks of the present position, if a seat (None: all) may know that."""
    mover = int(session.state.mover)
    if mover == OVER or (session.game.hides and seat not in (None, mover)):
        return None
    return mind.think(session, action)
