"""The code that the exercises of module 19 build on. Read it; you need not change it."""
