"""What the exercises of module 21 stand on. Read it; you need not change it.

Nothing here imports an exercise, or `app`, which stands on them.
"""
