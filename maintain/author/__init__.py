"""What somebody who changes the course runs."""
