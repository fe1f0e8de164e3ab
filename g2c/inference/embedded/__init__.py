"""A model in this process: its weights, its engine, what it keeps."""
