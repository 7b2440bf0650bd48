"""`python -m tests.fuzz`: see `campaign.py`."""

from .campaign import main

if __name__ == "__main__":
    main()
