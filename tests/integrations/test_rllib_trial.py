"""RLlib's PPO as an algorithm of the benchmark: a trial, killed and continued."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))

from algorithms import rllib
from tests.integrations.trials import SMALL, check_that_a_killed_trial_goes_on
from trials import runs as trial_runs

pytestmark = pytest.mark.timeout(900)


def test_a_killed_trial_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL.items():
        monkeypatch.setitem(trial_runs.SHARED, name, value)
    check_that_a_killed_trial_goes_on(rllib.train, tmp_path)
