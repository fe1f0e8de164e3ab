"""A model in this process: its weights, its engine, and its prompt cache."""
