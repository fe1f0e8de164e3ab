"""`jsonschema`'s validator, without what makes it slow to load.

JupyterLab installs checks of formats. One of them builds a grammar of all addresses as it is
loaded, which takes a second, and the course checks no formats. Import this where something is
validated, and not at the top of a file: most programs never validate.
"""

import sys

_SLOW = "rfc3987_syntax"

# Python takes a module that is None for one that is not installed, and so does jsonschema.
_is_here = sys.modules.setdefault(_SLOW, None) is not None  # type: ignore[arg-type]
try:
    from jsonschema import Draft202012Validator, SchemaError, ValidationError
    from jsonschema.exceptions import best_match
finally:
    if not _is_here:
        del sys.modules[_SLOW]

__all__ = ["Draft202012Validator", "SchemaError", "ValidationError", "best_match"]
