"""g2c: understand LLM agents by building one."""

__version__ = "0.1.0"
