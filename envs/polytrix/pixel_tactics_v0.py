"""Pixel Tactics for PettingZoo.

>>> from polytrix import pixel_tactics_v0
>>> env = pixel_tactics_v0.env()
>>> env.reset(seed=7)
>>> env.agent_selection, len(env.legal_actions()) > 0
('player_0', True)
"""

from __future__ import annotations

from typing import Any

from polytrix.api.aec import AECGame


def env(**arguments: Any) -> AECGame:
    """Pixel Tactics, where an illegal action loses the game. Arguments as for `AECGame`."""
    return AECGame("polytrix/pixel_tactics-v0", **{"illegal_action": "forfeit", **arguments})


def raw_env(**arguments: Any) -> AECGame:
    """Pixel Tactics, where an illegal action is an error and changes nothing. Arguments as for `AECGame`."""
    return AECGame("polytrix/pixel_tactics-v0", **arguments)
