"""From plain Python rules to compiled programs."""
