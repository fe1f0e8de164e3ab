"""References for module 21."""

import g2c.critic  # noqa: F401  (first, so that the modules below find it whole or under way)
