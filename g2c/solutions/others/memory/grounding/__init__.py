"""Other solutions of 20.8."""
