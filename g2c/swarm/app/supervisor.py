"""The supervisor of a swarm: it runs your `read_all`, and turns each errand into work for others.

It keeps nothing only in memory. An errand's name follows from its content, and the workers' results
are on the disk. So a supervisor that restarts asks the same again, and finds the results.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from g2c.swarm.app.folder import Found, Posted, SwarmFiles, name_of
from g2c.swarm.core.reading import CONTEXT, OVERHEAD, Errand, File, Reply
from g2c.swarm.core.tasks import Progress, Task
from g2c.swarm.may_start import may_start
from g2c.tracing import traced


def rotated(names: Sequence[str], look: int) -> tuple[str, ...]:
    """The names, rotated for the `look`-th time that they are read (from 1). A model overlooks the
    middle most, so another file stands there at each look.

    >>> rotated("abcde", 1), rotated("abcde", 2), rotated("a", 2)
    (('a', 'b', 'c', 'd', 'e'), ('c', 'd', 'e', 'a', 'b'), ('a',))
    """
    first = len(names) // 2 * (look - 1) % max(1, len(names))
    return (*names[first:], *names[:first])


class Supervisor:
    """Sends workers to read the `readable` files. At most `at_once` run at a time, and all share
    `budget`.

    Errands that may start are posted in `files`, where workers find them, and passed to `begin`.
    `wait` is called while workers work; it looks after them, and may raise to end the swarm.
    `digests` has the hash of each file's text, and `made_by` says which model and code do the
    errands: a result belongs to both.
    """

    def __init__(
        self,
        files: SwarmFiles,
        readable: Sequence[File],
        *,
        at_once: int,
        budget: int,
        wait: Callable[[], None],
        digests: Mapping[str, str] = MappingProxyType({}),
        made_by: str = "",
        begin: Callable[[Sequence[Posted]], None] = lambda posted: None,
    ) -> None:
        self._files = files
        self._tokens = {file.name: file.tokens for file in readable}
        self._at_once = at_once
        self._budget = budget
        self._wait = wait
        self._begin = begin
        self._digests = digests
        self._made_by = made_by
        self._asked: Counter[Errand] = Counter()
        self._posted: dict[str, Posted] = {}
        self._found: dict[str, Found] = {}
        self._spent_before = 0

    @property
    def spent(self) -> int:
        """The tokens of all errands that have ended, with those of errands that failed before and
        were asked again."""
        return self._spent_before + sum(found.tokens for found in self.results)

    @property
    def results(self) -> tuple[Found, ...]:
        """The results of all errands that have ended. Older ones, from files that have changed
        since, are not among them."""
        return tuple(filter(None, map(self._result, self._posted)))

    def ask(self, errands: Sequence[Errand]) -> list[Reply]:
        """Send a worker for each errand; return what they found, in the same order.

        An errand for which the budget has no room finds nothing, and reads nothing.
        """
        names = [self._expect(errand) for errand in errands]
        with traced("round", f"{len(names)} errands") as ending:
            while True:
                never = self._start()
                if never.issuperset(name for name in names if self._result(name) is None):
                    break
                self._wait()
            ending.outcome = f"{self.spent:,} tokens by now"
        left = self._budget - self.spent
        found = (self._result(name) or Found("") for name in names)
        return [Reply(result.claims, result.read, left) for result in found]

    def _expect(self, errand: Errand) -> str:
        errand = Errand(str(errand.look_for), tuple(map(str, errand.files)))
        self._asked[errand] += 1
        look = self._asked[errand]
        digests = (self._digests.get(file, "") for file in errand.files)
        name = name_of(errand, look, *digests, self._made_by)
        tokens = sum(self._tokens.get(file, 0) for file in errand.files)
        grant = OVERHEAD + min(CONTEXT, tokens)
        self._spent_before += sum(failed.tokens for failed in self._files.failures(name))
        self._posted[name] = Posted(name, replace(errand, files=rotated(errand.files, look)), grant)
        return name

    def _start(self) -> set[str]:
        """Start the errands that may start; return the names of those that never can."""
        tasks = [
            Task(post.name, post.errand.look_for, grant=post.grant)
            for post in self._posted.values()
        ]
        progress = {name: self._progress(name) for name in self._posted}
        left = self._budget - self._spent_before
        starts = may_start(tasks, progress, self._at_once, left)
        is_running = any(task.state == "running" for task in progress.values())
        waiting = {name for name, task in progress.items() if task.state == "waiting"}
        if not is_running and not starts.now and not waiting.issubset(starts.never):
            raise ValueError(
                "No errand is running, and may_start (24.2) neither starts the waiting ones nor "
                "says that they never can. They would wait for ever."
            )
        begun = [self._posted[name] for name in starts.now]
        for posted in begun:
            self._files.post(posted)
        self._begin(begun)
        return set(starts.never)

    def _progress(self, name: str) -> Progress:
        if found := self._result(name):
            return Progress("failed" if found.error else "done", found.tokens)
        return Progress("running" if self._files.is_posted(name) else "waiting")

    def _result(self, name: str) -> Found | None:
        """The errand's result. It never changes, so it is read once."""
        if name not in self._found and (found := self._files.result(name)):
            self._found[name] = found
        return self._found.get(name)
