"""How a prompt grows, and how much of it the model had to read anew.

An engine caches its work on a prompt, and reuses it if the next prompt starts with the same tokens.
Appending is cheap; a change near the top is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from g2c.inference import InferenceResult, RecordedCall
from g2c.text import common_start
from g2c.widgets.view import Html, View, html_table, page, tag, text_table


@dataclass(frozen=True)
class Growth:
    """A prompt, and how much of it was not new.

    `shared` is how many characters at its start an earlier call had read or written. It has
    `tokens` tokens: `cached` from the engine's cache and `computed` others. Each is None if the
    engine does not report it.
    """

    prompt: str
    shared: int
    cached: int | None
    computed: int | None
    tokens: int | None


def measure_growth(calls: Sequence[RecordedCall]) -> list[Growth]:
    """How much of each call's prompt earlier calls have read or written.

    A model's output is in its cache too, so a call counts as its prompt and its completion.
    """
    growth: list[Growth] = []
    earlier: list[str] = []
    for call in calls:
        result = call.result
        shared = max((common_start(text, call.prompt) for text in earlier), default=0)
        cached, computed = (result.metadata.get(key) for key in ("cache_n", "prompt_n"))
        growth.append(Growth(call.prompt, shared, cached, computed, result.prompt_tokens))
        written = result.completion if isinstance(result, InferenceResult) else ""
        earlier.append(call.prompt + written)
    return growth


def prompt_growth(calls: Sequence[RecordedCall]) -> View:
    """The prompts of `calls`, as a `RecordingBackend` keeps them, each to be unfolded.

    The part that a prompt shares with an earlier call has one colour, the new part another, and
    bars show how many of its tokens came from the cache.

    Raises:
        ValueError: there are no calls.
    """
    if not calls:
        raise ValueError("There are no calls to show; ask the RecordingBackend something first.")
    growth = measure_growth(calls)
    head = ["call", "prompt tokens", "from the cache", "computed"]
    rows = [[str(number), *_counts(call)] for number, call in enumerate(growth, 1)]
    widest = max(call.tokens or 0 for call in growth)
    bars = [_bar(call, widest) for call in growth]
    notes = _notes(growth)
    html = page(
        html_table([*head, ""], [[*row, bar] for row, bar in zip(rows, bars, strict=True)], head),
        tag("div", " ".join(notes), class_="g2c-muted"),
        _prompts_html(growth),
    )
    texts = [
        f"Call {number}, after {call.shared:,} characters that an earlier call had:\n"
        + call.prompt[call.shared :]
        for number, call in enumerate(growth, 1)
    ]
    return View(html, "\n\n".join([text_table(head, rows, head), *notes, *texts]))


def _counts(one: Growth) -> list[str]:
    counts = (one.tokens, one.cached, one.computed)
    return ["not told" if count is None else f"{count:,}" for count in counts]


def _notes(growth: Sequence[Growth]) -> list[str]:
    """Notes that keep a reader from reading too much into the colours."""
    notes = [
        "Token counts are the engine's. Where the colour changes was found by comparing the text "
        "with what earlier calls had read and written, and may be a token or two off."
    ]
    if any(call.cached is None for call in growth):
        notes = [
            "This engine does not say what its cache held. The colour shows what it could have "
            "held: text that an earlier call had read or written."
        ]
    for number, call in enumerate(growth, 1):
        # A token is one character or more, so these tokens cannot all be in the shared text.
        if call.cached is not None and call.cached > call.shared:
            notes.append(
                f"Call {number} found tokens in the cache that came from calls made before these. "
                "Which part of its text they are is not known here."
            )
    return notes


def _bar(one: Growth, widest: int) -> Html:
    """The prompt's tokens as a bar; its length shows their number."""
    if one.cached is None or one.computed is None:
        pieces = [("untold", one.tokens or 0)]
    else:
        pieces = [("held", one.cached), ("new", one.computed)]
    spans = (
        tag("span", class_=f"g2c-bar-{kind}", style=f"width: {100 * tokens / max(widest, 1):.1f}%")
        for kind, tokens in pieces
        if tokens
    )
    return tag("div", *spans, class_="g2c-bar")


def _prompts_html(growth: Sequence[Growth]) -> Html:
    last = len(growth)
    legend = tag(
        "div",
        "In each prompt: ",
        tag("span", "what an earlier call had read or written", class_="g2c-held"),
        ", and ",
        tag("span", "what is new", class_="g2c-fresh"),
        ".",
    )
    prompts = [
        _prompt_html(f"Prompt of call {number}", call, unfolded=number == last)
        for number, call in enumerate(growth, 1)
    ]
    return tag("div", legend, *prompts)


def _prompt_html(title: str, one: Growth, *, unfolded: bool) -> Html:
    tokens, cached, computed = _counts(one)
    known = f", {cached} from the cache, {computed} computed" if one.cached is not None else ""
    held = 0 if one.cached == 0 else one.shared
    text = tag(
        "pre",
        tag("span", one.prompt[:held], class_="g2c-held"),
        tag("span", one.prompt[held:], class_="g2c-fresh"),
        class_="g2c-pre",
    )
    state = {"open": "open"} if unfolded else {}
    return tag("details", tag("summary", f"{title}: {tokens} tokens{known}"), text, **state)
