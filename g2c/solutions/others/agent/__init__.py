"""Other solutions of module 19."""
