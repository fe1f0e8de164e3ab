"""24.6: tmp"""

from __future__ import annotations

from queue import Empty


def write_behind(waiting, write):
    while True:
        e = waiting.get()
        batch = []
        end = False
        while True:
            if e is None:
                end = True
                break
            batch.append(e)
            try:
                e = waiting.get_nowait()
            except Empty:
                break
        batch = [b for b in batch if b.written.set_running_or_notify_cancel()]
        if batch:
            try:
                write([b.line for b in batch])
            except Exception as x:
                for b in batch:
                    b.written.set_exception(x)
            else:
                for b in batch:
                    b.written.set_result(None)
        if end:
            return
