"""Games by text: the same games as everywhere, with questions, refusals and forfeits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.core.errors import GameOverError, OptionError, PolicyError
from polytrix.core.words import moves
from polytrix.llm import MODEL, Episode, Prompts
from polytrix.llm.prompts import log_line
from polytrix.play.log import Log
from tests.llm.scripted import HEADING, ClumsyModel, listed_moves


def finish(episode: Episode, model: Callable[[Any], str]) -> Episode:
    while not episode.over:
        episode.answer(model(episode.messages()))
    return episode


def test_a_model_is_only_asked_where_it_has_a_choice() -> None:
    episode = Episode("resistor", [MODEL, MODEL], seed=1)
    model, asked, forced = ClumsyModel(0.0), 0, 0
    while not episode.over:
        assert len(listed_moves(episode.messages())) == len(episode.session.legal()) > 1
        episode.answer(model(episode.messages()))
        asked += 1
    for number in range(len(episode.session.actions)):
        forced += number not in {each.number for each in episode.answered}
    assert forced and len(episode.answered) == asked


def test_what_the_chat_holds() -> None:
    """The task never changes, the last decisions stay, and nothing that has happened is left out."""
    episode = Episode("resistor", [MODEL, "greedy"], seed=7, prompts=Prompts(memory=2))
    model, log, told_of = ClumsyModel(0.0, 1), Log(episode.session), list[str]()
    task = episode.messages()[0]
    assert task["role"] == "system" and "# RESISTOR_" in task["content"] and "## Actions" in task["content"]
    while not episode.over:
        messages = episode.messages()
        assert messages == episode.messages() and messages[0] == task
        exchanges = min(2, len(episode.answered))
        assert [each["role"] for each in messages[1:]] == [*["user", "assistant"] * exchanges, "user"]
        for earlier, pair in zip(episode.answered[-2:], range(1, len(messages) - 1, 2), strict=True):
            assert messages[pair]["content"] == earlier.question
            assert messages[pair + 1]["content"] == earlier.answers[-1]
        happened, _, _ = messages[-1]["content"].partition("\n\nRESISTOR_.")
        told_of += happened.splitlines()[1:] if episode.answered else []
        expected = [log_line(episode.game, entry, 0) for entry in log.entries(0, 0)]
        assert told_of == expected[len(expected) - len(told_of) :] and len(told_of) >= len(episode.answered)
        episode.answer(model(messages))


def test_without_the_list_rules_and_memory() -> None:
    prompts = Prompts(rules=False, notation=False, legal_moves=False, memory=0)
    episode = Episode("resistor", [MODEL, "greedy"], seed=6, prompts=prompts)
    assert episode.answer("MOVE: D") is None
    task, question = episode.messages()
    assert HEADING not in question["content"] and "# RESISTOR_" not in task["content"]
    assert "the legal moves" not in task["content"] and "number" not in task["content"]


def test_the_list_by_notation_alone() -> None:
    episode = Episode("resistor", [MODEL, "greedy"], seed=6, prompts=Prompts(legal_moves="notation"))
    names = [move.notation for move in moves(episode.game, episode.session.state)]
    task, question = (each["content"] for each in episode.messages())
    assert f"Legal moves: {', '.join(names)}" in question.splitlines()
    assert HEADING not in question and "and the legal moves." in task and "number in the list" not in task
    assert episode.answer(f"MOVE: {names[-1]}") is None


def test_refused_answers_are_told_and_asked_again() -> None:
    episode = Episode("resistor", [MODEL, "greedy"], seed=6, attempts=3)
    question = episode.messages()
    assert episode.answer("I draw.") == "the last line is 'I draw.'; it must be `MOVE: move` and nothing else"
    assert "no legal action" in str(episode.answer("MOVE: T-"))
    messages = episode.messages()
    assert messages[: len(question)] == question and len(messages) == len(question) + 4
    assert messages[-2] == {"role": "assistant", "content": "MOVE: T-"}
    assert "was refused: 'T-' names no legal action; legal are" in messages[-1]["content"]
    assert episode.answer("MOVE: D") is None
    answered = episode.answered[0]
    assert answered.answers == ("I draw.", "MOVE: T-", "MOVE: D") and len(answered.errors) == 2
    assert not answered.failed and answered.question == question[-1]["content"]
    assert all("refused" not in each["content"] for each in episode.messages())


@pytest.mark.parametrize("memory", [None, 2])
@pytest.mark.parametrize("said", ["", " \n", "bad \ud800 answer"], ids=ascii)
def test_every_chat_can_be_sent_to_any_server(said: str, memory: int | None) -> None:
    prompts = Prompts(memory=memory)
    episode = Episode("resistor", [MODEL, MODEL], seed=3, prompts=prompts, attempts=2, failure="random")
    while not episode.over:
        chat = episode.messages()
        assert all(each["content"].encode().strip() for each in chat)
        assert [each["role"] for each in chat[1:]] == ["user", *["assistant", "user"] * (len(chat) // 2 - 1)]
        episode.answer(said)
    assert {each.answers for each in episode.answered} == {(said, said)}


def test_the_last_line_of_an_answer_that_was_cut_off_names_no_move() -> None:
    episode = Episode("resistor", [MODEL, MODEL], seed=3, attempts=5)
    move = listed_moves(episode.messages())[-1][1]
    for said in (f"MOVE: {move}", "<think>Well", "", f"MOVE: xyzzy\nMOVE: {move}"):
        refused = episode.answer(said, cut=True)
        assert refused is not None and refused.startswith("the limit of tokens has cut it off")
        assert refused in episode.messages()[-1]["content"]
    assert episode.answer(f"MOVE: {move}\nSo I", cut=True) is None
    assert episode.answered[0].malformed == 4


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("resistor", {}, [1.0, -1.0]),
        ("pressure_matrix", {"players": 4}, [1 / 3, -1.0, 1 / 3, 1 / 3]),
    ],
)
def test_a_seat_that_gives_no_legal_move_forfeits(
    name: str, options: dict[str, Any], expected: list[float]
) -> None:
    seats = ["greedy", MODEL, *["greedy"] * (len(expected) - 2)]
    episode = Episode(name, seats, options=options, seed=7, attempts=2)
    before = len(episode.session.actions)
    for left in (1, 0):
        assert not episode.over and episode.rewards == [0.0] * len(expected)
        assert episode.answer("no idea")
        assert bool(left) != episode.over
    assert episode.rewards == pytest.approx(expected) and episode.forfeited == 1 and episode.seat is None
    assert len(episode.session.actions) == before and episode.answered[-1].failed
    assert episode.answered[-1].action is None and episode.turn_rewards()[-1] == -1.0
    with pytest.raises(GameOverError):
        episode.messages()
    with pytest.raises(GameOverError):
        episode.answer("MOVE: D")


def test_a_seat_can_forfeit_without_an_answer() -> None:
    episode = Episode("resistor", [MODEL, "greedy"], seed=7, failure="random")
    episode.answer("no idea")
    episode.forfeit()
    assert episode.over and episode.forfeited == 0 and episode.rewards == [-1.0, 1.0]
    assert episode.answered[-1].answers == ("no idea",) and episode.turn_rewards() == [-1.0]
    with pytest.raises(GameOverError):
        episode.forfeit()


def test_or_a_random_move_is_made() -> None:
    first = None
    for _ in range(2):
        episode = Episode("resistor", [MODEL, "greedy"], seed=7, attempts=1, failure="random")
        model, refused = ClumsyModel(0.3, 3), 0
        while not episode.over:
            refused += episode.answer(model(episode.messages())) is not None
        failed = [each for each in episode.answered if each.failed]
        assert len(failed) == refused > 0 and episode.forfeited is None
        assert all(each.action in range(episode.game.actions.size) for each in failed)
        assert first in (None, episode.session.actions)  # the same in each run
        first = list(episode.session.actions)
    assert len({each.action for each in failed}) > 1


def test_rewards_of_turns_sum_to_the_payoff_and_the_shaping() -> None:
    episode = finish(
        Episode("quatrix", [MODEL, MODEL], seed=3, options={"max_decisions": 80}), ClumsyModel(0.0, 4)
    )
    potential = episode.game.potential
    assert potential is not None
    for shaping in (0.0, 0.5):
        turns = episode.turn_rewards(shaping)
        for seat in (0, 1):
            own = [place for place, each in enumerate(episode.answered) if each.seat == seat]
            values = [potential(episode.session.position(episode.answered[i].number), seat) for i in own]
            steps = np.diff([*values, 0.0])
            expected = shaping * steps
            expected[-1] += episode.rewards[seat]
            assert np.allclose([turns[i] for i in own], expected)
    assert any(turns)


def test_bad_input_is_refused() -> None:
    with pytest.raises(PolicyError, match="3 seats are given; this game of resistor has 2 players"):
        Episode("resistor", [MODEL] * 3)
    with pytest.raises(PolicyError, match="no seat is that of a model"):
        Episode("resistor", ["greedy", "greedy"])
    with pytest.raises(PolicyError, match="gredy"):
        Episode("resistor", [MODEL, "gredy"])
    with pytest.raises(OptionError, match="playrs"):
        Episode("estimatrix", [MODEL] * 3, options={"playrs": 3})
    with pytest.raises(ValueError, match="attempts is 0"):
        Episode("resistor", [MODEL, "greedy"], attempts=0)
    with pytest.raises(ValueError, match="allowed: forfeit, random"):
        Episode("resistor", [MODEL, "greedy"], failure="loss")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="memory is -1"):
        Prompts(memory=-1)
    with pytest.raises(ValueError, match="legal_moves is 'names'; allowed: True, False, 'notation'"):
        Prompts(legal_moves="names")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="legal_moves is 1"):
        Prompts(legal_moves=1)  # type: ignore[arg-type]
    with pytest.raises(polytrix.core.errors.PolytrixError):
        Episode("chess", [MODEL, "greedy"])
