"""The comparison with other libraries: missing ones are left out, and all play the same game."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pages import ROOT

sys.path.insert(0, str(ROOT / "benchmarks" / "throughput"))

import peers
from peer_players import PLAYERS


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives processes their cores")
def test_a_short_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "receipt.json"
    peers.main(["--seconds", "0.5", "--repeats", "1", "--out", str(out)])
    receipt = json.loads(out.read_text())
    shown = capsys.readouterr().out
    assert receipt["format"] == peers.FORMAT
    for part in receipt["cores"].values():
        libraries = part["libraries"]
        assert libraries.keys() | receipt["missing"].keys() == PLAYERS.keys()
        assert abs(libraries["polytrix"]["decisions_per_game"] - peers.LENGTH) < 1
    for name, why in receipt["missing"].items():
        assert f"{name} is left out: {why}" in shown


def library(*rates: float) -> dict[str, Any]:
    """A part of a receipt."""
    return {
        "version": "1.0", "median": rates[1], "min": min(rates), "max": max(rates),
        "repeats": list(rates), "decisions_per_game": 21.3,
    }  # fmt: skip


def test_the_factor_is_the_median_of_neighbouring_repeats() -> None:
    measured = {"slow": library(1, 2, 3), "Pgx": library(10, 20, 40), "polytrix": library(30, 40, 80)}
    assert peers.against_the_fastest(measured) == {"peer": "Pgx", "median": 2, "min": 2, "max": 3}
    assert peers.against_the_fastest({"polytrix": library(1, 2, 3)}) == {}


def test_a_library_that_cannot_be_had_is_left_out_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PLAYERS", {"Nobody": PLAYERS["Pgx"]})
    arguments = argparse.Namespace(python=sys.executable, seconds=0.1, repeats=1)
    measured, missing = peers.compare([0], arguments)
    assert measured == {} and "ended with code 1" in missing["Nobody"]
