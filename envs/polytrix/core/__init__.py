"""What every game stands on. Knows no game and no learning library."""
