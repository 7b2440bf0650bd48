"""The command `polytrix`."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from polytrix.core.errors import MissingExtraError
from polytrix.core.terminal import open_closed_streams


def main() -> None:
    """Run the command line. Without the extra `cli`, print an error and exit with code 2."""
    open_closed_streams()
    if any(find_spec(name) is None for name in ("typer", "rich", "prompt_toolkit")):
        print(f"error: {MissingExtraError('the command line', 'cli')}", file=sys.stderr)
        sys.exit(2)
    from .app import app

    app(prog_name="polytrix")
