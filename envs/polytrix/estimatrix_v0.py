"""Estimatrix Spectrum for PettingZoo.

>>> from polytrix import estimatrix_v0
>>> env = estimatrix_v0.env(players=4)
>>> env.reset(seed=7)
>>> len(env.possible_agents), len(env.legal_actions())
(4, 7)
"""

from polytrix.registration import pettingzoo_module

env, raw_env = pettingzoo_module(__name__)
