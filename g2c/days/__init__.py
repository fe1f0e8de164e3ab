"""Small days of an agent's life, with faults: what each module of the course is worth."""
