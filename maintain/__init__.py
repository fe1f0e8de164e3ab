"""Programs for maintainers. None of them is in the wheel or in a student's folder."""
