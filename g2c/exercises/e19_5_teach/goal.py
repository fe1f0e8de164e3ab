"""19.5: how many of 20 questions the model in the box answers with a tool that a student described.

The answers take a minute or two, so the score is cached (`g2c.course.scored.kept`). At temperature
0, the text, the questions and the weights determine it.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from inspect import signature
from random import Random
from typing import Any

from g2c.agent.app.agent import Agent
from g2c.agent.core.prompts import render_system_prompt
from g2c.agent.core.tool_text import MAX_EXAMPLES, MAX_PROMPT_CHARS, Parameter, ToolText, make_tool
from g2c.agent.core.types import AgentStep
from g2c.agent.core.visitors import q
from g2c.course.scored import Goal, Progress, Score
from g2c.exercise import REFERENCE_VARIABLE
from g2c.inference import Backend
from g2c.inference.embedded.weights import ADAPTER_SHA256, SHA256
from g2c.surroundings import own_environment
from g2c.text import named_reason
from g2c.tools import ToolError, ToolExample, ToolRegistry

TASKS = 20
MAX_NEW_TOKENS = 80

TOWNS = (
    *("Ardal", "Bosca", "Corvin", "Delmar", "Ebrach", "Fontane", "Gradell", "Hovsta", "Ilmen"),
    *("Jarnac", "Kaldor", "Lemvig", "Morin", "Nessel", "Orta", "Pelham", "Quend", "Rossby"),
    *("Selden", "Tolva", "Umbria", "Varde", "Wexley", "Yarrow", "Zoutel"),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PLACES = ("museum", "zoo", "library", "theatre", "castle", "cinema", "aquarium", "tower")
QUESTIONS = (
    "How many visitors did the {place} in {town} have on {day}?",
    "How many people came to the {place} in {town} on {day}?",
    "On {day}, how many people were in the {place} in {town}?",
    "In {town}, how many visitors did the {place} have on {day}?",
    "{town}, {day}: how many visitors had the {place}?",
    "How many tickets did the {place} in {town} sell on {day}?",
    "Tell me how full the {place} in {town} was on {day}.",
    "I was in {town} on {day}. How many people were in the {place} there?",
    "Was {day} a good day for the {place} in {town}? How many came?",
    "Look up the visitors of the {place} for {day} in {town}.",
    "What was the number of guests in the {place} of {town} on {day}?",
    "My report for {day} lacks the visitors of the {place} in {town}. How many were there?",
    "We run the {place} in {town}. How many guests had we on {day}?",
    "Count the people who went to the {place} in {town} on {day}.",
    "The {place} in {town} was open on {day}. How many came in?",
    "Give me the {day} figure for the {place} in {town}.",
    "How busy was the {place} in {town} on {day}?",
    "The mayor of {town} asks how many people saw the {place} on {day}.",
    "How large was the crowd at the {place} in {town} on {day}?",
    "On {day} we went to {town}. How many others were at the {place}?",
    "Please find the number of visitors: {place}, {town}, {day}.",
    "Which number of guests did the {place} of {town} report for {day}?",
    "It rained in {town} on {day}. How many people still went to the {place}?",
    "For the {place} in {town}, how many visitors were counted on {day}?",
)


@dataclass(frozen=True)
class Task:
    """A question, and the call of `q` that it needs."""

    question: str
    arguments: Mapping[str, str]

    @property
    def result(self) -> str:
        return q(**self.arguments)


@dataclass(frozen=True)
class Outcome:
    """Whether a task was done rightly, and a sentence on what was done."""

    right: bool
    description: str


def make_tasks(seed: int) -> tuple[Task, ...]:
    """The 20 tasks of a seed. Each seed has other phrasings, names and days."""
    random = Random(seed)
    tasks = []
    for phrasing in random.sample(QUESTIONS, TASKS):
        town, day, place = (random.choice(words) for words in (TOWNS, DAYS, PLACES))
        question = phrasing.format(town=town, day=day, place=place)
        tasks.append(Task(question, {"k": f"{town}/{day}", "v": place}))
    return tuple(tasks)


def load_model() -> Backend:
    """The model in the box, with the course's adapter."""
    from g2c.inference.embedded.backend import EmbeddedBackend

    return EmbeddedBackend()


class _Enough(Exception):
    """The first call was wrong, so the model's answer does not count."""


def ask(model: Backend, text: ToolText, task: Task) -> Outcome:
    """Have an agent whose one tool is described by `text` do `task`."""
    meant = {parameter.name: parameter.stands_for for parameter in text.parameters}
    steps: list[AgentStep] = []

    def on_step(step: AgentStep) -> None:
        steps.append(step)
        if len(steps) == 1 and not _calls_rightly(step, text.name, meant, task):
            raise _Enough

    agent = Agent(
        model,
        ToolRegistry([make_tool(text, q)]),
        plan=False,
        temperature=0.0,
        max_new_tokens=MAX_NEW_TOKENS,
        max_steps=2,
        on_step=on_step,
    )
    try:
        answer = agent.run(task.question).final_answer
    except _Enough:
        return Outcome(False, _tell_first_step(steps[0], text, task))
    if answer is None:
        return Outcome(False, "The call was right, and no answer followed.")
    if task.result not in re.findall(r"\d+", answer):
        return Outcome(False, f"The call was right and gave {task.result}; it answered: {answer}")
    return Outcome(True, f"It answered: {answer}")


def _calls_rightly(step: AgentStep, name: str, meant: Mapping[str, str], task: Task) -> bool:
    if step.action is None or step.action.tool != name:
        return False
    given = {meant.get(key): value for key, value in step.action.arguments.items()}
    return {key: str(value).casefold() for key, value in given.items()} == {
        key: value.casefold() for key, value in task.arguments.items()
    }


def _tell_first_step(step: AgentStep, text: ToolText, task: Task) -> str:
    right = {parameter.name: task.arguments[parameter.stands_for] for parameter in text.parameters}
    wanted = f"right was {text.name} {json.dumps(right)}."
    if step.action is None:
        return f"It called nothing and wrote {' '.join(step.completion.split())!r:.100}; {wanted}"
    called = f"{step.action.tool} {json.dumps(step.action.arguments)}"
    return f"It called {called:.200}; {wanted}"


def problems_of(text: object, seed: int) -> list[str]:
    """Sentences on what is wrong with the form of the value that a student's `teach` returned.

    An example that asks one of the questions of `seed` is wrong, too.
    """
    if problems := problems_of_kind(text):
        return problems
    assert isinstance(text, ToolText)
    if problems := [*problems_of_tool(text), *problems_of_parameters(text)]:
        return problems
    if problems := [line for example in text.examples for line in problems_of_call(text, example)]:
        return problems
    return [
        *problems_of_size(text),
        *(line for example in text.examples for line in problems_of_result(text, example)),
        *questions_that_are_counted(text, seed),
    ]


def problems_of_kind(text: object) -> list[str]:
    """Values of the wrong type in the `ToolText`."""
    if not isinstance(text, ToolText):
        return [f"teach returned {text!r:.60}; it is to return a ToolText."]
    parts = {"parameters": (text.parameters, Parameter), "examples": (text.examples, ToolExample)}
    for field, (values, kind) in parts.items():
        if not isinstance(values, tuple) or not all(isinstance(value, kind) for value in values):
            return [f"{field} is to be a tuple of {kind.__name__}, not {values!r:.60}."]
    texts = [text.name, text.description]
    texts += [words for parameter in text.parameters for words in vars(parameter).values()]
    for example in text.examples:
        texts += [
            example.question,
            example.thought,
            example.observation,
            example.answer,
            example.conclusion,
        ]
    if not all(isinstance(words, str) for words in texts):
        return ["Every name, description, question, thought and answer is to be a string."]
    return []


def problems_of_tool(text: ToolText) -> list[str]:
    """Why no tool can be made of the text."""
    try:
        make_tool(text, q)
    except ToolError as error:
        return [str(error)]
    return []


def problems_of_parameters(text: ToolText) -> list[str]:
    """Parameters of `q` without a name or with two, and invalid names."""
    stand_for = sorted(parameter.stands_for for parameter in text.parameters)
    wanted = sorted(signature(q).parameters)
    names = [parameter.name for parameter in text.parameters]
    found = []
    if stand_for != wanted:
        found.append(f"The parameters stand for {stand_for}; each of {wanted} needs one.")
    if len(set(names)) < len(names) or not all(re.fullmatch(r"\w{1,64}", name) for name in names):
        found.append(
            f"The parameters are named {names}; each needs a name of its own, of 1 to 64 letters, "
            "digits or _."
        )
    return found


def problems_of_size(text: ToolText) -> list[str]:
    """Excess examples and characters."""
    if len(text.examples) > MAX_EXAMPLES:
        return [f"There are {len(text.examples)} examples; at most {MAX_EXAMPLES} are allowed."]
    size = len(render_system_prompt([make_tool(text, q)]))
    if size > MAX_PROMPT_CHARS:
        return [f"The system prompt has {size} characters; at most {MAX_PROMPT_CHARS} may be."]
    return []


def problems_of_call(text: ToolText, example: ToolExample) -> list[str]:
    """Parts of an example that the tool would refuse."""
    where = f"The example {example.question!r:.60}"
    arguments, names = example.arguments, sorted(parameter.name for parameter in text.parameters)
    if example.before:
        return [f"{where} has steps in before; one call is all that counts here."]
    if not isinstance(arguments, Mapping) or set(arguments) != set(names):
        return [f"{where} has the arguments {arguments!r:.80}; those of the tool are {names}."]
    if not all(isinstance(value, str) for value in arguments.values()):
        return [f"{where} has an argument that is not a string."]
    return []


def problems_of_result(text: ToolText, example: ToolExample) -> list[str]:
    """An observation that `q` does not return."""
    meant = {parameter.name: parameter.stands_for for parameter in text.parameters}
    try:
        gives = q(**{meant[name]: value for name, value in example.arguments.items()})
    except Exception as error:
        gives = named_reason(error)
    if gives == example.observation:
        return []
    seen = f"has the observation {example.observation!r:.60}"
    return [f"The example {example.question!r:.60} {seen}; its call gives {gives}."]


def questions_that_are_counted(text: ToolText, seed: int) -> list[str]:
    """Examples that ask a question of `seed`, ignoring punctuation."""
    asked = {_words(task.question) for task in make_tasks(seed)}
    return [
        f"The example {example.question!r:.120} asks a question that is counted; think of another."
        for example in text.examples
        if _words(example.question) in asked
    ]


def _words(question: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", question.casefold()))


def taught(teach: Callable[..., Any], seed: int) -> ToolText:
    """The text that a student's function returns for `q`.

    Raises:
        ValueError: its form is wrong, or it raised; the message says in what.
        NotImplementedError: it is the stub.
    """
    try:
        text = teach(q)
    except NotImplementedError:
        raise
    except Exception as error:
        raise ValueError(f"teach raised {named_reason(error)}") from error
    if problems := problems_of(text, seed):
        raise ValueError(problems[0])
    assert isinstance(text, ToolText)
    return text


def ask_all(text: ToolText, seed: int, progress: Progress) -> Score:
    """How many tasks of `seed` the model in the box does rightly with `text`, by the agent of this
    process."""
    model, tasks = load_model(), make_tasks(seed)
    right, lost = 0, []
    for number, task in enumerate(tasks):
        progress(number, len(tasks))
        outcome = ask(model, text, task)
        right += outcome.right
        if not outcome.right:
            lost.append(f"{task.question} {outcome.description}")
    progress(len(tasks), len(tasks))
    return Score(right, len(tasks), tuple(lost[:5]))


def measure_text(text: ToolText, seed: int, progress: Progress) -> Score:
    """The result of `ask_all` in a process with the reference agent: the score must depend on the
    text, and not on a student's 19.1 to 19.4.

    Raises:
        ValueError: the model could not be asked; the message says why.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "g2c.exercises.e19_5_teach.question_process"],
        env=own_environment(**{REFERENCE_VARIABLE: "all"}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    found: dict[str, Any] = {}
    with process:
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps({"text": asdict(text), "seed": seed}))
            process.stdin.close()
            for line in process.stdout:
                found = json.loads(line)
                if "done" in found:
                    progress(found["done"], found["of"])
        except BaseException:
            process.kill()
            raise
    if "points" not in found:
        why = found.get("trouble", f"its process ended with {process.returncode}")
        raise ValueError(f"The model could not be asked: {why}")
    return Score(found["points"], found["best"], tuple(found["lost"]))


def measure(teach: Callable[..., Any], seed: int, progress: Progress) -> Score:
    return measure_text(taught(teach, seed), seed, progress)


def facts_of_text(text: ToolText, seed: int) -> str:
    """Everything that determines the score of `text`."""
    tasks = [task.question for task in make_tasks(seed)]
    facts = [asdict(text), tasks, TASKS, MAX_NEW_TOKENS, SHA256, ADAPTER_SHA256]
    return json.dumps(facts, ensure_ascii=False)


def facts(teach: Callable[..., Any], seed: int) -> str:
    """Everything that determines the score of a student's function."""
    return facts_of_text(taught(teach, seed), seed)


def from_data(data: Any) -> ToolText:
    """A `ToolText` from its `asdict` form after a trip through JSON.

    Raises:
        ValueError: it is none.
    """
    try:
        parameters = tuple(Parameter(**parameter) for parameter in data["parameters"])
        examples = tuple(ToolExample(**{**example, "before": ()}) for example in data["examples"])
        return ToolText(data["name"], data["description"], parameters, examples)
    except (KeyError, TypeError) as error:
        raise ValueError(f"This is not a ToolText: {error!r:.200}") from error


FIRST_VERSION = 0
"""The score of the first version of `g2c break` on the tasks of the public seed; measured by
`maintain/benchmarks/tool_texts.py`."""

GOAL = Goal(measure, target=14, unit="tasks of 20", facts=facts)
