"""The swarm that your exercises make: a supervisor, its workers, and their files."""
