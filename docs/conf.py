"""How Sphinx builds the site: `make docs`, or `sphinx-build -W --keep-going docs build/docs`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "envs")]

import polytrix  # noqa: E402

project = "polytrix"
author = "the authors of polytrix"
copyright = f"{author}; MIT licence"
version = release = polytrix.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "polytrix_site",
]
exclude_patterns = ["images/README.md"]

html_theme = "furo"
html_title = "polytrix"
html_static_path = ["_static"]
html_css_files = ["site.css"]
highlight_language = "none"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

viewcode_follow_imported_members = False  # each is shown where it stands
maximum_signature_line_length = 88
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_use_type_comments = False  # there are none, and looking for them fails in Python 3.13's collections.abc
autodoc_default_options = {"members": True, "show-inheritance": True}
default_role = "py:obj"  # names in docstrings lead to what they name, where that is documented

autodoc_mock_imports = [
    "benchmarl",
    "httpx",
    "jax",
    "minari",
    "openenv",
    "ray",
    "tensordict",
    "textarena",
    "tianshou",
    "torchrl",
    "transformers",
    "verifiers",
]  # not in the extra `dev`
if sys.version_info < (3, 11):
    autodoc_mock_imports += ["pyspiel"]

suppress_warnings = [
    "ref.python",  # a name between backquotes that several things have
]
