"""How well a model does the course's work, and which of two does it better.

`suite` draws tasks whose answers can be checked, and `suite_file` reads them from a file. `attempt`
asks a model one task as the course would, and `verdicts` judges the answer. `sweep` asks several
models and keeps the outcomes; `report` shows them.
"""
