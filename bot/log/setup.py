"""Set the log up for the whole process: levels, processors, formats, destinations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any, Literal, cast

import structlog

from bot.errors import ConfigurationError
from bot.log.console import StandardError, console_renderer, is_terminal, shorten
from bot.log.log_file import LogFile
from bot.log.queued_handler import Destination, QueuedHandler

#: Libraries whose lines below a warning concern nobody.
_CHATTY = ("urllib3", "berserk", "chess.engine", "asyncio", "uvicorn")
Level = Literal["debug", "info", "warning", "error", "critical"]
Event = MutableMapping[str, Any]
HIDDEN = "***"
_MULTI_LINE = ("exception", "stack")


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger; `.bind(game_id=...)` gives one that adds the field to each line."""
    return cast("structlog.typing.FilteringBoundLogger", structlog.get_logger(name))


class Redactor:
    """Replaces secrets wherever they turn up in an event."""

    def __init__(self, *secrets: str) -> None:
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 4)

    def __call__(self, _logger: object, _method: str, event: Event) -> Event:
        """Return the event without the secrets; a processor of structlog."""
        return {key: self.clean(value) for key, value in event.items()} if self._secrets else event

    def clean(self, value: Any) -> Any:
        """Return a value, and all values within it, without the secrets."""
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, HIDDEN)
            return value
        if isinstance(value, Mapping):
            return {key: self.clean(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.clean(item) for item in value]
        if value is None or isinstance(value, (bool, int, float)):
            return value
        return self.clean(str(value))


def configure_log(
    level: Level = "info",
    form: Literal["console", "json"] = "console",
    file: Path | None = None,
    *,
    heard: Level | None = None,
    max_bytes: int = 0,
    keep: int = 5,
    secret: str = "",
) -> None:
    """Set the log up for the whole process; lines go to standard error and, if given, to a file too.

    `heard`: the level down to which lines reach handlers of others, such as the dashboard's; None: as for the console.
    `max_bytes` and `keep`: see LogFile.

    Raises ConfigurationError when the file cannot be opened.
    """
    shown = _number_of(level)
    made = min(shown, _number_of(heard or level))
    log_file = _open_file(file, max_bytes, keep) if file else None  # first: an error leaves no thread behind
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        Redactor(secret),
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(made),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handlers = [_handler(StandardError(), form, shared, colors=is_terminal())]
    if log_file is not None:
        handlers.append(_handler(log_file, form, shared, colors=False))
    _use(handlers, shown, made)


def _use(handlers: list[QueuedHandler], shown: int, made: int) -> None:
    """Let lines from the level `made` on be made and those from `shown` on go to these handlers; end earlier ones."""
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
        if isinstance(old, QueuedHandler):
            old.close()
    for handler in handlers:
        handler.setLevel(shown)
        root.addHandler(handler)
    root.setLevel(made)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(made, logging.WARNING))


def _number_of(level: Level) -> int:
    return logging.getLevelNamesMapping()[level.upper()]


def quiet_console(*events: str) -> Callable[[], None]:
    """Keep lines of these events, up to level info, off the console; returns what undoes it. Files get them all."""

    def shown(record: logging.LogRecord) -> bool:
        known = isinstance(record.msg, Mapping) and record.msg.get("event") in events
        return not known or record.levelno > logging.INFO

    handlers = [one for one in logging.getLogger().handlers if isinstance(one, QueuedHandler) and one.on_console]
    for handler in handlers:
        handler.addFilter(shown)

    def undo() -> None:
        for handler in handlers:
            handler.removeFilter(shown)

    return undo


def flush_log() -> None:
    """Wait until all lines are written; a destination that does not take them is left after two seconds."""
    for handler in logging.getLogger().handlers:
        handler.flush()


def _open_file(file: Path, max_bytes: int, keep: int) -> LogFile:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return LogFile(file, max_bytes, keep)
    except OSError as error:
        raise ConfigurationError(f"log.file: {file} cannot be written: {error}") from error


def _handler(
    destination: Destination, form: str, shared: list[structlog.typing.Processor], *, colors: bool
) -> QueuedHandler:
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    renderers: list[structlog.typing.Processor] = (
        [structlog.processors.JSONRenderer(default=str)]
        if form == "json"
        else [escape_controls, shorten, console_renderer(colors=colors)]
    )
    handler = QueuedHandler(destination)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[remove, *renderers], foreign_pre_chain=shared))
    return handler


def escape_controls(_logger: object, _method: str, event: Event) -> Event:
    """Spell out control characters, so that nothing that is logged can command the terminal that shows it."""
    return {
        key: _escaped(value, key in _MULTI_LINE) if isinstance(value, str) else value for key, value in event.items()
    }


def _escaped(value: str, multi_line: bool) -> str:
    if value.isprintable():
        return value
    kept = "\n\t" if multi_line else ""
    return "".join(
        one if one.isprintable() or one in kept else one.encode("unicode_escape").decode("ascii") for one in value
    )
