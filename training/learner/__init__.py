"""How `fast_ppo.py` learns: who plays, what becomes a sample, the network and its updates."""
