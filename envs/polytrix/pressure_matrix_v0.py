"""Pressure Matrix for PettingZoo.

>>> from polytrix import pressure_matrix_v0
>>> env = pressure_matrix_v0.env(players=2)
>>> env.reset(seed=7)
>>> env.agent_selection, len(env.legal_actions()) > 0
('player_0', True)
"""

from polytrix.registration import pettingzoo_module

env, raw_env = pettingzoo_module(__name__)
