"""References for module 20."""

import g2c.memory  # noqa: F401  (first, so that the modules below find it whole or under way)
