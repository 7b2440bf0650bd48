"""Chats with rewards: the games of `Episode`, whatever their number side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from polytrix.llm import MODEL, Episode, Message, Prompts, rollouts
from tests.llm.cases import Case, Played, check_games, every_game_by_text
from tests.llm.scripted import ClumsyModel

SMALL: dict[str, dict[str, Any]] = {"quatrix": {"max_decisions": 40}, "estimatrix": {"players": 3}}


def play(case: Case) -> Played:
    """A game as an interface that the integrations of libraries are held against, too."""
    found = list(rollouts(case.game, case.model, 1, seed=case.seed, **case.setup))
    return Played(
        transcript=found[0].transcript,
        rewards={each.seat: each.reward for each in found},
        forfeited=next((each.seat for each in found if each.forfeited), None),
        refused=sum(each.refused for each in found),
        chats={each.seat: each.messages for each in found},
    )


@every_game_by_text
def test_games_and_rewards_are_right(game: str, episodes: int) -> None:
    check_games(play, game, episodes)


@pytest.mark.parametrize(
    ("game", "self_play"),
    [
        ("quatrix", False),
        ("estimatrix", False),
        ("estimatrix", True),
    ],
)
def test_rollouts_have_the_payoffs_of_their_games(game: str, self_play: bool) -> None:
    options = SMALL.get(game, {})
    players = options.get("players", 2)
    seats = [MODEL] * players if self_play else None
    found = list(rollouts(game, ClumsyModel(0.15), 3, seats=seats, seed=4, options=options))
    assert [each.seed for each in found] == [4 + i // len(found[::3]) for i in range(len(found))]
    assert len(found) == 3 * (players if self_play else 1)
    if not self_play:
        assert [each.seat for each in found] == [seed % players for seed in (4, 5, 6)]
    for each in found:
        assert each.turns and sum(turn.reward for turn in each.turns) == pytest.approx(each.reward)
        assert all(turn.reward == 0 for turn in each.turns[:-1])
        told = [message["content"] for message in each.messages if message["role"] == "assistant"]
        assert told == [turn.answer or "(no answer)" for turn in each.turns]
        assert [message["role"] for message in each.messages] == ["system", *["user", "assistant"] * len(told)]
        assert each.refused == sum(turn.error is not None for turn in each.turns)
    assert sum(each.refused for each in found) > 0


def test_a_turn_keeps_the_object_that_the_policy_has_returned() -> None:
    class Answer(str):
        """What a trainer's own class may be."""

    (rollout,) = rollouts("resistor", lambda chat: Answer("MOVE: D"), 1, seed=7)
    assert all(type(turn.answer) is Answer for turn in rollout.turns)


def test_games_side_by_side_are_the_same_games() -> None:
    model, most = ClumsyModel(0.1), 0

    def batched(chats: Sequence[Sequence[Message]]) -> list[str]:
        nonlocal most
        most = max(most, len(chats))
        return [model(chat) for chat in chats]

    seats = [MODEL, MODEL]
    one_by_one = list(rollouts("resistor", model, 4, seats=seats, seed=2))
    for batch in (1, 3, 20):
        assert list(rollouts("resistor", batched, 4, seats=seats, seed=2, batch=batch)) == one_by_one
        assert most == min(batch, 4)


@pytest.mark.parametrize("failure", ["forfeit", "random"])
def test_with_all_in_memory_each_prompt_is_what_was_said_so_far(failure: Any) -> None:
    setup: dict[str, Any] = {"attempts": 2, "failure": failure, "seed": 1, "seats": [MODEL, MODEL]}
    whole = list(rollouts("resistor", ClumsyModel(0.3), 4, prompts=Prompts(memory=None), **setup))
    assert {each.forfeited for each in whole} == ({False, True} if failure == "forfeit" else {False})
    for each in whole:
        for number, turn in enumerate(each.turns):
            assert turn.prompt == each.messages[: 2 * number + 2]
    recent = list(rollouts("resistor", ClumsyModel(0.3), 1, prompts=Prompts(memory=1), **setup))
    assert max(len(turn.prompt) for turn in recent[0].turns) <= 6 < len(recent[0].messages)


def test_shaped_rewards_are_those_of_the_episode() -> None:
    model, options = ClumsyModel(0.3), {"max_decisions": 40}
    seats = ["greedy", MODEL]
    (rollout,) = rollouts(
        "quatrix", model, 1, seats=seats, rotate=False, seed=7, options=options, shaping=0.5, attempts=5
    )
    episode = Episode("quatrix", seats, seed=7, options=options, attempts=5)
    while not episode.over:
        episode.answer(model(episode.messages()))
    assert [turn.reward for turn in rollout.turns if turn.error is None] == episode.turn_rewards(0.5)
    assert all(turn.reward == 0 for turn in rollout.turns if turn.error is not None)
    assert rollout.refused > 0 and len({turn.reward for turn in rollout.turns}) > 3


def test_bad_input_is_refused_at_once() -> None:
    model = ClumsyModel()
    with pytest.raises(ValueError, match="n is -1"):
        rollouts("resistor", model, -1)
    with pytest.raises(ValueError, match="batch is 0"):
        rollouts("resistor", model, 1, batch=0)
    with pytest.raises(ValueError, match="seed is -1"):
        rollouts("resistor", model, 1, seed=-1)


def test_bad_answers_are_told() -> None:
    with pytest.raises(TypeError, match="the policy answers None; allowed: a string"):
        next(rollouts("resistor", lambda chat: None, 1))  # type: ignore[arg-type, return-value]
    with pytest.raises(ValueError, match="gives 1 answers to 2 chats"):
        next(rollouts("resistor", lambda chats: ["MOVE: D"], 2, batch=2))
