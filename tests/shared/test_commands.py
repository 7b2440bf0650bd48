"""The commands `python -m polytrix.testing` and `python -m tests.playthroughs`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from polytrix.core.game import Game
from polytrix.testing import __main__ as campaign
from polytrix.testing import option_combinations
from tests import playthroughs, toys
from tests.shared.test_golden import PLAYTHROUGHS
from tests.toys import SECRET, broken

Register = Callable[[Game], Game]


@pytest.mark.parametrize("length", [["--decisions", "4000"], ["--games", "300"]], ids=["decisions", "games"])
def test_a_campaign_goes_through_all_options_and_sums_up(
    length: list[str], register: Register, capsys: pytest.CaptureFixture[str]
) -> None:
    register(SECRET)
    campaign.main(["--game", "secret", *length, "--mode", "plain", "--seed", "9", "--threads", "2"])
    shown = capsys.readouterr()
    summary = json.loads(shown.out)
    assert summary["game"] == "polytrix/secret-v0" and summary["mode"] == "plain" and summary["seed"] == 9
    assert summary["option_combinations"] == len(option_combinations(SECRET)) and summary["policy"] == "mixed"
    games = summary["games_terminated"] + summary["games_truncated"]
    if length[0] == "--games":
        assert games >= 300
    else:
        assert 4000 <= summary["decisions"] < 6000
    assert f"of {int(length[1]):,} {length[0][2:]}" in shown.err and "decisions/s" in shown.err


def test_what_a_campaign_plays_does_not_depend_on_the_threads(
    register: Register, capsys: pytest.CaptureFixture[str]
) -> None:
    register(SECRET)
    play = ["--game", "secret", "--decisions", "4000", "--mode", "plain"]
    one, three = campaign.main(play), campaign.main([*play, "--threads", "3"])
    for summary in (one, three):
        del summary["seconds"], summary["threads"]
    assert one == three


def test_a_fault_ends_the_campaign(register: Register, capsys: pytest.CaptureFixture[str]) -> None:
    register(broken("shrinking", apply=toys.shrinking_apply))
    with pytest.raises(AssertionError, match="the pile never shrinks"):
        campaign.main(
            ["--game", "secret_shrinking", "--decisions", "4000", "--mode", "plain", "--threads", "2"]
        )


def test_playthroughs_are_written_anew_from_the_games_that_they_tell(tmp_path: Path) -> None:
    recorded = min((path.read_text(encoding="utf-8") for path in PLAYTHROUGHS), key=len)
    path = tmp_path / "old.txt"
    path.write_text(recorded.replace("\npayoffs: ", "\npaid: "), encoding="utf-8")
    playthroughs.main([str(path)])
    assert path.read_text(encoding="utf-8") == recorded
