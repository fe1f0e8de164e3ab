"""How well a model does the course's work: a fixed suite of tasks whose answers can be checked.

None of it is an exercise; `g2c eval` runs it. `suite` has the tasks, `running` asks a model,
`judging` says what was solved, `report` what that comes to.
"""
