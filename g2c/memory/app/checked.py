"""A run of an agent whose answer is checked: asked once more, and then answered by the program.

The check stands outside the agent's loop, so whatever runs an agent can use it.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, date
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from g2c.agent.app.agent import Agent
from g2c.agent.core.conversation import Exchange
from g2c.agent.core.result import AgentRunResult
from g2c.agent.core.types import Memory
from g2c.files import open_file, read_bytes, read_text, stamp_of
from g2c.memory.app.answers import NOTED, admits, unfounded
from g2c.memory.app.evidence import ANY_DAY, turn_in
from g2c.memory.app.own_words import MAX_CLOSEST, NOTHING, own_words, sight_of_day
from g2c.memory.app.recall import cited_name
from g2c.memory.app.related import closest_to
from g2c.memory.app.said_on import ONE_DAY, AskedWords, asked_words, past_day
from g2c.memory.app.sight import Seen, Sight, only_states, states
from g2c.memory.app.store import MemoryStore, utc_now
from g2c.memory.core.questions import is_question
from g2c.memory.core.sources import MEMORY_TOOLS, SENTENCE_END, claim_of, stands_in, turns_in
from g2c.memory.core.transcripts import turn_of
from g2c.memory.core.types import Recollection, Turn
from g2c.text import named_reason, within
from g2c.tracing import traced

HITS = 10
LEFT_ALONE = ("calculator", *MEMORY_TOOLS)
"""Tools whose results are not evidence: a sum needs none, and what memory has is read again."""
NOT_LOOKING = ("calculator", "remember", "write_file")
"""Tools that look nothing up, so that an answer after them need not be one to a question."""

AGAIN = (
    "Nothing that you have seen says this: {sentence} Answer again, only with what your tools give."
)
ANSWER = "Answer: "
"""The mark before a tick's answer in a loop's topic."""
MAX_SENTENCE_CHARS = 300


@dataclass
class _HeldBack:
    """A memory for both runs of a question, which logs it once and keeps the answer back. A later
    recall would find an answer that was refused, and the model would believe it."""

    memory: Memory
    has_question: bool = False
    answer: str = ""

    def context(self) -> str:
        return self.memory.context()

    def log_turn(self, role: str, content: str) -> None:
        if role == "assistant":
            self.answer = content
        elif role != "user" or not self.has_question:
            self.has_question = True
            self.memory.log_turn(role, content)


def run_checked(
    agent: Agent,
    message: str,
    *,
    store: MemoryStore | None,
    tell: Callable[[str], None],
    is_persons: bool = True,
) -> AgentRunResult:
    """Run the agent on the message, and return only an answer in which all was seen.

    If the answer claims something else, the agent is asked once more. Then the answer is what the
    person said about it, or that there is nothing. An answer to a statement is not asked for again:
    it says that this was noted. A run without an answer to a question, which looked up no more than
    the memory, gets one in the same way. `metadata["withheld"]` has the sentences that were not
    found. If the check itself fails, the answer stays, and an error goes to `tell`.
    `is_persons` is whether the message is the person's own word, and not that of another agent.

    Raises:
        ValueError, BackendError: as `agent.run`.
    """
    checked, held = copy(agent), _HeldBack(agent.memory) if agent.memory else None
    checked.memory = held
    result = _run_checked(checked, message, store, tell, is_persons)
    if held and (shown := result.final_answer or held.answer):
        held.memory.log_turn("assistant", shown)
    return result


def _run_checked(
    agent: Agent,
    message: str,
    store: MemoryStore | None,
    tell: Callable[[str], None],
    is_persons: bool,
) -> AgentRunResult:
    first = agent.run(message)
    if not isinstance(first, AgentRunResult):
        return first
    answer = first.final_answer or ""
    is_told = is_persons and store is not None and only_states(message)
    with traced("check", "answer", answer) as ending:
        ending.outcome = "grounded" if answer else "no answer"
        found = _find(first, agent, store, tell, is_persons)
        if found is None or (found.sight.results and not answer):
            return first
        if is_told and not found.sight.results:
            if answer and not found.sentence and not admits(answer):
                return first
            ending.outcome, ending.text = "noted", NOTED
            return _with_answer(first, NOTED, [answer])  # what was said is in the transcript
        if not answer:
            is_asked = any(map(is_question, SENTENCE_END.split(message)))
            if not (is_asked and (words := own_words(found.sight))):
                return first  # what was to be done is not done, whatever was said of it
            ending.outcome, ending.text = "own words", words
            return _with_answer(first, words, [])
        if not found.sentence:
            ending.text = _with_closest(answer, found.sight)
            return replace(first, final_answer=ending.text)
        withheld = [found.sentence]
        second = _asked_again(agent, message, found.sentence)
        result = _joined(first, second)
        ending.outcome = "asked again"
        if second.final_answer is not None and (
            again := _find(result, agent, store, tell, is_persons)
        ):
            found = again
        else:
            found = replace(found, sentence="no answer")
        if found.sentence:
            withheld.append(found.sentence)
            ending.text = own_words(found.sight) or NOTHING
            ending.outcome = "nothing" if ending.text == NOTHING else "own words"
        else:
            ending.text = _with_closest(str(result.final_answer), found.sight)
        return _with_answer(result, ending.text, withheld)


def _with_answer(result: AgentRunResult, answer: str, withheld: Sequence[str]) -> AgentRunResult:
    metadata = {**result.metadata, "withheld": [text for text in withheld if text]}
    return replace(result, final_answer=answer, stopped_reason="final_answer", metadata=metadata)


def _with_closest(answer: str, sight: Sight) -> str:
    """The answer, or what the person said that is closest, if the model knows nothing."""
    return (sight.looked_up and admits(answer) and own_words(sight)) or answer


@dataclass(frozen=True)
class _Found:
    """The texts that a run has seen, and a sentence of its answer that does not follow; or ""."""

    sight: Sight
    sentence: str


def _find(
    result: AgentRunResult,
    agent: Agent,
    store: MemoryStore | None,
    tell: Callable[[str], None],
    is_persons: bool,
) -> _Found | None:
    """None if the check failed, or exercise 20.8 or 20.10 is not written yet."""
    try:
        sight = sight_of(result, agent.earlier, store, is_persons)
        return _Found(sight, unfounded(result.final_answer or "", sight))
    except NotImplementedError:
        return None
    except Exception as error:  # a student's function may raise anything
        tell(f"The answer was not checked ({named_reason(error)}).")
        return None


def _asked_again(agent: Agent, message: str, sentence: str) -> AgentRunResult:
    told = AGAIN.format(sentence=within(sentence, MAX_SENTENCE_CHARS))
    again = copy(agent)
    again.earlier = (*agent.earlier, Exchange(told, "I will look again."))
    return again.run(message)


def sight_of(
    result: AgentRunResult, earlier: Sequence[Exchange], store: MemoryStore | None, is_persons: bool
) -> Sight:
    """The texts that the run has seen. The memory is searched again, for the question, each of the
    run's queries, the answer, and what is closest to the question, since its results in the run do
    not tell who said a line."""
    question = result.user_message
    done = [
        (step.action, step.observation)
        for step in result.steps
        if step.action and step.observation and not step.observation.is_error
    ]
    now = store.now() if store else utc_now()
    told = [question, *(exchange.question for exchange in earlier)] if is_persons else []
    said = [Seen(Turn(now, "", "user", text)) for text in told if states(text)]
    queries = [str(call.arguments.get("query", "")) for call, _ in done if call.tool == "recall"]
    results = [
        Turn(now, "", "tool", seen.output) for call, seen in done if call.tool not in LEFT_ALONE
    ]
    if store:
        answer = result.final_answer or ""
        said += _recalled([question, *queries, answer], store)
        own = [seen for seen in said if seen.is_own]
        close = [own[n].turn.content for n in closest_to(own, question)]
        # What they say may have changed since, and so may what the answer says.
        said += _recalled(list(dict.fromkeys(close))[:MAX_CLOSEST], store)
    today = now.astimezone(UTC).date()
    if store and (found := past_day(question, today)):
        said += [seen for n in (0, 1) for seen in _said_on(found[1] + n * ONE_DAY, store)]
    said = list(dict.fromkeys(said))
    asked = asked_words(question, today)
    sight = Sight(
        question,
        tuple(said),
        tuple(results),
        looked_up=any(call.tool not in NOT_LOOKING for call, _ in done),
        kept=any(call.tool == "remember" for call, _ in done),
        listed=_listed(asked, said, store) if store and asked else None,
    )
    return sight if asked else sight_of_day(sight, today)


def _recalled(queries: Sequence[str], store: MemoryStore) -> list[Seen]:
    days = store.transcripts.counted()
    return [
        _on_its_day(seen, days)
        for query in dict.fromkeys(filter(str.strip, queries))
        for hit in store.recall(query, HITS, transcripts=True)
        for seen in _seen(hit, store)
    ]


def _listed(asked: AskedWords, said: Sequence[Seen], store: MemoryStore) -> tuple[Seen, ...]:
    """The person's statements that are asked for, oldest first."""
    if asked.day:
        said = _said_on(asked.day, store)
    found = {
        seen.turn.content: seen for seen in said if seen.is_own and asked.has(seen.turn.content)
    }
    ordered = sorted(found.values(), key=lambda seen: seen.turn.ts)
    return tuple(replace(seen, outdated=_outdated(seen, store)) for seen in ordered)


def _said_on(day: date, store: MemoryStore) -> list[Seen]:
    """The person's statements of that day, oldest first."""
    return [
        Seen(turn, f"{file.name}:{number}")
        for found, file in store.transcripts.days()
        if found == day
        for number, turn in turns_in(file)
        if turn.role == "user" and states(turn.content)
    ]


def _outdated(seen: Seen, store: MemoryStore) -> str:
    hits = store.recall(seen.turn.content, HITS, transcripts=True)
    return next((hit.outdated for hit in hits if seen.turn.content in hit.excerpt), "")


def _seen(hit: Recollection, store: MemoryStore) -> list[Seen]:
    """The person's words in a turn, or each line of a topic's paragraph; nothing for the agent's
    own words."""
    name = cited_name(hit.file)
    if hit.file.suffix == ".jsonl":
        turn = _turn_at(hit.file, hit.line)
        is_own = turn and turn.role == "user" and states(turn.content)
        return [Seen(turn, f"{name}:{hit.line}")] if turn and is_own else []
    text = read_text(hit.file, "utf-8", "backslashreplace").splitlines()[hit.line - 1 :]
    # A model cites the paragraph, which is what it was shown.
    return [_line_seen(line, f"{name}:{hit.line}", store) for line in takewhile(str.strip, text)]


def _on_its_day(seen: Seen, days: Mapping[str, str]) -> Seen:
    """`seen`, with the corrected day if a wrong clock dated it."""
    day = days.get(seen.day, seen.day)
    return seen if day == seen.day else replace(seen, counts_on=day)


def _line_seen(line: str, place: str, store: MemoryStore) -> Seen:
    day, claim = claim_of(line.removeprefix(ANSWER))
    is_own = bool(day) and claim[:1] == claim[-1:] == '"' and _was_said(claim, day, store)
    turn = replace(turn_in(line, ANY_DAY), content=claim.strip('"') if is_own else claim)
    return Seen(turn, place, is_own, line)


def _was_said(claim: str, day: str, store: MemoryStore) -> bool:
    """Whether the person said this on that day, by its transcript. A page or another agent may have
    written a line in the same form."""
    try:
        file = store.transcripts.path_of(date.fromisoformat(day))
        return any(stands_in(claim, said) for said in _said_in(file, stamp_of(file.stat())))
    except (ValueError, OSError):
        return False


@lru_cache(maxsize=8)  # a topic quotes a day in many lines
def _said_in(file: Path, stamp: str) -> tuple[str, ...]:
    """The person's words on the day of that file. With another `stamp` it is another file."""
    turns = map(turn_of, read_bytes(file).splitlines())
    return tuple(turn.content for turn in turns if turn and turn.role == "user")


def _turn_at(file: Path, line: int) -> Turn | None:
    with open_file(file, "rb") as lines:
        return next((turn_of(text) for number, text in enumerate(lines, 1) if number == line), None)


def _joined(first: AgentRunResult, second: AgentRunResult) -> AgentRunResult:
    """Both runs as one, which ends as the second did."""
    counts = {
        key: value + second.metadata[key]
        for key, value in first.metadata.items()
        if type(value) is int and type(second.metadata.get(key)) is int
    }
    return replace(
        second, steps=(*first.steps, *second.steps), metadata={**second.metadata, **counts}
    )
