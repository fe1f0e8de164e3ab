"""`python -m maintain.crash` runs the command."""

import os
import sys

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from g2c.cli.main import errors_in_sentences
from g2c.extras import require

with errors_in_sentences():
    require("dev", "hypothesis")

from maintain.crash.command import main

sys.exit(main())
