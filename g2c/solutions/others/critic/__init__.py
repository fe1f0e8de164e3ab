"""Other solutions for module 21."""
