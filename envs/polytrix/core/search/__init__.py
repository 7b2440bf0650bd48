"""The search in the language of rules: the tree, playouts, networks at its leaves, and lessons from it."""
