"""The guard between a model and its tools, made of your functions from module 25."""
