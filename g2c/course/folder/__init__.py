"""A student's folder: created from a wheel, and updated to a newer course."""
