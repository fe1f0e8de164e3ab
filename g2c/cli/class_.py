"""The commands about a class are below this one: g2c class."""

import typer

app = typer.Typer()
class_ = typer.Typer(no_args_is_help=True)
app.add_typer(class_, name="class")


@class_.callback()
def about_class() -> None:
    """Grade a class: its programs and written answers, the gradebook, and a page for each student.

    Example: g2c class grade submissions --module 19 --out grades
    """
