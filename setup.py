"""Adds two folders of the repository to the wheel, `checkpoints` and `training`; the rest is in pyproject.toml.

An editable installation has the clone, and `polytrix.core.shipped` finds the folders there.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PACKAGE = "polytrix"
FILES = (
    "checkpoints/README.md",
    "checkpoints/*/card.md",
    "checkpoints/*/curve.png",
    "checkpoints/*/policy.npz",
    "checkpoints/*/result.json",
    "training/*.py",
    "training/settings/**/*.toml",
)
LEFT_OUT = ("training/arena.py", "training/leaderboard.py", "training/leaderboard_page.py", "training/ppo.py")
"""The same as `polytrix arena`, two that write pages of the repository, and an old name."""


class BuildWithFolders(build_py):
    """Copies the files into the package, beside those of pyproject.toml."""

    def added(self) -> dict[str, str]:
        """The files by their place in the build, none for an editable installation."""
        if self.editable_mode:
            return {}
        found = (path.as_posix() for pattern in FILES for path in sorted(Path().glob(pattern)))
        return {f"{self.build_lib}/{PACKAGE}/{name}": name for name in found if name not in LEFT_OUT}

    def run(self) -> None:
        super().run()
        for target, source in self.added().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target, preserve_mode=False)

    def get_source_files(self) -> list[str]:
        return [*super().get_source_files(), *self.added().values()]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *self.added()]

    def get_output_mapping(self) -> dict[str, str]:
        return {**super().get_output_mapping(), **self.added()}


setup(cmdclass={"build_py": BuildWithFolders})
