"""Commands for somebody who changes the course."""
