"""References for module 22."""

import g2c.loop  # noqa: F401  (first, so that the modules below find it whole or under way)
