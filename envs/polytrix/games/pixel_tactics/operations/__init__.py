"""The operations of powers and orders."""
