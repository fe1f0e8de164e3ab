"""References for module 20."""
