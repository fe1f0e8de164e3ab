"""Other solutions of 23.3."""
