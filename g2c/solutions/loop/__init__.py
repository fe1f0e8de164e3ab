"""References for module 22."""
