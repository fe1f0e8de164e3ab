"""References for module 24."""
