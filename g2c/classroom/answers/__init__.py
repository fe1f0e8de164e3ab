"""Written answers, marked by people: one question at a time, without names, beside the rubric."""
