# The course with its environment and the small model, for a student or for JupyterHub:
#   docker build -t g2c -f docker/student.Dockerfile .
#   docker run --rm -it -p 127.0.0.1:8888:8888 g2c
FROM python:3.11-slim
RUN useradd --create-home --uid 1000 student
USER student
WORKDIR /home/student/course
COPY --chown=student . .
# Besides the course, what JupyterHub starts for each student, and the weights.
RUN ./prodlm.sh model embedded && .venv/bin/pip install --no-cache-dir jupyterhub
ENV PATH=/home/student/course/.venv/bin:$PATH
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser"]
