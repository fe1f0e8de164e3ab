"""The course in a browser's tab: how its page is built, and what Python does in it."""
