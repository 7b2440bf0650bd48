"""What lies on the table: units, zones, the stack of effects, and the choices of the mover."""
