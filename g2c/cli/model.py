"""The command that shows and chooses the model that the course uses: model."""

import sys
from dataclasses import replace
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.confirm import confirm
from g2c.cli.console import err, out
from g2c.cli.demo import offer_larger
from g2c.cli.options import load

app = typer.Typer()


@app.command()
def model(
    choice: Annotated[
        str | None,
        typer.Argument(
            metavar="[auto|embedded|embedded-plain|embedded-guided|TAG|PATH|openai:URL#MODEL"
            "|ollama-course]"
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Use embedded without its adapter.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Pull a missing model without asking.")
    ] = False,
    num_ctx: Annotated[
        int | None, typer.Option(metavar="TOKENS", help="The model's context window, in tokens.")
    ] = None,
    keep_alive: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="How long Ollama keeps the model loaded, such as 30m."),
    ] = None,
    think: Annotated[
        bool | None,
        typer.Option(
            "--think/--no-think", help="Let a model that can think do so; default: --no-think."
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(metavar="T", help="The temperature of chats and loops; default: 0."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of the model's samples; default: 0.")
    ] = None,
) -> None:
    """Show which model the course uses, or choose one and store the choice.

    auto is Ollama's llama3.2:3b if a server has it, and else embedded. embedded is the small model
    in the package, with an adapter that was trained on the course's work. embedded-plain, or
    embedded --plain, is the same model without the adapter. embedded-guided has the adapter, and
    can write the agent's steps only in their form. TAG is one of Ollama's models; it is pulled if
    it is missing. PATH is a .gguf file. openai:URL#MODEL is a model on a server with OpenAI's API
    (vLLM, llama.cpp, LM Studio); if the server wants a key, set the environment variable
    G2C_API_KEY.

    ollama-course writes the files with which your Ollama serves the small model and its adapter.

    The options are stored with the choice; a home's agent.toml may have others.

    Example: g2c model llama3.2:3b

    Example: g2c model qwen3:4b --think --num-ctx 16384

    Example: g2c model openai:http://127.0.0.1:8000/v1#Qwen/Qwen3-8B
    """
    from g2c.inference.model_choice import (
        DEFAULT_TAG,
        parse_choice,
        read_choice,
        settle,
        write_choice,
    )
    from g2c.inference.model_options import ModelOptions
    from g2c.inference.served._ollama_address import host_url, is_listening
    from g2c.inference.served._ollama_models import has_model

    if choice == "ollama-course":
        _write_modelfile()
        return
    if plain:
        if choice not in ("embedded", "embedded-plain"):
            raise typer.BadParameter("--plain goes with one model: g2c model embedded --plain")
        choice = "embedded-plain"
    options = ModelOptions(num_ctx, keep_alive, think, temperature, seed)
    if options.known() and not choice:
        raise typer.BadParameter("say of which model: g2c model llama3.2:3b --num-ctx 16384")
    wanted = replace(parse_choice(choice), options=options) if choice else read_choice()
    if choice and wanted.kind in ("auto", "ollama"):
        tag = wanted.model or DEFAULT_TAG
        if is_listening(host_url()) and not has_model(tag):
            # With auto there is another model, so do not ask if nobody can answer.
            may_ask = wanted.kind == "ollama" or sys.stdin.isatty()
            if yes or (may_ask and confirm(f"Ollama does not have {tag}. Pull it?")):
                _pull(tag)
            elif wanted.kind == "ollama":
                raise typer.Exit(1)
    settled = settle(wanted)
    backend = load(settled)
    if choice and settled.kind in ("ollama", "openai"):
        # A server may list models that it cannot run, or runs only with a key.
        backend.complete("Hi", max_new_tokens=1, temperature=0)
    if choice:
        write_choice(wanted)
    found = "" if settled == wanted else f" (auto: {settled.kind})"
    out.print(f"{escape(backend.info.model_id)}, {backend.info.name}{found}", soft_wrap=True)
    if kept := wanted.options.known():
        out.print(escape(", ".join(f"{name} {value}" for name, value in kept.items())))
    if note := backend.info.extra.get("note"):
        out.print(f"[dim]{escape(note)}[/]")
    if settled.model is None and settled.kind.startswith("embedded"):
        offer_larger()


def _write_modelfile() -> None:
    from g2c.files import replace_text
    from g2c.inference.embedded.weights import find_adapter, find_weights
    from g2c.paths import state_dir

    file = state_dir() / "Modelfile"
    # The adapter was trained on raw prompts, without a chat template.
    lines = (f"FROM {find_weights()}", f"ADAPTER {find_adapter()}", 'TEMPLATE "{{ .Prompt }}"')
    replace_text(file, "\n".join([*lines, "PARAMETER temperature 0", ""]))
    out.print(f"{escape(str(file))} is written. Now:", soft_wrap=True)
    out.print(f"  ollama create g2c-course -f {escape(str(file))}", soft_wrap=True)
    out.print("  g2c model g2c-course")


def _pull(tag: str) -> None:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from g2c.inference.served._ollama_models import pull

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TransferSpeedColumn(), console=err) as progress:
        task = progress.add_task(f"pulling {escape(tag)}", total=None)

        def show(status: str, done: int | None, total: int | None) -> None:
            progress.update(task, description=escape(status), completed=done or 0, total=total)

        pull(tag, show)
