"""Critics and reviews, made of your functions from module 21."""
