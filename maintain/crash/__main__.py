"""`python -m maintain.crash` runs the command."""

import os
import sys

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from maintain.crash.command import main

sys.exit(main())
