"""Other solutions of 20.3."""
