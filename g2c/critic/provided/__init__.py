"""The code that the exercises of module 21 build on. Read it; you need not change it."""
