"""Training scripts, and what they share. In a clone, `python training/fast_ppo.py` runs one."""
