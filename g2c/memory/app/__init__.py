"""A memory, made of your functions from module 20."""
