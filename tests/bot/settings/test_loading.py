"""Settings from a file and from environment variables, and the messages where a value does not fit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.settings import TOKEN_VARIABLE, Settings, load_settings, overrides, parse_settings

ROOT = Path(__file__).resolve().parents[3]


def test_an_empty_file_means_the_defaults() -> None:
    assert parse_settings("", "f.yml") == Settings()
    assert parse_settings("# only a comment\n", "f.yml") == Settings()


def test_a_section_whose_lines_are_commented_out_means_the_defaults() -> None:
    assert parse_settings("lichess:\n  # token: x\nrules:\nconduct:\n  chat:\n", "f.yml") == Settings()


@pytest.mark.parametrize("name", ["bot88.yml", "offline.yml"])
def test_the_files_we_ship_are_right(name: str) -> None:
    settings = load_settings(ROOT / "config" / name, {})
    assert settings.engines[0].argv == (sys.executable, "-P", "-m", "engine88")


def test_the_packaged_offline_file_is_the_same() -> None:
    packaged = ROOT / "bot" / "offline" / "offline.yml"
    assert packaged.read_text(encoding="utf-8") == (ROOT / "config" / "offline.yml").read_text(encoding="utf-8")


def test_paths_start_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conf").mkdir()
    file = tmp_path / "conf" / "bot.yml"
    file.write_text("store: ../data/x.sqlite3\nlog: {file: /var/log/bot.log}\npgn_folder: ~/pgn\n", encoding="utf-8")
    monkeypatch.setenv("HOME", "/home/someone")
    settings = load_settings(file, {})
    assert settings.store == tmp_path / "data/x.sqlite3"
    assert settings.log.file == Path("/var/log/bot.log")
    assert settings.pgn_folder == Path("/home/someone/pgn")


def test_one_word_stands_for_a_list_of_one() -> None:
    settings = parse_settings("challenges:\n  variants: chess960\nengines:\n  name: x\n  command: a 'b c'\n", "f.yml")
    assert settings.challenges.variants == ("chess960",)
    assert settings.engines[0].command == ("a", "b c")


def test_the_token_from_the_environment_wins(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("lip_file\n", encoding="utf-8")
    file = tmp_path / "bot.yml"
    file.write_text("lichess:\n  token: lip_yaml\n  token_file: token\n", encoding="utf-8")
    assert load_settings(file, {TOKEN_VARIABLE: "lip_env"}).token == "lip_env"
    assert load_settings(file, {}).token == "lip_file"
    file.write_text("lichess:\n  token: lip_yaml\n", encoding="utf-8")
    assert load_settings(file, {TOKEN_VARIABLE: " "}).token == "lip_yaml"
    assert Settings().token == ""


def test_the_token_is_in_no_text_of_the_settings() -> None:
    settings = parse_settings("lichess:\n  token: lip_secret\n", "f.yml")
    assert settings.token == "lip_secret"
    assert "lip_secret" not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"


def test_the_token_is_in_no_error() -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_settings("lichess:\n  token: [lip_secret]\n  url: 5\n", "f.yml")
    assert "lip_secret" not in str(refused.value)


@pytest.mark.parametrize("content", ["", "  \n", None])
def test_a_token_file_without_a_token_is_named(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "token").write_text(content, encoding="utf-8")
    file = tmp_path / "bot.yml"
    file.write_text("lichess:\n  token_file: token\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="token_file"):
        load_settings(file, {})


@pytest.mark.parametrize("token", ["lip a", "lip\ttab", "lipé", "a\nb"])
def test_a_token_that_no_header_can_carry_is_refused_without_showing_it(token: str) -> None:
    with pytest.raises(ConfigurationError, match=TOKEN_VARIABLE) as refused:
        parse_settings("", "f.yml", environ={TOKEN_VARIABLE: token})
    assert token not in str(refused.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"missing\.yml: no such file"):
        load_settings(tmp_path / "missing.yml", {})
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_settings(tmp_path, {})
    (tmp_path / "binary.yml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_settings(tmp_path / "binary.yml", {})


def test_settings_do_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().concurrency = 5


@pytest.mark.parametrize(
    ("text", "environ", "source"),
    [
        ("lichess: {token: 'lip a'}", {}, "f.yml: lichess.token"),
        ("lichess: {token_file: token}", {}, "token"),
        ("{}", {TOKEN_VARIABLE: "lip\u00e9"}, TOKEN_VARIABLE),
    ],
)
def test_where_a_token_that_cannot_be_used_was_found(
    text: str, environ: dict[str, str], source: str, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text("lip\x07x", encoding="utf-8")
    with pytest.raises(ConfigurationError) as refused:
        parse_settings(text, "f.yml", folder=tmp_path, environ=environ)
    where, said = str(refused.value).split(": the token contains ")
    assert where.removeprefix(f"{tmp_path}/") == source
    assert said == "blanks or special characters; copy it again"


@pytest.mark.parametrize(("length", "taken"), [(7, False), (8, True)])
def test_a_password_in_a_file_is_as_long_as_one_in_the_key(length: int, taken: bool, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x" * length + "\n", encoding="utf-8")
    text = "dashboard: {password_file: secret}"
    if taken:
        password = parse_settings(text, "f.yml", folder=tmp_path).dashboard.password
        assert password is not None
        assert password.get_secret_value() == "x" * length
    else:
        with pytest.raises(ConfigurationError, match="the password is too short; use 8 characters or more"):
            parse_settings(text, "f.yml", folder=tmp_path)


@pytest.mark.parametrize(
    ("text", "what"), [("lichess: {token_file: secret}", "token"), ("dashboard: {password_file: secret}", "password")]
)
def test_a_file_of_a_secret_that_holds_none_is_named(text: str, what: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    for content, problem in ((b" \n", f"is empty; put the {what} into it"), (b"\xff\xfe\x00", "cannot be read: ")):
        secret.write_bytes(content)
        with pytest.raises(ConfigurationError, match=rf"{what}_file: .*{problem}"):
            parse_settings(text, "f.yml", folder=tmp_path)
        assert parse_settings(text, "f.yml", folder=tmp_path, with_secrets=False)


def test_what_is_empty_within_a_list_means_the_default_too() -> None:
    text = "rules: [{depth: 3, nodes: }]\nchallenges: {rules: [{decline: later, unless: }]}"
    settings = parse_settings(text, "f.yml")
    assert (settings.rules[0].depth, settings.rules[0].nodes) == (3, None)
    assert settings.challenges.rules[0].unless is None


FILE = "clock:\n  ponder: false\n  min_overhead_ms: 1\nchallenges:\n  queue: 5\n"


def test_a_variable_wins_over_the_file_and_leaves_its_neighbours() -> None:
    settings = parse_settings(FILE, "f.yml", environ={"BOT88__CLOCK__PONDER": "true", "BOT88__CONCURRENCY": "7"})
    assert settings.clock.ponder is True
    assert settings.clock.min_overhead_ms == 1
    assert settings.challenges.queue == 5
    assert settings.concurrency == 7


@pytest.mark.parametrize(
    ("variable", "value", "path", "expected"),
    [
        ("BOT88__CHALLENGES__QUEUE", "3", "challenges.queue", 3),
        ("BOT88__CONDUCT__CHAT__GREETING", '"Hello: {opponent}"', "conduct.chat.greeting", "Hello: {opponent}"),
        ("BOT88__CHALLENGES__SPEEDS", "[blitz, rapid]", "challenges.speeds", ("blitz", "rapid")),
        ("BOT88__CHALLENGES__SPEEDS", "blitz", "challenges.speeds", ("blitz",)),
        ("BOT88__CLOCK", "{ponder: true}", "clock.ponder", True),
        ("BOT88__CHALLENGES__QUEUE", "", "challenges.queue", 10),
        ("BOT88__clock__Ponder", "true", "clock.ponder", True),
    ],
    ids=["number", "quoted text", "list", "one word", "whole section", "empty means the default", "case"],
)
def test_values_are_yaml(variable: str, value: str, path: str, expected: object) -> None:
    found: object = parse_settings(FILE, "f.yml", environ={variable: value})
    for part in path.split("."):
        found = getattr(found, part)
    assert found == expected


def test_a_key_goes_over_the_section_it_is_in() -> None:
    environ = {"BOT88__CLOCK__PONDER": "true", "BOT88__CLOCK": "{ponder: false, max_move_s: 9}"}
    clock = parse_settings(FILE, "f.yml", environ=environ).clock
    assert (clock.ponder, clock.max_move_s, clock.min_overhead_ms) == (True, 9, 30)


def test_a_list_is_replaced_as_a_whole() -> None:
    environ = {"BOT88__ENGINES": "[{name: a, command: x}, {name: b, command: y}]"}
    settings = parse_settings("engines: [{name: c}]\n", "f.yml", environ=environ)
    assert [entry.name for entry in settings.engines] == ["a", "b"]


def test_relative_paths_start_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "bot.yml").write_text("", encoding="utf-8")
    settings = load_settings(tmp_path / "bot.yml", {"BOT88__STORE": "data/x.sqlite3"})
    assert settings.store == tmp_path / "data/x.sqlite3"


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        (
            {"BOT88__CHALLENGES__QUEU": "3"},
            'BOT88__CHALLENGES__QUEU: challenges.queu: unknown key; did you mean "queue"?',
        ),
        ({"BOT88__QUEUE": "3"}, 'BOT88__QUEUE: queue: unknown key here; it belongs to "challenges"'),
        ({"BOT88__CONCURRENCY": "many"}, "BOT88__CONCURRENCY: concurrency: must be a whole number"),
        ({"BOT88__CONCURRENCY__X": "3"}, "BOT88__CONCURRENCY__X: concurrency: must be a whole number"),
        ({"BOT88__CLOCK": "{pondr: true}"}, 'BOT88__CLOCK: clock.pondr: unknown key; did you mean "ponder"?'),
        ({"BOT88__LOG__LEVEL": "inf"}, "BOT88__LOG__LEVEL: log.level: 'inf' is not known; did you mean \"info\"?"),
        (
            {"BOT88__CHALLENGES__MIN_DAYS": "15"},
            "f.yml:4 and BOT88__CHALLENGES__MIN_DAYS: challenges: min_days (15) is greater than max_days (14)",
        ),
        (
            {"BOT88__CLOCK__PONDER": "[true"},
            "BOT88__CLOCK__PONDER: this is not YAML: expected ',' or ']', but got '<stream end>'; put text in quotes",
        ),
        ({"BOT88__STORE": "2026-13-45"}, "BOT88__STORE: this is not YAML: month must be in 1..12; put text in quotes"),
        ({"BOT88__": "1"}, "BOT88__: names no key; write BOT88__SECTION__KEY"),
        ({"BOT88__CLOCK____PONDER": "1"}, "BOT88__CLOCK____PONDER: names no key"),
        ({"BOT88__X": "1", "BOT88__x": "2"}, "BOT88__x: sets the same key as BOT88__X; remove one"),
        (
            {"BOT88__CHALLENGES__QUEUE__X": "1"},
            "BOT88__CHALLENGES__QUEUE__X: the key above it holds a list or a value; set BOT88__CHALLENGES__QUEUE as a",
        ),
    ],
)
def test_a_variable_that_does_not_fit_is_named(environ: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_settings(FILE, "f.yml", environ=environ)
    assert str(refused.value).startswith(message)


def test_the_lines_of_the_file_are_still_named() -> None:
    with pytest.raises(ConfigurationError, match=r"^f\.yml:2: clock\.pondr: unknown key"):
        parse_settings("clock:\n  pondr: 1\n", "f.yml", environ={"BOT88__CONCURRENCY": "1"})


def test_other_variables_are_left_alone() -> None:
    environ = {"BOT88_CONFIG": "x.yml", TOKEN_VARIABLE: "lip_env", "BOT88X__CONCURRENCY": "9", "HOME": "/"}
    settings = parse_settings("", "f.yml", environ=environ)
    assert settings.concurrency == Settings().concurrency
    assert settings.token == "lip_env"
    assert list(overrides(environ)) == []


def test_the_token_variable_wins_over_the_key_and_neither_is_shown() -> None:
    environ = {"BOT88__LICHESS__TOKEN": "lip_key"}
    assert parse_settings("lichess: {token: lip_file}", "f.yml", environ=environ).token == "lip_key"
    assert parse_settings("", "f.yml", environ={**environ, TOKEN_VARIABLE: "lip_env"}).token == "lip_env"
    with pytest.raises(ConfigurationError) as refused:
        parse_settings("", "f.yml", environ={"BOT88__LICHESS__TOKEN": "[lip_secret]"})
    assert "lip_secret" not in str(refused.value)


def test_sections_come_before_what_is_in_them() -> None:
    environ = {"BOT88__A__B": "1", "BOT88__A": "{}", "BOT88__Z": "1", "BOT88__A__B__C": "1", "PATH": "x"}
    found = list(overrides(environ))
    assert sorted(found) == [
        ("BOT88__A", ("a",)),
        ("BOT88__A__B", ("a", "b")),
        ("BOT88__A__B__C", ("a", "b", "c")),
        ("BOT88__Z", ("z",)),
    ]
    assert [len(place) for _variable, place in found] == [1, 1, 2, 3]


@pytest.mark.parametrize(
    ("environ", "enabled"),
    [
        ({"BOT88__DASHBOARD__PORT": "9000"}, True),
        ({"BOT88__DASHBOARD__ENABLED": "false"}, False),
        ({"BOT88__DASHBOARD__PORT": "9000", "BOT88__DASHBOARD__ENABLED": "false"}, False),
        ({"BOT88__CONCURRENCY": "3"}, False),
    ],
)
def test_a_port_named_here_leaves_the_rest_of_its_section(environ: dict[str, str], enabled: bool) -> None:
    text = "dashboard: {enabled: false, host: '::1', password: eight or more}"
    dashboard = parse_settings(text, "f.yml", environ=environ).dashboard
    assert (dashboard.enabled, dashboard.host) == (enabled, "::1")
    assert dashboard.password is not None
