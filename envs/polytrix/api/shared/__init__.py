"""What the APIs share."""
