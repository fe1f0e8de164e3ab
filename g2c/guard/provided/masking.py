"""What keys of well-known services begin with."""

from __future__ import annotations

BEGINNINGS = (
    "sk-",
    "sk_live_",
    "pk-",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "hf_",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
)
