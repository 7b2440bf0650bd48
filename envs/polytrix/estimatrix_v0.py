"""Estimatrix Spectrum for PettingZoo.

>>> from polytrix import estimatrix_v0
>>> env = estimatrix_v0.env(players=4)
>>> env.reset(seed=7)
>>> len(env.possible_agents), len(env.legal_actions())
(4, 7)
"""

from __future__ import annotations

from typing import Any

from polytrix.api.aec import AECGame


def env(**arguments: Any) -> AECGame:
    """Estimatrix Spectrum, where an illegal action loses the game. Arguments as for `AECGame`."""
    return AECGame("polytrix/estimatrix-v0", **{"illegal_action": "forfeit", **arguments})


def raw_env(**arguments: Any) -> AECGame:
    """Estimatrix Spectrum, where an illegal action is an error. Arguments as for `AECGame`."""
    return AECGame("polytrix/estimatrix-v0", **arguments)
