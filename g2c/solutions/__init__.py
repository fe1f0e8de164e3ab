"""The reference bodies of the exercises. Nothing imports them but `g2c.exercise`.

If you take the course: your own attempt first. `pytest --reference=19.1` uses one of these in
place of yours without your having to read it.
"""
