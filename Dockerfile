# bot88 in a container. Runs the bot by default; `offline` plays against the built-in Lichess instead.
FROM docker.io/library/python:3.11-slim

RUN useradd --create-home --uid 1000 bot88
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY bot bot
COPY engine88 engine88
COPY config config
RUN pip install --no-cache-dir -c constraints.txt . && mkdir -p /app/data && chown bot88:bot88 /app/data

USER bot88
# The kernels are compiled while the image is built, so that a container starts to play at once.
ENV PYTHONUNBUFFERED=1 ENGINE88_CACHE_DIR=/home/bot88/.cache/engine88
RUN python -m engine88 warmup
VOLUME ["/app/data"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["bot88"]
CMD ["run"]
