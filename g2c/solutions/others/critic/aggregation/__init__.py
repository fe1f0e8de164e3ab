"""Other solutions of 21.3."""
