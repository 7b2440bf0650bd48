"""Decisions that are linked to the next one of their seat. `test_fast_ppo.py` has whole games."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")

import torch

from polytrix.learning.advantages import END, OPEN
from polytrix.learning.samples import advantages, closed, new_samples
from tests.toys import SECRET


def test_open_decisions_wait_for_the_next_rollout() -> None:
    """Seats 0, 1 and 0 decide; in the next rollout seat 1, and the game ends."""
    (samples,) = new_samples(SECRET, [8], torch.device("cpu"))
    opened, row = np.full((2, 2), -1), np.array([1])

    def decide(seat: int, potential: float, value: float) -> None:
        samples.value[samples.add(1)] = value
        samples.link(opened, row, np.array([seat]), 0.5, np.float32([potential]), 0.9)

    for seat, potential, value in ((0, 1.0, 0.1), (1, 2.0, 0.2), (0, 3.0, 0.3)):
        decide(seat, potential, value)
    assert samples.next[:3].tolist() == [2, OPEN, OPEN] and closed(samples).tolist() == [0]
    advantage, target = advantages(samples, 0.8, 0.7)
    reward = 0.5 * (0.9 * 3 - 1)
    assert target.tolist() == pytest.approx([reward + 0.8 * 0.3, 0.2, 0.3])
    assert advantage[1:].tolist() == [0, 0]
    samples.keep_open(opened)
    assert opened.tolist() == [[-1, -1], [1, 0]]
    assert samples.used()["value"].tolist() == pytest.approx([0.2, 0.3])
    decide(1, 4.0, 0.4)
    samples.end(opened, row, np.float32([[-1.0, 1.0]]), 0.5)
    assert samples.next[:3].tolist() == [2, END, END] and (opened == -1).all()
    first = 0.5 * (0.9 * 4 - 2)
    assert samples.reward[:3].tolist() == pytest.approx([first, -1 - 0.5 * 3, 1 - 0.5 * 4])
