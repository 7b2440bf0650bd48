"""`polytrix.show`: a replay in a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from typing import Any

from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import shown
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolytrixError
from polytrix.core.files import write_text
from polytrix.core.transcript import Transcript
from polytrix.play.opponents import agent

from .data import Replay, replay_of
from .page import page

HEIGHT = 720

FRAME = (
    '<iframe sandbox="allow-scripts" style="width: 100%; height: {height}px; border: 0" '
    'title="{title}" srcdoc="{page}"></iframe>'
)


class Shown:
    """A replay that notebooks show, in a frame that can reach nothing outside of itself.

    Attributes:
        replay: the data.
        height: of the frame, in pixels.
    """

    def __init__(self, replay: Replay, height: int) -> None:
        self.replay = replay
        self.height = height

    def __repr__(self) -> str:
        return f"Shown({self.replay.title}, {len(self.replay.movers) - 1} decisions)"

    def html(self) -> str:
        """The page by itself."""
        return page(self.replay)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        write_text(path, self.html())

    def _repr_html_(self) -> str:
        return FRAME.format(
            height=self.height, title=escape(f"A game of {self.replay.title}"), page=escape(self.html())
        )


def show(
    game: Any, agents: Sequence[PolicySpec] | PolicySpec = (), seat: int | None = None, height: int = HEIGHT
) -> Shown:
    """Show a game in a notebook: every position, and what agents think there.

    Args:
        game: a `Transcript`, the path of one, or an environment for PettingZoo or Gymnasium, wrapped or
            not, of which the game so far is shown.
        agents: whose thoughts are shown, each as for `polytrix.agents.resolve`. Each is told no more than the
            seat to move knows. A search is compiled at first.
        seat: show only what this seat knows; None shows all.
        height: of the frame, in pixels.

    Returns:
        What a notebook shows at the end of a cell; `save` writes it to a file.

    Raises:
        TypeError: `game` is something else.
        GameOverError: the environment has no game, since `reset` was not called.
        TranscriptError: the transcript does not replay, or the environment's game was not played in it from its
            beginning.
        PolicyError: there is no such agent, or it does not tell its reasons.
        PolytrixError: there is no such seat.

    >>> import polytrix
    >>> from polytrix import quatrix_v0
    >>> env = quatrix_v0.env()
    >>> env.reset(seed=7)
    >>> env.step(env.legal_actions()[0])
    >>> polytrix.show(env, agents=["greedy"])
    Shown(Quatrix, 1 decisions)
    """
    transcript = transcript_of(game)
    specs = [agents] if isinstance(agents, (str, os.PathLike)) or callable(agents) else list(agents)
    policies = [agent(spec, transcript.description()) for spec in specs]
    return Shown(replay_of(transcript, policies, seat), height)


def transcript_of(game: Any) -> Transcript:
    """The transcript of what `show` is given."""
    if isinstance(game, Transcript):
        return game
    if isinstance(game, (str, os.PathLike)):
        try:
            return Transcript.load(game, Mode.PLAIN)
        except OSError as error:
            raise PolytrixError(f"{os.fspath(game)} cannot be read: {error.strerror}") from None
    tell = getattr(getattr(game, "unwrapped", None), "transcript", None)
    if tell is None:
        raise TypeError(
            f"game is {shown(game)}; allowed: a Transcript, the path of one, or an environment of polytrix for "
            "PettingZoo or Gymnasium"
        )
    transcript: Transcript = tell()
    return transcript
