"""Other solutions for module 20."""
