"""An undocumented function, left as it was found; exercise 19.5 makes a tool of it.

It returns how many people were at a place at a time. The data is invented, so no model can know it.
"""

from zlib import crc32

D = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def q(k: str, v: str) -> str:
    t, d = k.lower().split("/")
    return str(100 + crc32(f"{t} {D.index(d)} {v.lower()}".encode()) % 900)
