"""APIs for every game: PettingZoo, Gymnasium, Stable-Baselines3 and more. Nothing here is game-specific."""
