"""The board: units, zones, the stack of effects, the choices of the mover, and lasting effects of cards."""
