"""The families of the evaluation, from one step to many, and then the course's other protocols."""
