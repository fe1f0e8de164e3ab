"""Other solutions of 20.7."""
