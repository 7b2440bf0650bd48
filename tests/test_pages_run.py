"""The Python of these pages runs as it stands, block after block in one session."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHORTER = {
    "model.learn(1_000_000)": "model.learn(64)",
    "num_envs=256": "num_envs=4",
    "n_steps=64, batch_size=2048": "n_steps=16, batch_size=64",
}
"""So that learning takes seconds."""


@pytest.mark.parametrize("page", ["text.md", "sb3.md"])
def test_the_blocks_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if page == "sb3.md":
        pytest.importorskip("sb3_contrib")
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        for full, short in SHORTER.items():
            block = block.replace(full, short)
        exec(compile(block, page, "exec"), names)
