"""Rendering for all APIs: `render_mode` selects text, an array of pixels, or a window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from polytrix.core.errors import OptionError
from polytrix.core.game import Game
from polytrix.core.loaded import refusing
from polytrix.core.state import Record

if TYPE_CHECKING:
    from polytrix.drawing.window import Window

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 4


class Renderer:
    """Renders positions of a game in one mode.

    Args:
        game: the game.
        mode: one of `modes`, or None for no rendering.
        modes: what the API can render.

    Raises:
        OptionError: any other mode.
        MissingExtraError: mode "human" without the extra `human`.
    """

    def __init__(self, game: Game, mode: str | None, modes: Sequence[str] = RENDER_MODES) -> None:
        if mode is not None and mode not in modes:
            raise OptionError(f"render_mode is {mode!r}; allowed: None, {', '.join(map(repr, modes))}")
        self.game = game
        self.mode = mode
        self._modes = modes
        self._window = self._new_window() if mode == "human" else None

    def render(self, s: Record, seat: int | None) -> str | npt.NDArray[np.uint8] | None:
        """Render the position from a seat's point of view, or with all information if `seat` is None.

        Returns:
            Text for "ansi", a uint8 array (height, width, 3) for "rgb_array", None for "human" (the
            position appears in the window). Mode None warns and returns None.
        """
        if self.mode == "ansi":
            with refusing(s):
                return self.game.text(s, seat)
        if self.mode == "rgb_array":
            return pixels(self.game, s, seat)
        if self.mode is None:
            from gymnasium import logger

            logger.warn(
                "render() does nothing without a render mode; make the environment with "
                f"render_mode= one of {', '.join(map(repr, self._modes))}"
            )
            return None
        self._window = self._window or self._new_window()
        self._window.show(pixels(self.game, s, seat))
        return None

    def refresh(self, s: Record, seat: int | None) -> None:
        """Show the position in mode "human"; otherwise do nothing."""
        if self.mode == "human":
            self.render(s, seat)

    def close(self) -> None:
        """Close the window; rendering again opens a new one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _new_window(self) -> Window:
        from polytrix.drawing.window import Window

        return Window(self.game.title, RENDER_FPS)

    def __getstate__(self) -> dict[str, Any]:
        """Everything except the window; a copy opens its own."""
        return self.__dict__ | {"_window": None}


def pixels(game: Game, s: Record, seat: int | None) -> npt.NDArray[np.uint8]:
    """The drawing of a position as pixels (height, width, 3)."""
    with refusing(s):
        found: npt.NDArray[np.uint8] = game.draw(s, seat).rgb()
        return found


def metadata(game: Game) -> dict[str, Any]:
    """The metadata that Gymnasium and PettingZoo require of every environment, as a new dict."""
    return {
        "name": f"{game.name}_v{game.version}",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }
