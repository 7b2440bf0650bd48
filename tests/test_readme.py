"""The README's examples run as they stand, one after the other in one session."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def test_there_are_examples_for_every_way_to_plug_in() -> None:
    for word in ("gym.make(", "gym.make_vec(", "quatrix_v0.env", "SelfPlayVecEnv", "Simulator("):
        assert any(word in block for block in BLOCKS), word


def test_the_examples_run() -> None:
    pytest.importorskip("sb3_contrib", reason="one example needs the extra 'sb3'")
    names: dict[str, object] = {}
    for block in BLOCKS:
        short = block.replace("num_envs=256", "num_envs=4").replace("batch_size=2048", "batch_size=64")
        exec(short.replace("model.learn(1_000_000)", "model.learn(64)"), names)
    assert names["sim"] is not None


def test_all_links_lead_to_files() -> None:
    for page in (ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("envs/polytrix/games/*/README.md")):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"
