"""The campaign runs, and notices what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.trainers.__main__ import main
from tests.trainers.cases import Case, check
from tests.trainers.interfaces import interface


def test_a_short_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    found = main(["--interface", "rollouts", "--game", "resistor", "--game", "estimatrix", "--episodes", "6"])
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines() if line] == found
    assert [(each["game"], each["episodes"], each["failures"]) for each in found] == [
        ("resistor", 6, 0),
        ("estimatrix", 6, 0),
    ]
    assert all(each["self_play"] == 2 for each in found)
    assert sum(int(str(each["refused"])) for each in found) > 0
    assert sum(int(str(each["forfeits"])) for each in found) > 0


def test_what_is_wrong_is_noticed() -> None:
    self_play = (Case("resistor", seed) for seed in range(5, 200, 6))
    with interface("rollouts") as play:
        played = ((case, play(case)) for case in self_play)
        case, right = next((case, episode) for case, episode in played if any(episode.rewards.values()))
        other = play(Case("resistor", 10))
    check(case, right)
    seat = min(right.rewards)
    for wrong in (
        replace(right, rewards={**right.rewards, seat: -right.rewards[seat]}),
        replace(right, rewards={seat: right.rewards[seat]}),
        replace(right, transcript=other.transcript),
        replace(right, transcript=replace(right.transcript, actions=right.transcript.actions[:-1])),
        replace(right, refused=right.refused + 1),
        replace(right, forfeited=0 if right.forfeited is None else None),
        replace(right, chats={seat: (right.chats or {})[seat][:-2]}),
    ):
        with pytest.raises(AssertionError):
            check(case, wrong)
