"""The commands of `polytrix.testing`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import polytrix
from polytrix.core.errors import TranscriptError
from polytrix.testing import __main__ as campaign
from polytrix.testing import option_combinations, write_playthroughs
from tests.shared.test_golden import TRANSCRIPTS


def test_a_campaign_goes_through_all_options_and_sums_up(capsys: pytest.CaptureFixture[str]) -> None:
    campaign.main(["--game", "quatrix", "--decisions", "200", "--mode", "plain", "--seed", "7"])
    shown = capsys.readouterr()
    summary = json.loads(shown.out)
    assert summary["game"] == "polytrix/quatrix-v0" and summary["mode"] == "plain" and summary["seed"] == 7
    assert summary["option_combinations"] == len(option_combinations(polytrix.find("quatrix")))
    assert 200 <= summary["decisions"] < 500 and summary["failures"] == 0
    assert "of 200 decisions" in shown.err and "/s" in shown.err


def test_playthroughs_are_written_next_to_their_transcripts(tmp_path: Path) -> None:
    source = min(TRANSCRIPTS, key=lambda path: path.stat().st_size)
    copy = Path(shutil.copy(source, tmp_path))
    write_playthroughs.main([str(copy)])
    assert copy.with_suffix(".txt").read_bytes() == source.with_suffix(".txt").read_bytes()
    copy.write_text(copy.read_text()[:50])
    with pytest.raises(TranscriptError, match="no transcript"):
        write_playthroughs.main([str(copy)])
