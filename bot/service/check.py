"""`bot88 check`: shows the settings in force, and tries whether the bot would start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import SecretStr

from bot.account.challenges.user_lists import check_list_files
from bot.engine_pool import EnginePool
from bot.errors import ConfigurationError, EngineStartError, StartUpError
from bot.lichess import Gateway
from bot.log import HIDDEN
from bot.move_sources import check_sources
from bot.service.rules_in_words import rules_in_words
from bot.service.signals import ExitCode, StopSignals
from bot.service.startup_checks import COMMAND_GIVES_UP_AFTER_S, check_account, check_scopes
from bot.settings import Settings, overrides
from bot.settings.document import escaped, to_yaml


def describe(settings: Settings, environ: Mapping[str, str] | None = None) -> str:
    """Return all settings as YAML, ready to be a configuration file; the token is hidden.

    Comments at the top name the variables of `environ` that have overridden keys, and tell the rules in words. Raises
    ConfigurationError when a book, a tablebase or a list of users that is named cannot be read.
    """
    problem = check_sources(settings.move_sources)
    if problem:
        raise ConfigurationError(problem)
    check_list_files(settings)
    notes = [f"# {'.'.join(map(str, place))} is set by {name}\n" for name, place in overrides(environ or {})]
    notes += [f"# {line}\n" for line in rules_in_words(settings).splitlines()]
    return escaped("".join(notes)) + to_yaml(_plain(settings.model_dump()))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, SecretStr):
        return HIDDEN
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def check_start_up(settings: Settings) -> str:
    """Try token, account and engines. Raises StartUpError.

    Returns a line for people, and one for each scope that the token lacks.
    """
    gateway = Gateway(settings.lichess.url, settings.token)
    signals = StopSignals()
    pool = EnginePool(settings.engines)
    try:
        account = check_account(gateway, settings, signals, give_up_after_s=COMMAND_GIVES_UP_AFTER_S)
        missing = check_scopes(gateway, settings)
        pool.start()
    except EngineStartError as error:
        raise StartUpError(
            f"no engine runs: {error}", "correct `engines:` in the configuration", ExitCode.ENGINE
        ) from error
    finally:
        pool.close()
        gateway.close()
    off = "".join(f"\nthe token lacks {' or '.join(one.scopes)}: {one.consequence} ({one.key})" for one in missing)
    return f"ready to play as {account.username} on {gateway.url}{off}"
