"""References for module 19."""

import g2c.agent  # noqa: F401  (first, so that the modules below find it whole or under way)
