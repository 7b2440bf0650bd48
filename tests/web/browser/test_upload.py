"""A saved network of one's own sits down at the table."""

from __future__ import annotations

from pathlib import Path

import polytrix
from polytrix.core.baselines import baseline_files

from .conftest import Open


def test_a_network_from_a_file(address: str, window: Open, tmp_path: Path) -> None:
    network = tmp_path / "my run.npz"
    network.write_bytes(baseline_files(polytrix.find("resistor"))["ppo"].read_bytes())
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"no network")
    player = window()
    player.choose(address, "resistor")
    player.page.select_option("#seat-1", "network")
    chooser = player.page.locator("input[type=file][accept='.npz']:visible")
    chooser.set_input_files(broken)
    player.page.wait_for_selector("#form .wrong:has-text('broken.npz is damaged or not a saved network')")
    chooser.set_input_files(network)
    player.start(seed=1)
    assert player.my_turn()
    assert "my_run.npz" in player.page.inner_text("#seats")
