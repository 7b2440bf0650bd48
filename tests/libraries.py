"""The learning libraries that polytrix connects to: the one list that tests read.

`tests/test_libraries.py` names the files that a new library needs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """A learning library.

    Attributes:
        extra: the extra that installs it; also the name of its page, and of its files in `tests/integrations`.
        package: the package that is imported.
        modules: modules and packages in `polytrix.api` that need it.
        own_environment: whether its tests need a virtual environment of their own.
    """

    extra: str
    package: str
    modules: tuple[str, ...] = ()
    own_environment: bool = True


LIBRARIES = (
    Library("sb3", "sb3_contrib", ("sb3",), own_environment=False),
    Library("openspiel", "pyspiel", ("openspiel",), own_environment=False),
    Library("rllib", "ray", ("rllib",)),
    Library("tianshou", "tianshou", ("tianshou",)),
    Library("torchrl", "torchrl"),
    Library("benchmarl", "benchmarl"),
    Library("agilerl", "agilerl"),
    Library("supersuit", "supersuit"),
)
