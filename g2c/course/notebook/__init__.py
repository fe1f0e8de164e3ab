"""The notebooks: a student's working copies, what a notebook says about itself, written answers."""
