"""The data of a replay: every position of a game as its viewers see it, and what agents think there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from polytrix.agents.policy import Policy
from polytrix.core.calls import shown
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.options import Value
from polytrix.core.state import OVER
from polytrix.core.transcript import Transcript
from polytrix.core.viewers import Viewer
from polytrix.play.log import Entry, Log
from polytrix.play.session import Session
from polytrix.play.thoughts import Mind, Thought

from .chats import Chat, Told
from .pieces import Pieces, Sequences, parts

FORMAT = "polytrix replay 1"


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
        seed: of the game, as text; None if the replay is for one seat, since it tells what is hidden.
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
    players: Sequence[str] = (),
) -> Replay:
    """The replay of a game, with what agents think.

    Args:
        transcript: the game, finished or not.
        policies: agents. Each is told no more than the seat to move knows. A search must have been compiled, or
            compiles now.
        seat: the replay holds only what this seat knows, and thoughts about its own decisions; None for all.
        players: who played, by seat.

    Raises:
        TranscriptError, IllegalActionError, GameOverError: the transcript does not replay.
        PolicyError: an agent does not tell its reasons.
        PolytrixError: there is no such seat.
    """
    session = session_of(transcript)
    if seat is not None and (type(seat) is not int or not 0 <= seat < len(session.seats)):
        last = len(session.seats) - 1
        raise PolytrixError(f"seat is {shown(seat)}; allowed: 0 to {last}, or None for all")
    found = draw_game(session, transcript.actions, seat, players)
    minds = [Mind(policy, found.limit) for policy in policies]
    thoughts: list[list[Thought | None]] = [[] for _ in minds]
    session = session_of(transcript)
    for action in (*transcript.actions, None):
        for mind, told in zip(minds, thoughts, strict=True):
            told.append(thought_of(session, mind, action, seat))
        if action is not None:
            session.play(action)
    agents = [Opinions(mind.name, told) for mind, told in zip(minds, thoughts, strict=True)]
    return replace(found, agents=agents)


def with_told(replay: Replay, told: Told) -> Replay:
    """A replay, with all in view, and with what the file of its game tells besides the moves."""
    found = replace(replay, players=told.players or replay.players, chats=told.chats)
    if told.forfeited is None:
        return found
    return replace(found, payoffs=told.payoffs, result=forfeit(replay.seats[told.forfeited]))


def forfeit(seat: str) -> str:
    """How a game ended that a language model has forfeited."""
    return f"The game is over: {seat} has forfeited it, with no answer that was a legal move."


def thought_of(session: Session, mind: Mind, action: int | None, seat: int | None) -> Thought | None:
    """What an agent thinks of the present position, if a seat (None: all) may know that."""
    mover = int(session.state.mover)
    if mover == OVER or not (session.game.perfect_information or seat in (None, mover)):
        return None
    return mind.think(session, action)


def session_of(transcript: Transcript) -> Session:
    """The beginning of a game, with everything in sight."""
    return Session(transcript.description(), transcript.options, transcript.seed)


def draw_game(
    session: Session,
    actions: Sequence[int],
    seat: int | None = None,
    players: Sequence[str] = (),
) -> Replay:
    """A game without thoughts; arguments as for `replay_of`.

    Args:
        session: the game; the actions are played in it.
        actions: what is played.
    """
    game = session.game
    viewers: list[int | None] = [None, *range(len(session.seats))] if seat is None else [seat]
    pieces = Pieces()
    boards, texts = Sequences(pieces), Sequences(pieces)
    looks = {viewer: _Look(viewer, boards, texts) for viewer in viewers}
    movers = []
    for action in (*actions, None):
        movers.append(int(session.state.mover) if not session.over else -1)
        for look in looks.values():
            look.take(session)
        if action is not None:
            session.play(action)
    log = Log(session)
    own = dict.fromkeys(game.replaced, "(a file of its own)")
    return Replay(
        game=game.id,
        title=game.title,
        legend=game.legend,
        open=game.perfect_information,
        seats=list(session.seats),
        players=list(players),
        options={**session.options, **own},
        seed=str(session.seed) if seat is None else None,
        limit=float(game.payoff_limit(session.options)),
        movers=movers,
        result=session.result() if session.over else f"{session.seat_name()} is to move.",
        payoffs=session.payoff() if session.over else None,
        pieces=pieces.all(),
        boards=boards.all(),
        texts=texts.all(),
        views=[look.view(log) for look in looks.values()],
    )


class _Look:
    """Collects what one viewer sees."""

    def __init__(self, viewer: Viewer, boards: Sequences, texts: Sequences) -> None:
        self._viewer = viewer
        self._all_boards, self._all_texts = boards, texts
        self._boards: list[int] = []
        self._texts: list[int] = []

    def take(self, session: Session) -> None:
        """Look at the present position."""
        game, s, viewer = session.game, session.state, self._viewer
        self._boards.append(self._all_boards.number(*parts(game.draw(s, viewer))))
        lines = game.text(s, viewer).splitlines()
        self._texts.append(self._all_texts.number(*lines, *notes(game, session, viewer)))

    def view(self, log: Log) -> View:
        """Everything, once the game has been played."""
        viewer = self._viewer
        return View(viewer, log.opening(viewer), self._boards, self._texts, log.entries(viewer, 0))


def notes(game: Game, session: Session, viewer: Viewer) -> list[str]:
    """What a seat knows and the text does not show."""
    return [] if game.notes is None or viewer is None else game.notes(session.state, viewer)
