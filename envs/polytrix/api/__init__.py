"""The faces of every game: PettingZoo, Gymnasium, Stable-Baselines3. They know no game."""
