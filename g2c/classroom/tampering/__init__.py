"""Whether a hand-in's reported results are its tests' real ones."""
