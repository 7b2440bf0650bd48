"""Operations, the steps of powers and orders."""
