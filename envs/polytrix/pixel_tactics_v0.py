"""Pixel Tactics for PettingZoo.

>>> from polytrix import pixel_tactics_v0
>>> env = pixel_tactics_v0.env()
>>> env.reset(seed=7)
>>> env.agent_selection, len(env.legal_actions()) > 0
('player_0', True)
"""

from polytrix.registration import pettingzoo_module

env, raw_env = pettingzoo_module(__name__)
