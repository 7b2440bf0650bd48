"""`python -m tests.release.readme`: every block of README.md as printed, in its order, within the time it says.

Commands run in a new clone of what is committed here, Python in an empty folder, all in a virtual environment
that begins empty, with an empty cache of compiled programs. It takes as long as the page says, and needs a
network.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path

from tests.empty_environment import activated
from tests.pages import ROOT
from tests.reader import SLOWER, Step, seconds_of, steps

REPORT = ROOT / "build" / "release" / "readme.json"


def follow(step: Step, clone: Path, folder: Path, variables: Mapping[str, str]) -> None:
    """Do what a step says; subprocess.CalledProcessError if it fails."""
    if step.kind == "python":
        (folder / "block.py").write_text(step.content, encoding="utf-8")
        command, place = ["python", "block.py"], folder
    else:
        command, place = ["bash", "-c", step.content], clone
    subprocess.run(command, cwd=place, env=variables, stdin=subprocess.DEVNULL, check=True)


def main() -> None:
    """Follow the page to its end, or to the first step that fails."""
    if changed := subprocess.check_output(["git", "status", "--porcelain"], cwd=ROOT, encoding="utf-8"):
        raise SystemExit(f"a clone holds what is committed; commit this first, or remove it:\n{changed}")
    results = []
    with tempfile.TemporaryDirectory() as name:
        clone, env, folder = (Path(name, part) for part in ("clone", "env", "work"))
        folder.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        venv.create(env, with_pip=True)
        variables = activated(env / ("Scripts" if sys.platform == "win32" else "bin"), Path(name, "cache"))
        for step in steps(ROOT / "README.md"):
            print(f"\nREADME.md:{step.line}: {step.title}, {step.said:.0f} s", flush=True)
            result = {"step": f"{step.line}: {step.title}", "said": step.said, "took": 0.0, "result": "failed"}
            results.append(result)
            try:
                took = seconds_of(lambda step=step: follow(step, clone, folder, variables))  # type: ignore[misc]
                result |= {"took": took, "result": "ok" if took <= SLOWER * step.said else "too slow"}
            except subprocess.CalledProcessError as error:
                print(error)
            REPORT.parent.mkdir(parents=True, exist_ok=True)
            REPORT.write_text(json.dumps(results), encoding="utf-8")
            print(f"{result['result']}: {result['took']:.0f} s", flush=True)
            if result["result"] != "ok":
                raise SystemExit(1)


if __name__ == "__main__":
    main()
