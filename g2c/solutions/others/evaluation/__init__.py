"""Other solutions of module 23."""
