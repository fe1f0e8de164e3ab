# What a student's code runs in with `g2c grade --sandbox container`: Python and what the course
# stands on, without the course. The grader puts a copy of that in, read-only. Build it here:
#   docker build -t g2c-grader -f maintain/docker/grader.Dockerfile .
FROM python:3.11-slim
WORKDIR /build
COPY pyproject.toml hatch_build.py constraints.txt README.md LICENSE ./
# hatchling wants the package to be there; it is removed again, as it holds nothing.
RUN mkdir g2c && touch g2c/__init__.py \
 && pip install --no-cache-dir -c constraints.txt -e . pytest \
 && pip uninstall --yes g2c && rm -rf /build
WORKDIR /
