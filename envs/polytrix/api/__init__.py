"""The APIs of every game: PettingZoo, Gymnasium, Stable-Baselines3 and more. They know no game."""
