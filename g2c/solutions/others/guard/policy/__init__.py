"""Other solutions of 25.7."""
