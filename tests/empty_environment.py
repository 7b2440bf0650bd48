"""A virtual environment that begins empty, to try the package as installed, quickly and without a network.

Dependencies come from the running environment, which lends those that the package asks for and nothing else:
neither extras nor the sources can be imported.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PACKAGE = "polytrix"


class EmptyEnvironment:
    """A virtual environment in a folder.

    Args:
        folder: the place, which must be empty or missing.
        cache: the folder of compiled programs; by default the user's.

    Attributes:
        python: its interpreter.
        variables: the variables of its processes: those of this one, with the environment activated.
    """

    def __init__(self, folder: Path, cache: Path | None = None) -> None:
        venv.create(folder, symlinks=os.name != "nt")
        programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = programs / "python"
        self.variables = activated(programs, cache)
        place = self.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
        self._packages = Path(place.strip())
        self._lent: set[tuple[str, str]] = set()

    def install(self, wheel: Path, *extras: str) -> None:
        """Install the wheel and what it and these extras of it need.

        Raises:
            PackageNotFoundError: the running environment has not got it.
        """
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--quiet", "--no-compile"]
        subprocess.run([*pip, "--no-deps", "--no-index", "--force-reinstall", str(wheel)], check=True)
        (installed,) = distributions(name=PACKAGE, path=[str(self._packages)])
        for extra in ("", *extras):
            self._lend_needs(installed, extra)

    def _lend_needs(self, one: Distribution, extra: str) -> None:
        for need in map(Requirement, one.requires or ()):
            if need.marker and not need.marker.evaluate({"extra": extra}):
                continue
            name = canonicalize_name(need.name)
            other = one if name == PACKAGE else distribution(name)  # polytrix[train] needs polytrix[sb3]
            for wanted in ("", *need.extras):
                if (name, wanted) not in self._lent:
                    self._lent.add((name, wanted))
                    if name != PACKAGE:
                        self._lend(other)
                    self._lend_needs(other, wanted)

    def _lend(self, one: Distribution) -> None:
        for top in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            source, target = Path(str(one.locate_file(top))), self._packages / top
            if target.exists():
                continue
            try:
                target.symlink_to(source)
            except OSError:  # Windows allows links only to some users
                (shutil.copytree if source.is_dir() else shutil.copy2)(source, target)

    def run(self, *arguments: str | Path, cwd: Path, typed: str = "") -> str:
        """The standard output of the interpreter with these arguments, which must succeed."""
        return run([str(self.python), *map(str, arguments)], cwd, self.variables, typed)


def activated(programs: Path, cache: Path | None) -> dict[str, str]:
    """The variables of this process with a virtual environment activated, which sees none of the sources.

    Args:
        programs: the environment's folder of programs.
        cache: the folder of compiled programs; by default the user's.
    """
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    kept["PATH"] = os.pathsep.join((str(programs), os.environ["PATH"]))
    kept["VIRTUAL_ENV"] = str(programs.parent)
    return kept if cache is None else kept | {"POLYTRIX_CACHE": str(cache)}


def run(command: list[str], cwd: Path, variables: Mapping[str, str], typed: str = "") -> str:
    """The standard output of a command, which must succeed."""
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, check=False, cwd=cwd, env=variables
    )
    assert done.returncode == 0, f"{' '.join(command)[:200]}\n{done.stdout}\n{done.stderr}"
    return done.stdout
