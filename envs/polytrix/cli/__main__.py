"""`python -m polytrix.cli` is the command `polytrix`."""

from . import main

main()
