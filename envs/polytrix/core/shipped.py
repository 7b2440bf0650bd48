"""Folders that come with the package but lie beside its sources in a clone: networks, training scripts."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def shipped_folder(name: str) -> Path | None:
    """The folder of this name: in the installed package, or else in the clone that the package is in.

    Args:
        name: for example `checkpoints`.

    Returns:
        Its path, or None if it is in neither place.

    >>> shipped_folder("checkpoints").name
    'checkpoints'
    """
    clone = PACKAGE.parents[1]
    places = [PACKAGE / name]
    if (clone / "pyproject.toml").is_file():
        places.append(clone / name)
    return next((place for place in places if place.is_dir()), None)
