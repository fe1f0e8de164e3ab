"""g2c: understand LLM agents by building one."""

from g2c.broken import install

install()  # before anything imports a student's file


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'g2c' has no attribute {name!r}")
    from g2c.version import version

    return version()
