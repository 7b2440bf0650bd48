"""What pyproject.toml cannot say: two folders beside the package, and the page on a package index.

The wheel takes in `checkpoints` and `training`. An editable installation has the clone instead, where
`polytrix.core.shipped` finds them.

An index shows README.md without the repository, where relative links and images would break. So they lead to
the files at the version's tag.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELATIVE = r"(?![a-z]+:|[/#])"


PACKAGE = "polytrix"
FILES = (
    "checkpoints/README.md",
    "checkpoints/*/card.md",
    "checkpoints/*/curve.png",
    "checkpoints/*/policy.npz",
    "checkpoints/*/result.json",
    "training/**/*.py",
    "training/settings/**/*.toml",
    "training/settings/**/*.yml",
)
LEFT_OUT = (
    "training/baselines_page.py",
    "training/benchmark.py",
    "training/benchmark_page.py",
    "training/benchmarking/",
    "training/leaderboard.py",
    "training/leaderboards/",
    "training/release.py",
    "training/released_exploiters.py",
)
"""Scripts that write files of the repository."""


class BuildWithFolders(build_py):
    """Copies the files into the package, beside those of pyproject.toml."""

    def added(self) -> dict[str, str]:
        """The files by their place in the build, none for an editable installation."""
        if self.editable_mode:
            return {}
        found = (path.as_posix() for pattern in FILES for path in sorted(Path().glob(pattern)))
        return {f"{self.build_lib}/{PACKAGE}/{name}": name for name in found if not name.startswith(LEFT_OUT)}

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


def with_absolute_links(text: str, repository: str, tag: str) -> str:
    """A Markdown text of the repository's root, for readers elsewhere."""
    text = re.sub(rf'src="{RELATIVE}', f'src="{repository}/raw/{tag}/', text)
    return re.sub(rf"\]\({RELATIVE}", f"]({repository}/blob/{tag}/", text)


README = (ROOT / "README.md").read_text(encoding="utf-8")

setup(
    cmdclass={"build_py": BuildWithFolders},
    long_description=with_absolute_links(README, PROJECT["urls"]["Repository"], f"v{PROJECT['version']}"),
    long_description_content_type="text/markdown",
)
