"""Saved networks that the lobby is sent, for the seats of tables."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath

from polytrix.agents.saved import load
from polytrix.core.errors import PolicyError
from polytrix.core.files import make_private, whole_file
from polytrix.core.game import Game

from .limits import MOST_NETWORKS

FOLDER = "networks"
"""Beside the games; each network lies in a folder that is named after its content."""


def keep(folder: Path, game: Game, name: str, content: bytes) -> Path:
    """Check a network from anyone, and keep it; the same content is kept once.

    Args:
        folder: where the games are kept.
        game: the game that the network must play.
        name: what its file was called.
        content: the file.

    Returns:
        The file, whose path names the agent.

    Raises:
        PolicyError: it is no saved network, plays another game, or there are too many.
    """
    networks = folder / FOLDER
    make_private(networks)
    kept = networks / hashlib.sha256(content).hexdigest()[:16]
    if there := list(kept.glob("*.npz")):
        check(there[0], game)
        return there[0]
    if len(list(networks.iterdir())) >= MOST_NETWORKS:
        raise PolicyError(
            f"There are {MOST_NETWORKS} networks in {networks}. Delete some that you do not need."
        )
    make_private(kept)
    file = kept / safe_name(name)
    with whole_file(file) as written:
        written.write(content)
    try:
        check(file, game)
    except PolicyError:
        file.unlink()
        kept.rmdir()
        raise
    return file


def check(file: Path, game: Game) -> None:
    """Raise PolicyError if a file holds no network of the game; the error names it without its folder."""
    try:
        load(file, game)
    except PolicyError as error:
        raise PolicyError(str(error).replace(str(file), file.name)) from None


def safe_name(name: str) -> str:
    """A name for a file, from a name that somebody else has chosen.

    >>> safe_name("my best.npz"), safe_name("../../.ssh/keys"), safe_name("C:\\\\runs\\\\policy.npz")
    ('my_best.npz', 'keys.npz', 'policy.npz')
    """
    stem = PurePosixPath(name.replace("\\", "/")).name.removesuffix(".npz")
    return f"{re.sub(r'[^A-Za-z0-9_-]', '_', stem)[:40] or 'network'}.npz"
