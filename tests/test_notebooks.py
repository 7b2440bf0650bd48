"""The notebooks run from top to bottom, and show what their code makes."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from importlib import util
from pathlib import Path

import PIL.Image
import pytest

pytest.importorskip("nbclient", reason="the extra 'dev' is not installed")

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from tests.notebooks import NOTEBOOKS, SHORTER, code_cells, execute, mark, read, shorten
from tests.pages import ROOT

FIRST_STEPS = ROOT / "docs" / "notebooks" / "first_steps.ipynb"
LIMIT = 300_000  # bytes: larger notebooks are slow to show on sites that host repositories

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    """The cell with this id."""
    (found,) = (each for each in notebook.cells if each.id == name)
    return found


def output(notebook: NotebookNode, name: str, kind: str) -> str:
    """What a cell shows in the format `kind`."""
    (found,) = (each.data[kind] for each in cell(notebook, name).outputs if kind in each.get("data", {}))
    return str(found)


def image(notebook: NotebookNode, name: str) -> PIL.Image.Image:
    """The picture that a cell shows."""
    return PIL.Image.open(io.BytesIO(base64.b64decode(output(notebook, name, "image/png"))))


# -- running ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_first_steps_runs_from_top_to_bottom(tmp_path: Path) -> None:
    notebook = read(FIRST_STEPS)
    code = "\n".join(each.source for each in code_cells(notebook))
    assert all(code.count(constant) == 1 for constant in SHORTER)
    shorten(notebook)
    execute(notebook, tmp_path)
    assert image(notebook, "opening").size == image(notebook, "game").size == image(notebook, "one").size
    assert image(notebook, "learning").width > 400
    table = output(notebook, "ranking", "text/markdown")
    assert all(f"| {agent} |" in table for agent in ("random", "greedy", "trained", "ppo"))
    assert image(notebook, "filming").n_frames > 2  # type: ignore[attr-defined]
    assert {file.name for file in tmp_path.glob("[!.]*.*")} == {"trained.npz", "game.json", "game.png"}


@every_notebook
def test_stored_outputs_belong_to_the_code(path: Path) -> None:
    notebook = read(path)
    cells = code_cells(notebook)
    advice = "run `python -m tests.notebooks`"
    assert notebook.metadata.get("code") == mark(notebook), advice
    assert [each.execution_count for each in cells] == list(range(1, len(cells) + 1)), advice
    shown = [each for code in cells for each in code.outputs]
    assert not [each for each in shown if each.output_type == "error" or each.get("name") == "stderr"]
    assert path.stat().st_size < LIMIT


# -- installing -------------------------------------------------------------------------------------


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """Runs the first cell in a folder, and returns what it lets pip install."""
    source = cell(read(FIRST_STEPS), "installing").source

    def run(found: bool = False, url: str = "", folder: Path = tmp_path) -> list[str]:
        wanted: list[str] = []

        class Shell:
            def run_line_magic(self, name: str, line: str) -> None:
                wanted.append(f"{name} {line}".format_map(names))

        code = TransformerManager().transform_cell(source.replace('SOURCE = ""', f"SOURCE = {url!r}"))
        monkeypatch.chdir(folder)
        monkeypatch.setattr(util, "find_spec", lambda package: found)
        names: dict[str, object] = {"get_ipython": Shell}
        exec(code, names)
        return wanted

    return run


def test_a_clone_installs_itself(install: Callable[..., list[str]]) -> None:
    assert install(folder=FIRST_STEPS.parent) == [f'pip install --quiet "polytrix[train] @ {ROOT.as_uri()}"']


def test_a_wheel_beside_the_notebook_is_installed(install: Callable[..., list[str]], tmp_path: Path) -> None:
    wheel = tmp_path / "polytrix-0.1.0-py3-none-any.whl"
    wheel.touch()
    assert install() == [f'pip install --quiet "polytrix[train] @ {wheel.as_uri()}"']
