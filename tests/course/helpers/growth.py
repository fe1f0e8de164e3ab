"""How the time of a function grows with its text: asked as a ratio, so that any machine can say."""

import ctypes
import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # the options' numbers in malloc.h
MEASURABLE_S = 0.01
NOTHING_S = 0.005
TIMES = 16
MAX_RATIO = 40.0
"""A text 16 times as long may take 40 times as long. A linear function takes 16 times, which a busy
machine doubles, and a quadratic one 256 times."""


def growth(
    function: Callable[[T], object],
    make_text: Callable[[int], T],
    *,
    start: int = 1024,
    largest: int = 2**16,
) -> float:
    """How many times longer `function` takes for `TIMES` the text.

    The longer text's size begins at `start` and becomes four times as large until it takes
    `MEASURABLE_S` of processor time, so that a function that is not linear is caught while it is
    still quick. The answer is 0 if the `largest` takes less than `NOTHING_S`.
    """
    size = start
    while (slow := _best(function, make_text(size))) < MEASURABLE_S and size < largest:
        size *= 4
    if slow < NOTHING_S:
        return 0.0
    short, long = make_text(size // TIMES), make_text(size)
    ratio = 0.0
    for _ in range(12):  # another program may have disturbed a measurement
        ratio = _best(function, long) / max(_best(function, short), 1e-9)
        if ratio <= MAX_RATIO:
            break
    return ratio


def _best(function: Callable[[T], object], text: T) -> float:
    times = []
    gc.disable()
    try:
        with _memory_kept():
            for _ in range(3):
                begun = time.thread_time()
                function(text)
                times.append(time.thread_time() - begun)
                if times[-1] > 1:
                    break
    finally:
        gc.enable()
    return min(times)


@contextmanager
def _memory_kept() -> Iterator[None]:
    """Have glibc keep freed memory. It gives back blocks from 128 KiB on, and to fetch them again
    takes time: a step in the growth of a linear function."""
    libc = ctypes.CDLL(None) if os.name == "posix" else None
    mallopt = getattr(libc, "mallopt", lambda option, value: None)
    for option in (_TRIM_THRESHOLD, _MMAP_THRESHOLD):
        mallopt(option, 2**30)
    try:
        yield
    finally:
        for option in (_TRIM_THRESHOLD, _MMAP_THRESHOLD):
            mallopt(option, 2**17)
