"""`python -m attacks` runs the command."""

import os
import sys

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from attacks.command import main

sys.exit(main())
