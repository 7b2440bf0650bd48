"""Progress bars. Where standard error is no terminal, a line every minute takes the place of a bar."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tqdm import tqdm


class Bar(tqdm):  # type: ignore[misc]  # tqdm has no types
    """A bar of tqdm; the arguments are the same."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._lines = not sys.stderr.isatty()
        super().__init__(*args, **({"mininterval": 60.0} if self._lines else {}), **kwargs)

    @staticmethod
    def status_printer(file: Any) -> Callable[[str], None]:
        """What writes the state of the bar."""
        if file.isatty():
            written: Callable[[str], None] = tqdm.status_printer(file)
            return written
        return lambda state: print(state.strip(), file=file, flush=True) if state.strip() else None

    def moveto(self, n: int) -> None:
        if not self._lines:
            super().moveto(n)

    def upto(self, done: float) -> None:
        """Show that so much of the total is done."""
        self.update(done - self.n)


def share_bar(done: float, label: str) -> Bar:
    """A bar of the share of a budget that is used, with time and what `set_postfix_str` says."""
    form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed} < {remaining} {postfix}"
    return Bar(total=1.0, initial=done, bar_format=form, desc=label)
