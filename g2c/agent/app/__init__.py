"""An agent, made of your functions from module 19."""
