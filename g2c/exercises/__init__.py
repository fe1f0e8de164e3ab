"""The exercises: a folder each, whose name is the id and the function, such as `e22_2_next_status`.

    exercise.toml    title, page, tests, minutes, hints
    stub.py          the student's file as it is shipped: `g2c reset`
    solution.py      the reference; try the exercise yourself first
    alternatives/    other good solutions, where there are any: `g2c solution`
    naive.py         the function as one might write it first: `g2c break`
    goal.py          the score that judges the exercise, where one does: `g2c score`
    picture.py       draws the picture of its page
    wrong.py         wrong answers that its tests catch; in a checkout only

The student's own file is in the package of its module, such as `g2c/loop`.
"""
