"""g2c: understand LLM agents by building one."""

from g2c import broken, moved

broken.install()  # before anything imports a student's file
moved.install()


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'g2c' has no attribute {name!r}")
    from g2c.version import version

    return version()
