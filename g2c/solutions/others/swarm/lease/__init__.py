"""Other solutions of 24.3."""
