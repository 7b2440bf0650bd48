"""Registration with Gymnasium and PettingZoo, of our games and of a user's own."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from dataclasses import replace

import gymnasium
import pettingzoo
import pytest

import polytrix
from polytrix.api.aec import AECGame
from polytrix.core import catalogue
from polytrix.core.catalogue import UnknownGameError
from polytrix.core.simulator import Simulator
from polytrix.games.quatrix import GAME

has_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="PettingZoo has a registry from 1.27 on"
)


@pytest.fixture
def mine() -> Iterator[polytrix.Game]:
    """A user's own game: Quatrix under another name, registered for one test."""
    game = replace(GAME, name="my_quatrix", version=3, title="My Quatrix")
    polytrix.register(game)
    yield game
    del catalogue._GAMES[game.id]
    del gymnasium.registry[game.id]
    if hasattr(pettingzoo, "aec_registry"):
        del pettingzoo.aec_registry[game.id]


@pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.id)
def test_built_in_games_are_in_both_registries(game: polytrix.Game) -> None:
    spec = gymnasium.spec(game.id)
    assert spec.entry_point == "polytrix.api.single:SingleEnv"
    assert spec.vector_entry_point == "polytrix.api.vector:VectorEnv"
    assert spec.kwargs == {"game": game.id}
    if hasattr(pettingzoo, "register"):
        assert pettingzoo.spec("aec", game.id).entry_point == "polytrix.api.aec:AECGame"


@has_registry
def test_pettingzoo_make() -> None:
    for name in ("polytrix/quatrix-v0", "polytrix/quatrix_v0", "polytrix/quatrix"):
        env = pettingzoo.make("aec", name, finish_depth=1)
        assert isinstance(env, AECGame) and env.game is GAME
        assert env.illegal_action == "forfeit" and env.options["finish_depth"] == 1
    assert pettingzoo.make("aec", "polytrix/quatrix-v0", illegal_action="raise").illegal_action == "raise"


def test_a_users_own_game_is_found_everywhere(mine: polytrix.Game) -> None:
    assert polytrix.find("my_quatrix") is mine and mine in polytrix.all_games()
    spec = gymnasium.spec("polytrix/my_quatrix-v3")
    assert spec.kwargs == {"game": "polytrix/my_quatrix-v3"}
    assert pickle.loads(pickle.dumps(mine)) is mine
    if hasattr(pettingzoo, "register"):
        assert pettingzoo.make("aec", "polytrix/my_quatrix-v3").game is mine
    env = AECGame("my_quatrix")
    env.reset(seed=2)
    assert env.metadata["name"] == "my_quatrix_v3"
    other = Simulator(GAME, seed=2)
    assert env.legal_actions() == other.legal_ids[0, : other.num_legal[0]].tolist()


def test_registering_again_replaces_without_a_word(mine: polytrix.Game) -> None:
    known = len(polytrix.all_games()), len(gymnasium.registry)
    newer = replace(mine, title="Another")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        polytrix.register(newer)
        polytrix.register(newer)
    assert polytrix.find(mine.id) is newer
    assert (len(polytrix.all_games()), len(gymnasium.registry)) == known


def test_an_unknown_game_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownGameError, match=r"polytrix/quatrix-v0.*Did you mean 'quatrix'"):
        polytrix.find("quatrx")
