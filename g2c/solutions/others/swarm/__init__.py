"""Other solutions of module 24."""
