"""Compiles plain Python rules."""
