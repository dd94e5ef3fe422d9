# bot88 in a container. Runs the bot by default; `offline` plays against the built-in Lichess instead.
# docs/deploy.md tells how to run it. Everything that it writes lies under /data, and its temporary files in /tmp.
ARG PYTHON=3.13

# What is needed, as a file of its own: other changes of pyproject.toml and the code leave the next stage as it is.
FROM docker.io/library/python:${PYTHON}-slim AS requirements
COPY pyproject.toml ./
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" \
        > /requirements.txt \
    && touch --date=@1700000000 /requirements.txt

# Left out: tests, what only builders of extensions need, Pygments' other languages, and the symbols of libraries (NumPy's
# cannot be stripped). The environment also finds the program, which lies in a folder of its own. Files have whole seconds as
# their time: copying rounds it, and bytecode names it.
FROM docker.io/library/python:${PYTHON}-slim AS dependencies
WORKDIR /build
RUN apt-get update -q && apt-get install -yq --no-install-recommends binutils && rm -rf /var/lib/apt/lists/*
RUN python -m venv --without-pip /opt/venv
COPY constraints.txt ./
COPY --from=requirements /requirements.txt ./
RUN python -m pip --python /opt/venv/bin/python install --no-cache-dir --no-compile -c constraints.txt -r requirements.txt \
    && cd "$(/opt/venv/bin/python -c 'import site; print(site.getsitepackages()[0])')" \
    && find . -depth \( -type d -a \( -name tests -o -path ./numpy/f2py -o -path ./numpy/distutils \) \
        -o -type f -a \( -name '*.pyi' -o -name '*.[ach]' -o -path './numpy/_core/_*_tests.*' -o -path './numpy/_core/_simd.*' \
        -o -path './pygments/lexers/[a-z]*' -a ! -name python.py \) \) -exec rm -r {} + \
    && find . -name '*.so' ! -path './numpy*' -exec strip --strip-unneeded {} + \
    && echo /opt/bot88/program > bot88.pth \
    && find /opt/venv -type f -exec touch --date=@1700000000 {} +

# The program, in a folder of its own that the environment's Python searches.
FROM dependencies AS program
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY engine88 engine88
RUN python -m pip --python /opt/venv/bin/python install --no-cache-dir --no-deps --no-compile --target /opt/bot88/program . \
    && find /opt/bot88/program -exec touch --date=@1700000000 {} +

# The engine alone, so that a change of the bot leaves its compiled kernels as they are. They are for a level of processor
# that nearly every host has: x86-64-v3, or any ARM64.
FROM dependencies AS kernels
COPY engine88 /build/engine88
RUN ENGINE88_TARGET=portable ENGINE88_CACHE_DIR=/opt/bot88/kernels PYTHONPATH=/build \
        /opt/venv/bin/python -P -m engine88 warmup \
    && rm -f /opt/bot88/kernels/*.lock

# The bytecode of the program and of what a game loads, Python's own modules included: the base image has none.
FROM dependencies AS bytecode
COPY --from=program /opt/bot88/program /opt/bot88/program
COPY --from=kernels /opt/bot88/kernels /opt/bot88/program/engine88/kernels
RUN export PYTHONPYCACHEPREFIX=/opt/bot88/bytecode \
    && /opt/venv/bin/python -m compileall -q /opt/bot88/program \
    && /opt/venv/bin/python -P -m bot offline --clock 1+1 --opponent random --seed 1 --json

# The fake Lichess alone, for the tests of any bot: docker build --target fake-lichess -t fake-lichess .
FROM docker.io/library/python:${PYTHON}-slim AS fake-lichess-program
WORKDIR /build
COPY .ci .ci
COPY LICENSE constraints.txt ./
COPY bot bot
COPY engine88/__init__.py engine88/__init__.py
RUN python -m venv --without-pip /opt/venv \
    && .ci/stage fake-lichess /source \
    && python -m pip --python /opt/venv/bin/python install --no-cache-dir -c constraints.txt '/source[tls]' \
    && find /opt/venv -type d \( -name tests -o -path '*/pydantic/v1' \) -prune -exec rm -r {} +

FROM docker.io/library/python:${PYTHON}-slim AS fake-lichess
LABEL org.opencontainers.image.title="fake-lichess" \
      org.opencontainers.image.description="A Lichess for one machine, to test any Lichess bot against" \
      org.opencontainers.image.licenses="GPL-3.0-or-later"
# /trust: a volume there belongs to the user, who writes the certificate of `--tls` into it
RUN useradd --uid 1000 --create-home fake && mkdir /trust && chown fake:fake /trust
COPY --from=fake-lichess-program /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1
USER fake
WORKDIR /home/fake
ENTRYPOINT ["fake-lichess"]

FROM docker.io/library/python:${PYTHON}-slim
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="bot88" \
      org.opencontainers.image.description="A Lichess bot with a chess engine of its own" \
      org.opencontainers.image.licenses="GPL-3.0-or-later" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
RUN useradd --uid 1000 --no-create-home --home-dir /data bot88 && mkdir /data && chown bot88:bot88 /data
COPY --from=dependencies /opt/venv /opt/venv
COPY --from=program /opt/bot88/program /opt/bot88/program
COPY --from=kernels /opt/bot88/kernels /opt/bot88/program/engine88/kernels
COPY --from=bytecode /opt/bot88/bytecode /opt/bot88/bytecode
COPY config/container.yml /etc/bot88/bot88.yml
RUN printf '#!/bin/sh\nexec /opt/venv/bin/python -P -m bot "$@"\n' > /usr/local/bin/bot88 \
    && printf '#!/bin/sh\nexec /opt/venv/bin/python -P -m engine88 "$@"\n' > /usr/local/bin/engine88 \
    && chmod 755 /usr/local/bin/bot88 /usr/local/bin/engine88
# The compiled kernels are read where they lie. For the host's own processor they are compiled in the background, into the
# volume, and used from the next start of an engine on.
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPYCACHEPREFIX=/opt/bot88/bytecode \
    PYTHONSAFEPATH=1 \
    BOT88_CONFIG=/etc/bot88/bot88.yml \
    BOT88_DASHBOARD_DEFAULT=on \
    ENGINE88_CACHE_DIR=/data/cache
USER bot88
WORKDIR /data
VOLUME ["/data"]
STOPSIGNAL SIGTERM
# Asks the dashboard's /healthz at the address of the configuration; without a dashboard it asks nothing.
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s CMD ["/opt/venv/bin/python", "-P", "-m", "bot", "health"]
ENTRYPOINT ["/opt/venv/bin/python", "-P", "-m", "bot"]
CMD ["run"]
