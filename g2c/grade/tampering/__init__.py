"""Whether what a hand-in reports is what its tests gave."""
