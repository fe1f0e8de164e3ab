"""How well a model does the course's work: suites of tasks whose answers can be checked.

None of it is an exercise; `g2c eval` runs it. `suite` draws the tasks and `suite_file` reads them
from a file; `asking` asks a model one, as the course would; `judging` says what was solved; `sweep`
asks several models and keeps the outcomes; `report` says what they come to.
"""
