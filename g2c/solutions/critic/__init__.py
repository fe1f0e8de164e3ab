"""References for module 21."""
