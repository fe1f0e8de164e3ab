"""g2c: understand LLM agents by building one."""

from g2c.broken import install

__version__ = "0.1.0"

install()  # before anything imports a student's file
