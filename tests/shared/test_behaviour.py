"""What the arena counts of how agents play is what a game, played again in plain Python, tells."""

from __future__ import annotations

import numpy as np
import pytest

import polytrix
from polytrix.agents import resolve
from polytrix.arena.play import play_tables, seat_by_seat
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import IntArray
from polytrix.core.transcript import Transcript
from tests.toys import SECRET

TELLING = [SECRET, *(game for game in polytrix.all_games() if game.behaviour.size)]
LARGE = ("pixel_tactics", "pressure_matrix")
GAMES = [pytest.param(game, marks=[pytest.mark.slow] * (game.name in LARGE), id=game.name) for game in TELLING]


def first_or_last(observation: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Outside of the compiled loop, so that decisions come from both sides of it."""
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return np.where(rng.random(len(mask)) < 0.3, mask.argmax(axis=1), last)


def told(sim: Simulator) -> list[IntArray]:
    """The counts of each game of a simulator that keeps actions, by its transcript."""
    return [Transcript.of(sim, row).behaviour(Mode.PLAIN) for row in range(sim.num_envs)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("one", ["random", first_or_last], ids=["built-in", "external"])
def test_the_arena_counts_what_transcripts_tell(
    game: Game, one: object, register, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game is SECRET:
        register(SECRET)
    kept: list[Simulator] = []

    class Kept(Simulator):
        def __init__(self, *arguments: object, **settings: object) -> None:
            super().__init__(*arguments, **settings)  # type: ignore[arg-type]
            kept.append(self)

    monkeypatch.setattr("polytrix.arena.play.Simulator", Kept)
    options = game.options.validate({})
    policies = resolve(one, game), resolve("greedy", game)
    seating, rng = seat_by_seat(game.num_players(options)), np.random.default_rng(1)
    games = play_tables(game, options, policies, seating, 5, 2, rng, behaviour=True)
    by_game = np.stack(told(kept[0]))  # (games, seats, counts)
    own = by_game[np.arange(len(by_game)), np.arange(len(by_game)) // 2].sum(axis=0)
    both = np.stack([own, by_game.sum(axis=(0, 1)) - own])
    assert games.behaviour == {name: each.tolist() for name, each in game.behaviour.view(both).items()}
    assert all(both[:, 1::2].any(axis=0)), "each figure has occasions"


def test_a_handful_of_figures_each_a_sum_and_its_occasions() -> None:
    for game in TELLING:
        assert game is SECRET or 3 <= len(game.behaviour.blocks) <= 6
        assert {figure.shape for figure in game.behaviour} == {(2,)}
