"""The whole `g2c` command. The import loads the files of all subcommands."""

from g2c.cli.commands import app_for

app = app_for()
