"""Other solutions of module 22."""
