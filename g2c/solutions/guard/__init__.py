"""References for module 25."""
