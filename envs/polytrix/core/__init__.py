"""The core that every game builds on. It knows no game and no learning library."""
