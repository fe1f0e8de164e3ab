"""A loop that runs, evolves and heals, made of your functions from module 22."""
