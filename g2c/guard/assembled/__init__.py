"""What the exercises of module 25 become: the guard between a model and its tools."""
