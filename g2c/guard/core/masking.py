"""The endings of names of secrets, and the beginnings of well-known services' keys."""

NAMES = ("password", "passwd", "secret", "token", "api key", "api_key", "api-key", "apikey")

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
