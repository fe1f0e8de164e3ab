"""What a maintainer runs. Nothing of it is in the wheel or in a student's folder."""
