"""`estimatrix_hints.py`: whom hints reach in Estimatrix Spectrum."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")


from polytrix.agents import RandomPolicy
from polytrix.core.errors import PolytrixError
from polytrix.core.state import ByteArray, IntArray
from polytrix.training.estimatrix_hints import GAME, Played, Settings, main, played, told

WAIT = GAME.actions.offset("wait")
_, OPTIONS = GAME.configured({"max_turns": 12})


def lowest(observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
    return np.asarray(mask.argmax(axis=1), np.int64)


def highest(observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
    return np.asarray(WAIT - 1 - mask[:, WAIT - 1 :: -1].argmax(axis=1), np.int64)


def test_hits_are_those_of_the_agents_turns_alone() -> None:
    found = played(OPTIONS, highest, lowest, 8, seed=1)
    assert told(found)[3:] == 4 * ["0%"]
    others = found.dice[np.arange(len(found.dice)), (found.own + [[1], [2], [3]]) % 4]
    assert (others == others[:1]).all()  # all of them set the lowest colour


def test_guesses_hit_one_time_in_five() -> None:
    policy = RandomPolicy(GAME)
    rates = [float(each.rstrip("%")) for each in told(played(OPTIONS, policy, policy, 1000, seed=1))[3:]]
    assert rates == pytest.approx(4 * [20], abs=3)  # standard errors are below 0.9


def test_the_figures_of_three_turns_by_hand() -> None:
    found = Played(
        payoffs=np.array([[1, -1, -1, 1], [1, -1 / 3, -1 / 3, -1 / 3], [0, 0, 0, 0], [0, 0, 0, 0]], np.float32),
        dice=np.array([[2, 2, 3, 2], [1, 1, 4, 5], [0, 3, 0, 3]]),
        kvanter=np.array([0, 1, 2]),
        negater=np.array([3, 3, 0]),
        own=np.array([0, 0, 0]),
    )
    # first it is the Kvanter, and one of two Estimators and the Negater hit; then it hits in both other roles
    assert told(found) == ["25%", "50%", "1", "50%", "100%", "100%", "100%"]


def test_what_others_hear_is_told_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(Settings(("greedy",), others="random", games=20, players=3))
    printed = capsys.readouterr().out
    assert "20 games among random" in printed and "greedy" in printed and "%" in printed


def test_bad_input_is_refused() -> None:
    with pytest.raises(SystemExit, match="name an agent or more"):
        main(Settings(()))
    with pytest.raises(PolytrixError, match="players"):
        main(Settings(("greedy",), players=9))
