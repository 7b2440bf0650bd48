"""`python -m tests.release.readme`: every block of README.md as printed, in its order.

Commands run in a new clone of what is committed here, Python in an empty folder, all in a virtual environment
that begins empty, with an empty cache of compiled programs. It takes as long as the page says, and needs a
network.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

from tests.pages import ROOT, blocks


def steps(page: Path) -> Iterator[tuple[str, str, int]]:
    """The blocks of Python and the commands of a page in their order: "python" or "bash", content, line."""
    for block in blocks(page):
        if block.kind == "python" and not block.excerpt_of:
            yield "python", block.content, block.line
        elif block.kind == "bash":
            for number, line in enumerate(block.content.splitlines()):
                if line:
                    yield "bash", line, block.line + number


def activated(env: Path, cache: Path) -> dict[str, str]:
    """The variables of this process with a virtual environment activated, which sees none of the sources."""
    programs = env / ("Scripts" if sys.platform == "win32" else "bin")
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    path = os.pathsep.join((str(programs), os.environ["PATH"]))
    return kept | {"PATH": path, "VIRTUAL_ENV": str(env), "POLYTRIX_CACHE": str(cache)}


def main() -> None:
    """Follow the page to its end; subprocess.CalledProcessError if a step fails."""
    if changed := subprocess.check_output(["git", "status", "--porcelain"], cwd=ROOT, encoding="utf-8"):
        raise SystemExit(f"a clone holds what is committed; commit this first, or remove it:\n{changed}")
    with tempfile.TemporaryDirectory() as name:
        clone, env, folder = (Path(name, part) for part in ("clone", "env", "work"))
        folder.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        venv.create(env, with_pip=True)
        variables = activated(env, Path(name, "cache"))
        for kind, content, line in steps(ROOT / "README.md"):
            print(f"\nREADME.md:{line}: {content.splitlines()[0]}", flush=True)
            command, place = ["bash", "-c", content], clone
            if kind == "python":
                (folder / "block.py").write_text(content, encoding="utf-8")
                command, place = ["python", "block.py"], folder
            subprocess.run(command, cwd=place, env=variables, stdin=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
