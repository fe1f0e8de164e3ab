"""The notebooks: a student's working copies, a notebook's status lines, written answers."""
