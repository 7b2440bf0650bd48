"""The notebooks of the documentation: running them, and storing what they show.

    python -m tests.notebooks

runs them in full, which takes minutes, and stores their outputs. Do so after a change of their code.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.commands import with_sources
from tests.pages import ROOT

NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))

SHORTER = {"MINUTES = 2.0": "MINUTES = 0.02", "DEALS = 50": "DEALS = 2"}
"""Constants of the notebooks that tests replace, so that a run takes seconds."""


def read(path: Path) -> NotebookNode:
    """A notebook; ValidationError if the file is not a valid one."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells with code, in their order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def mark(notebook: NotebookNode) -> str:
    """A hash of the code, stored with the outputs to tell whether they belong together."""
    code = "\n\n".join(cell.source for cell in code_cells(notebook))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def shorten(notebook: NotebookNode) -> None:
    """Replace the constants in `SHORTER`."""
    for cell in code_cells(notebook):
        for full, short in SHORTER.items():
            cell.source = cell.source.replace(full, short)


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run all cells from top to bottom in a new kernel and keep their outputs.

    Args:
        notebook: is changed.
        folder: an empty one, in which the notebook runs and leaves its files.

    Raises:
        CellExecutionError: a cell fails.
    """
    environment = with_sources(IPYTHONDIR=str(folder / ".ipython"))
    client = NotebookClient(
        notebook, timeout=1200, resources={"metadata": {"path": str(folder)}}, record_timing=False
    )
    client.execute(env=environment)


def store(path: Path) -> None:
    """Run a notebook and write it back with its outputs."""
    notebook = read(path)
    with TemporaryDirectory() as folder:
        execute(notebook, Path(folder))
    notebook.metadata["code"] = mark(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in NOTEBOOKS:
        store(path)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
