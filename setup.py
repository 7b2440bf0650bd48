"""What pyproject.toml cannot say: the page on a package index.

An index shows README.md without the repository, where relative links and images would break. So they lead to
the files at the version's tag.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from setuptools import setup

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELATIVE = r"(?![a-z]+:|[/#])"


def with_absolute_links(text: str, repository: str, tag: str) -> str:
    """A Markdown text of the repository's root, for readers elsewhere."""
    text = re.sub(rf'src="{RELATIVE}', f'src="{repository}/raw/{tag}/', text)
    return re.sub(rf"\]\({RELATIVE}", f"]({repository}/blob/{tag}/", text)


README = (ROOT / "README.md").read_text(encoding="utf-8")

setup(
    long_description=with_absolute_links(README, PROJECT["urls"]["Repository"], f"v{PROJECT['version']}"),
    long_description_content_type="text/markdown",
)
