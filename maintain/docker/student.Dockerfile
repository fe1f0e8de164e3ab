# The course with its environment and the small model, for a student or for JupyterHub:
#   docker build -t g2c -f maintain/docker/student.Dockerfile .
#   docker run --rm -it -p 127.0.0.1:8888:8888 g2c
FROM python:3.11-slim
# The model's threads stand on libgomp1, which the slim image has not.
RUN apt-get update && apt-get install --yes --no-install-recommends libgomp1 \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 1000 student
USER student
WORKDIR /home/student/course
COPY --chown=student . .
# Besides the course, what JupyterHub starts for each student, and the weights.
RUN ./prodlm.sh model embedded && .venv/bin/pip install --no-cache-dir jupyterhub
ENV PATH=/home/student/course/.venv/bin:$PATH
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser"]
