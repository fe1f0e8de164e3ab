"""Running a student's tests, and telling what came of it."""
