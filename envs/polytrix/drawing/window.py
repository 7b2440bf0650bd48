"""A window for pictures, with pygame (extra `human`)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.errors import MissingExtraError


class Window:
    """A window for `render_mode="human"`, which opens with the first picture.

    A process has one window; several `Window` objects share it.

    Args:
        title: title of the window.
        frames_per_second: maximum frame rate, for which `show` waits; 0: no limit.

    Raises:
        MissingExtraError: pygame is not installed.
    """

    def __init__(self, title: str = "polytrix", frames_per_second: float = 4) -> None:
        self._pygame = _pygame()
        self._clock = self._pygame.time.Clock()
        self.title = title
        self.frames_per_second = frames_per_second
        self.closed = False
        """Whether the window was closed, by `close` or by the user; then `show` does nothing."""

    def show(self, rgb: npt.NDArray[np.uint8]) -> None:
        """Show a picture, and handle events of the window.

        Args:
            rgb: (height, width, 3) uint8, as returned by `Picture.rgb`.

        Raises:
            RuntimeError: there is no display.
        """
        if self.closed:
            return
        screen = self._screen((rgb.shape[1], rgb.shape[0]))
        self._pygame.surfarray.blit_array(screen, rgb.swapaxes(0, 1))
        self._pygame.display.flip()
        if self.frames_per_second:
            self._clock.tick(self.frames_per_second)
        if self._pygame.event.get(self._pygame.QUIT):
            self.close()
        else:
            self._pygame.event.clear()  # keyboard and mouse are ignored

    def _screen(self, size: tuple[int, int]) -> Any:
        """The window's surface, opened or resized as needed."""
        display = self._pygame.display
        screen = display.get_surface()
        if screen is not None and screen.get_size() == size:
            return screen
        try:
            display.init()
            screen = display.set_mode(size)
        except self._pygame.error as error:
            raise RuntimeError(
                f"cannot open a window ({error}); use render_mode='rgb_array' instead"
            ) from error
        display.set_caption(self.title)
        return screen

    def close(self) -> None:
        """Close the window. Closing it again does nothing."""
        if not self.closed:
            self.closed = True
            self._pygame.display.quit()


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise MissingExtraError("a window", "human") from None
    return pygame
