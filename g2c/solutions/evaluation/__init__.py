"""References for module 23."""
