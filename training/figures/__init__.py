"""What `write_figures.py` puts on pages, made from receipts."""
