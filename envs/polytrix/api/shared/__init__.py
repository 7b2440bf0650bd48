"""Code shared by the APIs."""
