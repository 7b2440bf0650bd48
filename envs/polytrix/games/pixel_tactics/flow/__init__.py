"""The course of play: matches, waves, turns, attacks, damage and defeats."""
