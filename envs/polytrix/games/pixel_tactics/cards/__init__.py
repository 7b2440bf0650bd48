"""The vocabulary of the cards, and the twenty-five cards as tables."""
