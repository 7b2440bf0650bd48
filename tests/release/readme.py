"""`python -m tests.release.readme`: every block of README.md as printed, in its order.

Commands run in a new clone of what is committed here, Python in an empty folder, all in a virtual environment
that begins empty, with an empty cache of compiled programs. It takes as long as the page says, and needs a
network.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path

from tests.empty_environment import activated
from tests.pages import ROOT
from tests.reader import Step, steps


def follow(step: Step, clone: Path, folder: Path, variables: Mapping[str, str]) -> None:
    """Do what a step says; subprocess.CalledProcessError if it fails."""
    if step.kind == "python":
        (folder / "block.py").write_text(step.content, encoding="utf-8")
        command, place = ["python", "block.py"], folder
    else:
        command, place = ["bash", "-c", step.content], clone
    subprocess.run(command, cwd=place, env=variables, stdin=subprocess.DEVNULL, check=True)


def main() -> None:
    """Follow the page to its end; raises as `follow` does."""
    if changed := subprocess.check_output(["git", "status", "--porcelain"], cwd=ROOT, encoding="utf-8"):
        raise SystemExit(f"a clone holds what is committed; commit this first, or remove it:\n{changed}")
    with tempfile.TemporaryDirectory() as name:
        clone, env, folder = (Path(name, part) for part in ("clone", "env", "work"))
        folder.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        venv.create(env, with_pip=True)
        variables = activated(env / ("Scripts" if sys.platform == "win32" else "bin"), Path(name, "cache"))
        for step in steps(ROOT / "README.md"):
            print(f"\nREADME.md:{step.line}: {step.title}", flush=True)
            follow(step, clone, folder, variables)


if __name__ == "__main__":
    main()
