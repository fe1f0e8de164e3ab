"""Other solutions of 25.3."""
