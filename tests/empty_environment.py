"""A virtual environment that begins empty, to try the package as installed, quickly and without a network."""

from __future__ import annotations

import os
import shutil
import sys
import venv
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

from tests.commands import run


def empty_environment(folder: Path, wheel: Path) -> Path:
    """Make an environment with a wheel and what it needs, which the running environment lends; its interpreter.

    Nothing else can be imported, neither extras nor the sources.

    Raises:
        PackageNotFoundError: the running environment has not got it.
    """
    venv.create(folder, symlinks=os.name != "nt")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    place = run(python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
    run(*pip, "--no-deps", "--no-index", wheel)
    (installed,) = distributions(path=[place.strip()])
    lend_needs(installed, Path(place.strip()))
    return python


def lend_needs(one: Distribution, packages: Path) -> None:
    """Link what a distribution needs into a folder of packages, and what that needs."""
    for need in map(Requirement, one.requires or ()):
        if need.marker is None or need.marker.evaluate({"extra": ""}):
            other = distribution(need.name)
            tops = {file.parts[0] for file in other.files or ()} - {"..", "__pycache__"}
            new = [top for top in sorted(tops) if not (packages / top).exists()]
            for top in new:
                link(Path(str(other.locate_file(top))), packages / top)
            if new:
                lend_needs(other, packages)


def link(source: Path, target: Path) -> None:
    """Make a link, or a copy: Windows allows links only to some users."""
    try:
        target.symlink_to(source)
    except OSError:
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, target)
