"""Other solutions of 19.3."""
