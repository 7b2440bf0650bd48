"""How `language_model.py` learns."""
