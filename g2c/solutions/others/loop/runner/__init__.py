"""Other solutions of 22.3."""
