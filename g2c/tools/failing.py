"""Kinds of failed calls, and of the effects of a second one."""

from typing import Literal

FailureKind = Literal["refused", "busy", "lost", "broken"]
"""How a call failed: the service will not do it, and would say the same again; it is busy, and did
nothing; the connection ended before an answer came; it reported an error of its own."""

Effect = Literal["none", "same", "once"]
"""The changes that a call makes: none; the same, however often it is made; or more each time."""
