"""Small mistakes in a reference, and whether its tests notice them."""
