"""RESISTOR_ for PettingZoo.

>>> from polytrix import resistor_v0
>>> env = resistor_v0.env(lock_down=True)
>>> env.reset(seed=7)
>>> env.agent_selection, len(env.legal_actions()) > 0
('player_1', True)
"""

from __future__ import annotations

from typing import Any

from polytrix.api.aec import AECGame


def env(**arguments: Any) -> AECGame:
    """RESISTOR_, where an illegal action loses the game. Arguments as for `AECGame`."""
    return AECGame("polytrix/resistor-v0", **{"illegal_action": "forfeit", **arguments})


def raw_env(**arguments: Any) -> AECGame:
    """RESISTOR_, where an illegal action is an error and changes nothing. Arguments as for `AECGame`."""
    return AECGame("polytrix/resistor-v0", **arguments)
