"""How well a model does the work of this course: families of tasks that are drawn from a seed, the
agent that does them, and what is counted: `g2c eval`."""
