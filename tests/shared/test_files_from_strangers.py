"""The fuzzer's ways to damage files, and that its tries find planted defects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polytrix


def test_a_reader_that_believes_what_it_reads_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If checkpoints were pickles, the tries would see code run."""
    import pickle

    from polytrix.agents.checkpoint import read_checkpoint
    from tests.fuzz import files

    def believing(path: Path) -> object:
        data = path.read_bytes()
        return pickle.loads(data) if data.startswith(b"\x80") else read_checkpoint(path)

    attempt = files.checkpoints(polytrix.find("quatrix"), tmp_path)
    monkeypatch.setattr(files, "read_checkpoint", believing)

    def tried() -> None:
        for number in range(200):
            attempt(np.random.default_rng(number))

    with pytest.raises(AssertionError, match=r"was run|raised"):
        tried()
