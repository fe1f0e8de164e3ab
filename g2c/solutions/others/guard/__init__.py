"""Other solutions of module 25."""
