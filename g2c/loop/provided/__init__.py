"""The code that the exercises of module 22 build on. Read it; you need not change it."""
