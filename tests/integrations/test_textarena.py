"""Games in TextArena: its interface, its wrappers, what its players see and get."""

from __future__ import annotations

import copy
import doctest
import random
from typing import Any

import pytest

pytest.importorskip("textarena", reason="needs the extra textarena: make test-integrations")

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY
from textarena.wrappers import (
    ActionFormattingWrapper,
    GameBoardObservationWrapper,
    GameMessagesAndCurrentBoardObservationWrapper,
    LLMObservationWrapper,
)

import polytrix
from polytrix.core.errors import GameOverError, NotationError, OptionError, PolicyError
from polytrix.llm import MODEL, Message
from polytrix.llm import textarena as module
from polytrix.llm.textarena import TextArenaGame, register
from tests.llm.cases import Case, Played, check_games, every_game_by_text
from tests.llm.scripted import ClumsyModel

from .examples import run_python_of

WRONG = "I pass the salt."


ROLES = {ta.ObservationType.PROMPT: "system", ta.ObservationType.PLAYER_ACTION: "assistant"}


def play(case: Case) -> Played:
    """One game, in an environment of its own, with observations as they come."""
    setup = dict(case.setup)
    options: dict[str, Any] = setup.pop("options")
    env = ta.make(f"polytrix/{case.game}-v0-raw", **setup, **options)
    env.reset(num_players=setup["seats"].count(MODEL), seed=case.seed)
    chats: dict[int, list[Message]] = {player: [] for player in env.state.game_info}
    model, refused, done = case.model, 0, env.state.done
    while not done:
        player, observations = env.get_observation()
        chats[player] += [{"role": ROLES.get(kind, "user"), "content": text} for _, text, kind in observations]
        done, info = env.step(model(chats[player]))
        refused += info["error"] is not None
    for player in chats:
        left = env.state.observations[player]
        chats[player] += [{"role": ROLES.get(kind, "user"), "content": text} for _, text, kind in left]
    rewards, infos = env.close()
    seats = list(env.episode.tasks)
    out = [seats[player] for player, info in infos.items() if info["invalid_move"]]
    for player, info in infos.items():
        assert info["turn_count"] == sum(each.seat == seats[player] for each in env.episode.answered)
    return Played(
        transcript=env.transcript(),
        rewards={seats[player]: reward for player, reward in rewards.items()},
        forfeited=out[0] if out else None,
        refused=refused,
        chats={seats[player]: chat for player, chat in chats.items()},
    )


@every_game_by_text
def test_games_and_rewards_are_right(game: str, episodes: int) -> None:
    check_games(play, game, episodes)


def answer(env: Any, model: ClumsyModel) -> bool:
    _, observation = env.get_observation()
    assert isinstance(observation, str)
    done, _ = env.step(model([{"role": "user", "content": observation}]))
    return bool(done)


@pytest.mark.parametrize(
    "wrappers",
    [
        [],
        [LLMObservationWrapper, ActionFormattingWrapper],
        [GameBoardObservationWrapper],
        [GameMessagesAndCurrentBoardObservationWrapper, ActionFormattingWrapper],
    ],
)
def test_it_plays_with_textarenas_wrappers(wrappers: list[type[Any]]) -> None:
    env = ta.make("polytrix/resistor-v0-raw" if wrappers else "polytrix/resistor-v0")
    for wrapper in wrappers:
        env = wrapper(env)
    env.reset(num_players=2, seed=5)
    model = ClumsyModel(0.0)
    while not answer(env, model):
        assert env.episode.answered[-1].errors == ()
    rewards, infos = env.close()
    assert rewards == dict(enumerate(env.transcript().payoffs()))
    assert infos[0]["reason"].startswith("The game is over") and infos[0]["role"] == "red"


def test_a_wrong_answer_is_told_and_the_last_one_forfeits() -> None:
    env = ta.make("polytrix/resistor-v0", attempts=2)
    env.reset(num_players=2, seed=7)
    player, first = env.get_observation()
    done, info = env.step(WRONG)
    assert not done and info["player"] == player == info["seat"] and WRONG in info["error"]
    again, second = env.get_observation()
    assert again == player and second.startswith(first) and f"[YOU] {WRONG}" in second and "refused" in second
    done, info = env.step(WRONG)
    assert done and env.get_observation()[1] == ""
    rewards, infos = env.close()
    assert rewards == {player: -1.0, 1 - player: 1.0}
    assert [infos[each]["invalid_move"] for each in (player, 1 - player)] == [True, False]
    assert "has forfeited" in infos[0]["reason"] and infos[player]["turn_count"] == 1
    with pytest.raises(GameOverError):
        env.step("MOVE: D")


def test_the_seed_decides_and_pythons_generator_is_left_alone() -> None:
    games = []
    for state in (1, 2):
        random.seed(state)
        before = random.getstate()
        env = ta.make("polytrix/resistor-v0", seats=["model", "random"])
        env.reset(num_players=1, seed=11)
        while not answer(env, ClumsyModel(0.0)):
            pass
        assert random.getstate() == before
        games.append(env.transcript())
    assert games[0] == games[1]


def test_copies_are_games_of_their_own() -> None:
    env = ta.make("polytrix/resistor-v0")
    env.reset(num_players=2, seed=5)
    for _ in range(6):
        answer(env, ClumsyModel(0.0))
    other, before = copy.deepcopy(env), env.transcript()
    while not answer(other, ClumsyModel(0.0)):
        pass
    assert env.transcript() == before != other.transcript()
    while not answer(env, ClumsyModel(0.0)):
        pass
    assert env.transcript() == other.transcript()


def test_all_games_are_registered_and_ones_own_can_be() -> None:
    assert {game.id for game in polytrix.all_games()} <= set(ENV_REGISTRY)
    with pytest.raises(ValueError, match="already registered"):
        register("quatrix")


def test_bad_input_is_refused() -> None:
    with pytest.raises(OptionError, match="playrs"):
        ta.make("polytrix/estimatrix-v0", playrs=3)
    with pytest.raises(PolicyError, match="3 seats are given"):
        ta.make("polytrix/resistor-v0", seats=["model"] * 3)
    env = ta.make("polytrix/resistor-v0")
    for call in (env.close, env.transcript, lambda: env.step("MOVE: D")):
        with pytest.raises(GameOverError, match="call reset"):
            call()
    with pytest.raises(PolicyError, match="num_players is 3; models play 2 seats"):
        env.reset(num_players=3)
    with pytest.raises(ValueError, match="seed is -1"):
        env.reset(num_players=2, seed=-1)
    with pytest.raises(OptionError, match="players"):
        ta.make("polytrix/estimatrix-v0").reset(num_players=9)
    env.reset(num_players=2, seed=1)
    with pytest.raises(NotationError, match="None is not an action"):
        env.step(None)
    assert not env.episode.answered


def test_the_page_and_the_docstrings_run() -> None:
    assert not doctest.testmod(module).failed
    assert isinstance(run_python_of("textarena.md")["env"].env, TextArenaGame)
