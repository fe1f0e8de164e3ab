"""Other solutions of 22.8."""
