"""From file and environment to settings; where the token comes from, and that it never leaves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.settings import TOKEN_VARIABLE, Settings, load_settings, parse_settings

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
