"""What `release.py` puts into `checkpoints/`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import GuidedSearchPolicy, NetworkPolicy, load
from polytrix.training.release import Settings, release
from polytrix.training.shared.reports import versions
from tests.networks import save, some_network
from tests.pages import ROOT

GAME = polytrix.find("pressure_matrix")
NETWORK = some_network(GAME)


def finished(folder: Path, script: str, players: int, began: str = "", **notes: Any) -> Path:
    """The folder of a run with this script."""
    folder.mkdir()
    save(folder / "policy.npz", NETWORK, **notes)
    record = json.loads((ROOT / "checkpoints" / "pressure_matrix-v0" / "result.json").read_text("utf-8"))
    record.pop("values", None)  # what `release.py` has noted itself
    record |= {"script": script, "players": players}
    record["settings"] |= {"network": began, "options": {"players": players}}
    record["command"] = f"python training/{script} --network {began} --out {folder} --seed 1"
    (folder / "result.json").write_text(json.dumps(record), "utf-8")
    return folder


def test_a_run_gets_the_folder_and_the_name_of_its_network(tmp_path: Path) -> None:
    to = tmp_path / "checkpoints"
    ppo = finished(
        tmp_path / "ppo", "fast_ppo.py", 4, value_games=1234, value_explained=0.25, value_share_greedy=0.5
    )
    assert release(Settings(ppo, to)) == to / "pressure_matrix-v0-players4"
    expert = finished(tmp_path / "x", "expert.py", 4, "ppo-players4")
    place = release(Settings(expert, to))
    assert place == to / "pressure_matrix-v0-players4-expert"
    assert sorted(file.name for file in place.iterdir()) == ["card.md", "policy.npz", "result.json"]
    released = load(place / "policy.npz", GAME)
    assert released.values is not None and NETWORK.values is not None
    for (own, _), (given, _) in zip(released.layers, NETWORK.layers, strict=True):
        assert np.array_equal(own, np.float32(np.float16(given)))
    assert released.notes == load(expert / "policy.npz", GAME).notes
    assert (place / "policy.npz").stat().st_size < 0.6 * (expert / "policy.npz").stat().st_size
    card = (place / "card.md").read_text("utf-8")
    assert "--opponent expert-players4 -o players=4" in card and "expert iteration baseline" in card
    assert "`python training/expert.py --network ppo-players4 --seed 1`" in card and "Values" not in card
    card = (to / "pressure_matrix-v0-players4" / "card.md").read_text("utf-8")
    assert (
        "--opponent ppo-players4" in card
        and "`values.py --share-greedy 0.5`; 1,234 games explain 25.0% of the payoffs" in card
    )


def test_the_card_tells_of_beliefs(tmp_path: Path) -> None:
    figures = {"learned": {"cross_entropy": 0.8}, "redeal": {"cross_entropy": 1.7123}}
    notes = {"belief_positions": 5000, "belief_share_greedy": 1.0, "belief_quality": figures}
    expert = finished(tmp_path / "x", "expert.py", 2, **notes)
    card = (release(Settings(expert, tmp_path / "checkpoints")) / "card.md").read_text("utf-8")
    assert "- Beliefs: `beliefs.py --share-greedy 1`; 5,000 positions; " in card
    assert "cross-entropy of hidden actions in new ones: learned 0.800, redeal 1.712" in card


def test_a_network_notes_what_suits_its_search(tmp_path: Path) -> None:
    to = tmp_path / "checkpoints"
    run = finished(tmp_path / "x", "expert.py", 2)
    place = release(Settings(run, to, search_temperature=1.5))
    assert release(Settings(place, to)) == place  # released again, it keeps its notes
    assert "- Search: temperature 1.5\n" in (place / "card.md").read_text("utf-8")
    network = load(place / "policy.npz", GAME)
    assert isinstance(network, NetworkPolicy)
    assert GuidedSearchPolicy(GAME, network).plan(2).temperature == 1.5


def test_a_run_that_goes_on_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="run its command to the end"):
        release(Settings(tmp_path, tmp_path / "checkpoints"))
    assert not (tmp_path / "checkpoints").exists()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no clone, so there is no commit to tell")
def test_a_run_in_a_clone_tells_the_commit() -> None:
    found = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    assert found.stdout.startswith(versions()["commit"].removesuffix("+"))
