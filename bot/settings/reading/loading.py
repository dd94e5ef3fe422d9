"""From a YAML file and the environment to Settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr, ValidationError

from bot.errors import ConfigurationError
from bot.settings.dashboard import SHORTEST_PASSWORD
from bot.settings.model import Settings
from bot.settings.reading.environment import with_environment
from bot.settings.reading.explain import explain
from bot.settings.reading.renamed import Say, silent, with_new_names
from bot.settings.reading.yaml_lines import read_document

#: The environment variable that carries the token; it wins over the file.
TOKEN_VARIABLE = "BOT88_TOKEN"


def load_settings(path: Path, environ: Mapping[str, str], say: Say = silent, *, with_secrets: bool = True) -> Settings:
    """Read the configuration file; `say` is told of old names. Raises ConfigurationError: file, line, key, remedy.

    `with_secrets` False: files that hold a secret are not opened, for they may be the bot's alone.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: there is no such file; give another with --config") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error
    folder = path.resolve().parent
    return parse_settings(text, str(path), folder=folder, environ=environ, say=say, with_secrets=with_secrets)


def parse_settings(
    text: str,
    name: str,
    *,
    folder: Path | None = None,
    environ: Mapping[str, str] | None = None,
    say: Say = silent,
    with_secrets: bool = True,
) -> Settings:
    """Read configuration text; `name` stands for the file in messages, relative paths start from `folder`.

    Variables of `environ` override the text's keys (see environment.py). `with_secrets` as for load_settings.
    """
    document = with_new_names(with_environment(read_document(text, name), environ or {}), name, say)
    try:
        settings = Settings.model_validate(_without_empty(document.data), context={"folder": folder})
    except ValidationError as error:
        raise ConfigurationError(explain(error, document, name, Settings)) from None
    if not with_secrets:
        return settings
    return _with_dashboard_password(_with_token(settings, name, environ or {}), name)


def _without_empty(value: Any) -> Any:
    """A key with nothing behind it, as a section whose lines are all commented out, means the default."""
    if isinstance(value, dict):
        return {key: _without_empty(below) for key, below in value.items() if below is not None}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value


def _with_token(settings: Settings, name: str, environ: Mapping[str, str]) -> Settings:
    token = environ.get(TOKEN_VARIABLE, "").strip()
    source = TOKEN_VARIABLE
    file = settings.lichess.token_file
    if not token and file:
        token, source = _read_secret(file, f"{name}: lichess.token_file", "token"), str(file)
    if not token and settings.lichess.token:
        token, source = settings.lichess.token.get_secret_value().strip(), f"{name}: lichess.token"
    if not token:
        return settings
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(f"{source}: the token contains blanks or special characters; copy it again")
    update: dict[str, Any] = {"token": SecretStr(token)}
    return settings.model_copy(update={"lichess": settings.lichess.model_copy(update=update)})


def _with_dashboard_password(settings: Settings, name: str) -> Settings:
    dashboard = settings.dashboard
    if dashboard.password is not None or dashboard.password_file is None:
        return settings
    password = _read_secret(dashboard.password_file, f"{name}: dashboard.password_file", "password")
    if len(password) < SHORTEST_PASSWORD:
        words = f"the password is short; put one of {SHORTEST_PASSWORD} characters or more into it"
        raise ConfigurationError(f"{name}: dashboard.password_file: {dashboard.password_file}: {words}")
    return settings.model_copy(update={"dashboard": dashboard.model_copy(update={"password": SecretStr(password)})})


def _read_secret(path: Path, key: str, what: str) -> str:
    """Return what a file holds, without the blanks around it. Raises ConfigurationError."""
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{key}: {path} cannot be read: {error}") from error
    if not secret:
        raise ConfigurationError(f"{key}: {path} is empty; put the {what} into it")
    return secret
