"""How well a model does the course's work, and which of two does it better.

`suite` draws tasks whose answers can be checked, and `suite_file` reads them from a file; `attempt`
asks a model one, as the course would; `verdicts` says what was solved; `sweep` asks several models
and keeps the outcomes; `report` says what they come to.
"""
