"""The code that the exercises of module 20 build on. Read it; you need not change it."""
