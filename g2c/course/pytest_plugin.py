"""What the course adds to pytest."""
