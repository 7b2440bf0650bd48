"""Groups of named integers, for rules.

    class Phase(Constants):
        BID, PLACE, ROLL = range(3)

    s.phase = Phase.PLACE

Members are plain integers, in compiled rules as well as in plain Python. Those of an `IntEnum` are not:
NumPy takes a hundred times longer (6 microseconds) to compare one with a field of a record, and Numba
lacks `int`, `max` and `min` for them.
"""

from __future__ import annotations

from collections.abc import Iterator


class ConstantsType(type):
    """The type of `Constants` and its subclasses."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, object]) -> ConstantsType:
        for key, value in members.items():
            if not key.startswith("_") and type(value) is not int:
                raise TypeError(
                    f"{name}.{key} is {value!r}, of type {type(value).__name__}; allowed: integers of type int"
                )
        return super().__new__(cls, name, bases, members)

    def __setattr__(cls, name: str, value: object) -> None:
        raise AttributeError(f"{cls.__name__}.{name}: constants cannot be reassigned")

    def __iter__(cls) -> Iterator[int]:
        """The values, in definition order."""
        return iter(cls.members().values())

    def __len__(cls) -> int:
        return len(cls.members())

    def members(cls) -> dict[str, int]:
        """Values by name, in definition order."""
        return {name: value for name, value in vars(cls).items() if not name.startswith("_")}

    def names(cls) -> tuple[str, ...]:
        """The names, in definition order."""
        return tuple(cls.members())

    def written(cls) -> tuple[str, ...]:
        """The names as users write those of policies: `NEVER_POPS` is "never-pops"."""
        return tuple(name.lower().replace("_", "-") for name in cls.names())

    def name_of(cls, value: int) -> str:
        """The name of the first member with this value.

        Raises:
            KeyError: no member has it.
        """
        for name, member in cls.members().items():
            if member == value:
                return name
        raise KeyError(f"{cls.__name__} has no member with value {value}; it has {cls.members()}")


class Constants(metaclass=ConstantsType):
    """Base class of a group of named integers.

    >>> class Colour(Constants):
    ...     RED, BLUE = range(2)
    >>> Colour.BLUE, Colour.names(), Colour.name_of(0), list(Colour)
    (1, ('RED', 'BLUE'), 'RED', [0, 1])
    """
