"""A student's folder: laid out from a wheel, and brought up to a newer course."""
