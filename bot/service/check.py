"""What `bot88 check` prints: problems, the rules in plain words, and the settings."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from bot.account.challenges.challenge_rules import effective_rules
from bot.account.challenges.user_lists import unreadable_files
from bot.account.visibility import account_advice
from bot.engine_pool.pool import EnginePool
from bot.lichess.gateway import Gateway
from bot.move_sources import check_sources
from bot.service.build import start_engines
from bot.service.signals import StopSignals
from bot.service.startup_checks import COMMAND_GIVES_UP_AFTER_S, check_account, missing_scopes
from bot.settings import (
    ChallengeConditions,
    EngineEntry,
    EngineRule,
    GameConditions,
    Settings,
    SourceSettings,
    is_list,
    overrides,
)
from bot.settings.document import Place, escaped, to_yaml


def problems_of(settings: Settings) -> Iterator[tuple[Place, str]]:
    """Yield what is missing on this machine: engines, books, tablebases, lists of users. Starts nothing."""
    for index, entry in enumerate(settings.engines):
        if not _is_installed(entry):
            yield (
                ("engines", index, "command"),
                f"there is no program {entry.argv[0]}; install it or correct the command",
            )
    sources = settings.move_sources
    for index, book in enumerate(sources.books):
        if problem := check_sources(SourceSettings(books=(book,))):
            yield ("move_sources", "books", index, "path"), problem
    for kind in ("syzygy", "gaviota"):
        if problem := check_sources(SourceSettings.model_construct(**{kind: getattr(sources, kind)})):
            yield ("move_sources", kind, "paths"), problem.partition(": ")[2]
    yield from unreadable_files(settings)


def _is_installed(entry: EngineEntry) -> bool:
    program = entry.argv[0]
    if entry.working_dir is not None and "/" in program:
        return shutil.which(entry.working_dir / program) is not None
    return shutil.which(program) is not None


def summary(settings: Settings, name: str, environ: Mapping[str, str]) -> str:
    """Return the verdict on the file `name`, which is good, its rules in words, and the keys that it changes."""
    changed = settings.model_dump(mode="json", exclude_defaults=True)
    parts = [f"{name}: no problems found", rules_in_words(settings)]
    if changed:
        keys = to_yaml(changed).rstrip()
        parts.append(f"changed keys (`bot88 check --all` prints all):\n{textwrap.indent(keys, '  ')}")
    else:
        parts.append("every key has its default (`bot88 check --all` prints all)")
    parts += ["\n".join(_variables(environ))] if any(_variables(environ)) else []
    return escaped("\n\n".join(parts)) + "\n"


def configuration(settings: Settings, environ: Mapping[str, str]) -> str:
    """Return all settings as YAML, ready to be a configuration file; secrets are hidden.

    Comments at the top name the variables of `environ` that have overridden keys, and state the rules in words.
    """
    notes = [f"# {line}\n" for line in (*_variables(environ), *rules_in_words(settings).splitlines())]
    return escaped("".join(notes)) + to_yaml(settings.model_dump(mode="json"))


def _variables(environ: Mapping[str, str]) -> Iterator[str]:
    yield from (f"{'.'.join(map(str, place))} is set by {name}" for name, place in overrides(environ))


def check_start_up(settings: Settings) -> str:
    """Try token, account and engines. Raises StartUpError.

    Returns a line for people, one for each scope that the token lacks, and one on who can find the bot.
    """
    gateway = Gateway(settings.lichess.url, settings.token)
    signals = StopSignals()
    pool = EnginePool(settings.engines)
    try:
        account = check_account(gateway, settings, signals, give_up_after_s=COMMAND_GIVES_UP_AFTER_S)
        missing = missing_scopes(gateway, settings)
        start_engines(pool, signals)
    finally:
        pool.close()
        gateway.close()
    off = "".join(f"\nthe token lacks {one.scope}: {one.consequence} ({one.key})" for one in missing)
    return f"ready to play as {account.username} on {gateway.url}{off}\n{account_advice(account, gateway.url)}"


_KINDS = {"human": "people", "bot": "bots", "ai": "the server's AI"}
_TIME_CONTROLS = {"clock": "with a clock", "correspondence": "correspondence", "unlimited": "without any clock"}
#: Pairs of limits `min_NAME` and `max_NAME`, and their wording.
_RANGES = {
    "rating": "rated {}",
    "rating_difference": "rated {} points away from us",
    "limit_s": "{} s at the start",
    "increment_s": "increment {} s",
    "duration_s": "expected to last {} s",
    "days": "{} days a move",
    "account_days": "account {} days old",
    "games": "account with {} games",
    "open_games": "games and challenges with us already: {}",
}
MOST_USERS = 8


def rules_in_words(settings: Settings) -> str:
    """Return the lists, a line for each rule."""
    lines = ["challenges; the first rule that matches decides:"]
    effective = effective_rules(settings.challenges)
    for number, (key, rule) in enumerate(effective, 1):
        end = "accepted" if rule.accept else f'declined, "{rule.decline}"'
        unless = f", unless {_words(rule.unless)}" if rule.unless is not None else ""
        lines.append(f"  {number}. {_words(rule) or 'all'}{unless}: {end} ({key})")
    lines.append(f"  {len(effective) + 1}. all others: accepted")
    lines.append("  a variant that no engine plays is always declined; a rule about something unknown does not match")
    played = {variant for entry in settings.engines for variant in entry.variants}
    if missing := [variant for variant in settings.challenges.variants if variant not in played]:
        lines.append(f"  so {', '.join(missing)} is declined: no entry of `engines` has it among its `variants`")
    lines.append("engines; the first rule that matches decides:")
    lines += [f"  {number}. {line}" for number, line in enumerate(_engine_lines(settings), 1)]
    if settings.conduct.rules:
        lines.append("conduct; the first rule that matches decides:")
        lines += [f"  {number}. {line}" for number, line in enumerate(_conduct_lines(settings), 1)]
    return "\n".join(lines)


def _conduct_lines(settings: Settings) -> Iterator[str]:
    for rule in settings.conduct.rules:
        named = rule.model_dump(exclude_unset=True, exclude=set(GameConditions.model_fields))
        yield f"{_words(rule) or 'all games'}: {', '.join(_flat(named)) or 'as usual'}"


def _flat(keys: dict[str, Any], above: str = "") -> Iterator[str]:
    for name, value in keys.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name} {yaml.safe_dump(value, default_flow_style=True).splitlines()[0]}"


def _engine_lines(settings: Settings) -> Iterator[str]:
    for rule in settings.rules:
        yield f"{_words(rule) or 'all games'}: {', '.join(_orders(rule)) or 'all engines'}"
    ponder = f"pondering {'on' if settings.clock.ponder else 'off'}"
    yield f"all {'other ' if settings.rules else ''}games: all engines that play the variant, {ponder}"


def _orders(rule: EngineRule) -> Iterator[str]:
    yield f"engine {', then '.join(rule.engines)}" if rule.engines else "all engines"
    if rule.level is not None:
        yield "at the opponent's rating" if rule.level == "opponent" else f"at level {rule.level}"
    if rule.ponder is not None:
        yield f"pondering {'on' if rule.ponder else 'off'}"
    if rule.options:
        yield f"with {', '.join(f'{name} {value}' for name, value in rule.options.items())}"
    if rule.min_move_share:
        yield f"{rule.min_move_share:.1%} of the clock a move at the least"
    for name, unit in (("depth", "plies"), ("nodes", "nodes"), ("move_time_s", "s")):
        if getattr(rule, name) is not None:
            yield f"{getattr(rule, name):g} {unit} a move at the most"


def _words(conditions: ChallengeConditions | GameConditions) -> str:
    return ", ".join(_parts(conditions))


def _parts(conditions: ChallengeConditions | GameConditions) -> Iterator[str]:
    if conditions.users is not None:
        yield _users(conditions.users)
    if conditions.opponents is not None:
        yield _either(_KINDS[kind] for kind in conditions.opponents)
    for listed in (getattr(conditions, "titles", None), conditions.variants, conditions.speeds):
        if listed is not None:
            yield _either(listed)
    if conditions.mode is not None:
        yield conditions.mode
    if isinstance(conditions, GameConditions):
        if conditions.color is not None:
            yield f"with the {conditions.color} pieces"
        if conditions.tournament is not None:
            yield "in tournaments" if conditions.tournament else "outside tournaments"
    elif conditions.time_controls is not None:
        yield _either(_TIME_CONTROLS[kind] for kind in conditions.time_controls)
    for name, text in _RANGES.items():
        least, most = (getattr(conditions, f"{end}_{name}", None) for end in ("min", "max"))
        if least is not None or most is not None:
            yield text.format(_range(least, most))
    if isinstance(conditions, ChallengeConditions):
        if conditions.rematch is not None:
            yield "a rematch" if conditions.rematch else "no rematch"
        if conditions.min_recent_games is not None:
            yield f"at least {conditions.min_recent_games} games with us within {conditions.recent_s:g} s"


def _users(users: tuple[str, ...]) -> str:
    shown = [f"those in {user}" if is_list(user) else user for user in users[:MOST_USERS]]
    return _either([*shown, *([f"{len(users) - MOST_USERS} more"] if len(users) > MOST_USERS else [])])


def _either(words: Iterable[str]) -> str:
    *first, last = tuple(words) or ("nothing",)
    return f"{', '.join(first)} or {last}" if first else last


def _range(least: int | None, most: int | None) -> str:
    if least is None:
        return f"at most {most}"
    if most is None:
        return f"at least {least}"
    return str(least) if least == most else f"{least} to {most}"
