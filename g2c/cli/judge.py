"""The command that measures a judge: does it agree with people about which answer is better?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.asking import bar_of
from g2c.cli.console import out
from g2c.cli.options import JudgeModelOption, ModelOption, load
from g2c.cli.places import Input, OutputFile
from g2c.cli.steps import going_on
from g2c.course.errors import import_students
from g2c.course.traces import leaves_trace

if TYPE_CHECKING:
    from g2c.evaluation.app.judging import JudgeReport

app = typer.Typer()

DOING = "judging in both orders"


@app.command()
@leaves_trace("judge")
def judge(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file of labelled pairs, as JSON Lines."),
        Input(),
    ],
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Use only the first N pairs.")
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", help="Also write the figures and all verdicts to this file."
        ),
        OutputFile((b'{\n "model": "',)),
    ] = None,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
) -> None:
    """Measure a model as a judge of pairs, on pairs that a person has labelled.

    A line of FILE is an object with task, a, b (two answers) and better: a, b or tie.
    The model reads each pair in both orders, and does not see the label. The report shows how often
    it agrees with the labels, how far beyond chance (kappa), how much it prefers the first or the
    second place, and how many pairs were split or could not be read. It uses your judge_pairs
    (23.3), kappa (23.4) and paired_bootstrap (21.6).

    Example: g2c judge docs/judging-example.jsonl

    Example: g2c judge mine.jsonl --judge-model llama3.2:3b --json verdicts.json
    """
    import_students("g2c.evaluation")
    from g2c.critic.paired_bootstrap import paired_bootstrap
    from g2c.evaluation.app.judging import load_pairs, measure_judge
    from g2c.evaluation.app.preference import PairJudge
    from g2c.evaluation.judge_pairs import judge_pairs
    from g2c.evaluation.kappa import kappa

    pairs = load_pairs(file)[:limit]
    # An unwritten exercise fails now and not after minutes.
    paired_bootstrap([0], [0])
    judge_pairs([], lambda *_: "tie")
    kappa(["a"], ["a"])
    backend = load(judge_model or model, exact=True)
    if not backend.supports_json:
        raise ValueError(
            f"{backend.info.model_id} cannot be held to a JSON schema, so its verdicts could not "
            "be read. Name another model with --judge-model."
        )
    with going_on(backend, "judge") as resumed, bar_of(DOING, len(pairs)) as advance:
        report = measure_judge(pairs, PairJudge(resumed), lambda pair: advance(DOING))
    out.print("\n" + report.to_markdown(), markup=False, soft_wrap=True, end="")
    if json:
        _keep(json, backend.info.model_id, report)


def _keep(file: Path, model: str, report: JudgeReport) -> None:
    from json import dumps

    from g2c.files import replace_text

    kept = dumps({"model": model, **report.to_json()}, indent=1, ensure_ascii=False)
    replace_text(file, kept + "\n")
    out.print(f"\nKept in {escape(str(file))}.", soft_wrap=True)
