"""The swarm that your exercises make: a supervisor, its workers, and what each of them keeps."""
