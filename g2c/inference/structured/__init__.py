"""An answer in a form: what is asked for, and what is read of it."""
