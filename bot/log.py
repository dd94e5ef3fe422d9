"""The log: events with fields, for people (console) or machines (JSON lines). The token never gets into it."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any, Literal, TextIO, cast

import structlog

from bot.errors import ConfigurationError

Event = MutableMapping[str, Any]
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
HIDDEN = "***"


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger; `.bind(game_id=...)` gives one that adds the field to each line."""
    return cast("structlog.typing.FilteringBoundLogger", structlog.get_logger(name))


class Redactor:
    """Replaces secrets wherever they turn up in an event."""

    def __init__(self, *secrets: str) -> None:
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 4)

    def __call__(self, _logger: object, _method: str, event: Event) -> Event:
        return {key: self._clean(value) for key, value in event.items()} if self._secrets else event

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, HIDDEN)
            return value
        if isinstance(value, Mapping):
            return {key: self._clean(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._clean(item) for item in value]
        if value is None or isinstance(value, (bool, int, float)):
            return value
        return self._clean(str(value))


def configure_log(
    level: str = "info",
    form: Literal["console", "json"] = "console",
    file: Path | None = None,
    *,
    secret: str = "",
    stream: TextIO | None = None,
) -> None:
    """Set the log up for the whole process; lines go to standard error and, if given, to a file too.

    Raises ConfigurationError when the file cannot be written.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        Redactor(secret),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    target = stream or _Stderr()
    handlers: list[logging.Handler] = [_handler(logging.StreamHandler(target), form, shared, colors=target.isatty())]
    if file:
        handlers.append(_handler(_open_file(file), form, shared, colors=False))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(LEVELS[level])
    for chatty in ("urllib3", "berserk", "chess.engine", "asyncio", "uvicorn"):
        logging.getLogger(chatty).setLevel(max(LEVELS[level], logging.WARNING))


class _Stderr(io.TextIOBase):
    """Whatever sys.stderr is at the moment: a live display puts itself in its place."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()

    def isatty(self) -> bool:
        return sys.stderr.isatty()


def _open_file(file: Path) -> logging.Handler:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return logging.FileHandler(file, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"log.file: {file} cannot be written: {error}") from error


def _handler(
    handler: logging.Handler, form: str, shared: list[structlog.typing.Processor], *, colors: bool
) -> logging.Handler:
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(default=str)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)
    )
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[remove, renderer], foreign_pre_chain=shared))
    return handler
