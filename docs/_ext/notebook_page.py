"""A notebook as a page of the site: its text, its code and what it showed when it was stored."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter


def notebook_files(path: Path) -> dict[str, str | bytes]:
    """The files that show a notebook: a page in Markdown with the notebook's name, and its pictures."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    names = {"unique_key": path.stem, "output_files_dir": "."}
    exporter = MarkdownExporter()  # type: ignore[no-untyped-call]
    text, resources = exporter.from_notebook_node(notebook, resources=names)
    title, _, rest = text.partition("\n\n")
    download = f"{{download}}`Download this notebook <../notebooks/{path.name}>`"
    page = f"{title}\n\n{download}\n\n{rest.replace('![png](./', '![what the cell shows](')}"
    pictures = {Path(name).name: content for name, content in resources["outputs"].items()}
    return {f"{path.stem}.md": page, **pictures}
