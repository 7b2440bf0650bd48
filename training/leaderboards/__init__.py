"""The leaderboard's page: `leaderboard.py`."""
