"""RESISTOR_ for PettingZoo.

>>> from polytrix import resistor_v0
>>> env = resistor_v0.env(lock_down=True)
>>> env.reset(seed=7)
>>> env.agent_selection, len(env.legal_actions()) > 0
('player_1', True)
"""

from polytrix.registration import pettingzoo_module

env, raw_env = pettingzoo_module(__name__)
