"""Running a student's tests, and reporting the results."""
