"""The log: events with fields, for people (console) or machines (JSON lines).

The token never appears in it, and logging never blocks the caller: each destination has a bounded queue and a writer
thread.
"""

from bot.log.setup import HIDDEN, Redactor, configure_log, flush_log, get_logger, quiet_console
