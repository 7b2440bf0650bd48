"""What a table is made of: a game, its options, and who sits where."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any

from polytrix.core.options import Value

YOU, PERSON, AGENT = "you", "person", "agent"
"""Who plays a seat: the person that set up the table, another one by link, or an agent."""

TOKEN_BYTES = 16


def new_token() -> str:
    """A secret of 128 bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def short_name(agent: str) -> str:
    """What an agent is called before everybody: paths of the server are no business of theirs.

    >>> short_name("search:200"), short_name("runs/today/policy.npz"), short_name("search:9,network=runs/x")
    ('search:200', 'policy.npz', 'search:9,network=x')
    """
    settings, sign, path = agent.rpartition("=")
    return f"{settings}{sign}{PurePath(path).name}" if "/" in path or "\\" in path else agent


@dataclass(frozen=True)
class Chair:
    """Who plays a seat.

    Args:
        kind: YOU, PERSON or AGENT.
        agent: what the agent is called, see `polytrix.agents.resolve`; "" for people.
        token: the secret of the person's link; "" for agents.
    """

    kind: str
    agent: str = ""
    token: str = ""

    @property
    def player(self) -> str:
        """Who it is, for everybody."""
        return short_name(self.agent) if self.kind == AGENT else "person"


@dataclass(frozen=True)
class Settings:
    """What does not change while a table exists.

    Args:
        game: the environment id.
        options: the values of all options.
        data: the contents of the replaced data files, by name.
        chairs: who plays each seat.
        watch: the secret of the link for spectators.
        pace: seconds before each decision of an agent.
        guided: whether the first game is the guided one, see `polytrix.play.lessons`.
    """

    game: str
    options: Mapping[str, Value]
    chairs: tuple[Chair, ...]
    watch: str
    data: Mapping[str, Any] = field(default_factory=dict)
    pace: float = 0.0
    guided: bool = False

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return any(chair.kind != AGENT for chair in self.chairs)

    def to_text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_text(text: str) -> Settings:
        """What `to_text` wrote."""
        content = json.loads(text)
        chairs = tuple(Chair(**chair) for chair in content.pop("chairs"))
        return Settings(chairs=chairs, **content)
