from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from polytrix.core.errors import MissingExtraError
from polytrix.drawing.window import Window

IMAGE = np.arange(30 * 40 * 3, dtype=np.uint32).astype(np.uint8).reshape(30, 40, 3)


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """pygame without a display."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    module = pytest.importorskip("pygame")
    yield module
    module.display.quit()


def shown(pygame) -> np.ndarray:
    """The content of the window."""
    return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)


def test_a_picture_is_shown_pixel_for_pixel(pygame) -> None:
    window = Window(title="a game", frames_per_second=0)
    window.show(IMAGE)
    assert (shown(pygame) == IMAGE).all()
    assert pygame.display.get_caption()[0] == "a game"
    window.show(255 - IMAGE)
    assert (shown(pygame) == 255 - IMAGE).all()


def test_a_closed_window_stays_closed(pygame) -> None:
    window = Window(frames_per_second=0)
    window.show(IMAGE)
    window.close()
    window.close()
    window.show(IMAGE)
    assert window.closed
    assert pygame.display.get_surface() is None


def test_the_user_can_close_it(pygame) -> None:
    window = Window(frames_per_second=0)
    window.show(IMAGE)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(IMAGE)
    assert window.closed


def test_events_do_not_pile_up(pygame) -> None:
    window = Window(frames_per_second=0)
    window.show(IMAGE)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
    window.show(IMAGE)
    assert not window.closed
    assert pygame.event.get(pygame.KEYDOWN) == []


def test_no_screen_is_said_clearly(pygame, monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no_such_driver")
    with pytest.raises(RuntimeError, match="rgb_array"):
        Window().show(IMAGE)


def test_without_pygame_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)  # import raises ImportError
    with pytest.raises(MissingExtraError, match=r"polytrix\[human\]"):
        Window()
