"""Games by text to play through an interface, and what must come out of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from polytrix.core.transcript import Transcript
from polytrix.llm import MODEL, Message, Setup
from polytrix.llm.conversation import SILENCE
from tests.every_game import GAMES
from tests.llm.scripted import ClumsyModel

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "quatrix": ({"max_decisions": 60},),
    "pressure_matrix": ({}, {"players": 4}),
    "estimatrix": ({"players": 3}, {"players": 4}),
}


@dataclass(frozen=True)
class Case:
    """A game to play.

    Attributes:
        game: its name.
        seed: of the game; who plays, how often the model errs and what follows then depend on it.
    """

    game: str
    seed: int

    @property
    def model(self) -> ClumsyModel:
        """The scripted model: sometimes perfect, sometimes often wrong."""
        return ClumsyModel((0.0, 0.05, 0.25)[self.seed % 3], self.seed)

    @property
    def setup(self) -> dict[str, Any]:
        """Arguments of `Setup`, after the game."""
        choices = OPTIONS.get(self.game, ({},))
        options = choices[self.seed % len(choices)]
        players = options.get("players", 2)
        others = (["greedy"] * (players - 1), ["random"] * (players - 1), [MODEL] * (players - 1))
        return {
            "seats": [MODEL, *others[self.seed // 2 % 3]],
            "options": options,
            "attempts": 1 + self.seed % 4,
            "failure": "random" if self.seed % 5 == 0 else "forfeit",
        }


@dataclass(frozen=True)
class Played:
    """What an interface has told of a game.

    Attributes:
        transcript: the game.
        rewards: by the seats of models.
        forfeited: the seat that has forfeited the game, or None.
        refused: number of answers that were refused.
        chats: what was said in each of these seats, if the interface tells it.
    """

    transcript: Transcript
    rewards: dict[int, float]
    forfeited: int | None
    refused: int
    chats: dict[int, Sequence[Message]] | None = None


Play = Callable[[Case], Played]
"""An interface: what has come out of a game."""


def check(case: Case, played: Played) -> None:
    """The game is that of its seed, and a replay of its transcript agrees with the rewards.

    Raises:
        AssertionError: something else came out.
    """
    sim = played.transcript.replay()
    payoffs = played.transcript.payoffs()
    players = int(sim.num_players[0])
    assert (payoffs is None) == (played.forfeited is not None)
    for seat, reward in played.rewards.items():
        if payoffs is not None:
            assert reward == payoffs[seat]
        else:
            assert reward == pytest.approx(-1 if seat == played.forfeited else 1 / (players - 1))

    episode, model, refused = Setup(case.game, **case.setup).episode(case.seed), case.model, 0
    while not episode.over:
        refused += episode.answer(model(episode.messages())) is not None
    assert played.transcript == episode.transcript()
    for each in episode.answered:
        if each.action is not None:
            assert each.action == episode.session.actions[each.number]
            assert each.seat == episode.session.decision(each.number).seat
    asked = {each.seat for each in episode.answered}  # a seat that was never asked need not be told of
    assert played.rewards == {
        seat: episode.rewards[seat] for seat in episode.tasks if seat in asked or seat in played.rewards
    }
    assert (played.forfeited, played.refused) == (episode.forfeited, refused)
    for seat, chat in (played.chats or {}).items():
        answered = [each for each in episode.answered if each.seat == seat]
        said = {
            role: [each["content"] for each in chat if each["role"] == role] for role in ("user", "assistant")
        }
        assert [text or SILENCE for text in said["assistant"]] == [
            answer or SILENCE for each in answered for answer in each.answers
        ]
        assert [text for text in said["user"] if "was refused" not in text] == [
            each.question for each in answered
        ]


every_game_by_text = pytest.mark.parametrize(
    ("game", "episodes"),
    [("quatrix", 6), ("estimatrix", 9), *(pytest.param(game, 20, marks=pytest.mark.slow) for game in GAMES)],
)


def check_games(play: Play, game: str, episodes: int) -> None:
    """Play the games of the first seeds through an interface, and `check` what comes out of each."""
    refused = forfeits = 0
    for seed in range(episodes):
        case = Case(game, seed)
        played = play(case)
        check(case, played)
        refused += played.refused
        forfeits += played.forfeited is not None
    assert refused and forfeits
