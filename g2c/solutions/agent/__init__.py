"""References for module 19."""
