"""From file and environment to settings, the token's way in, and what must never come out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.settings import TOKEN_VARIABLE, Settings, load_settings, parse_settings

ROOT = Path(__file__).resolve().parents[4]


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
    assert settings.store == tmp_path / "conf" / "../data/x.sqlite3"
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
    with pytest.raises(ConfigurationError, match=r"missing\.yml: there is no such file"):
        load_settings(tmp_path / "missing.yml", {})
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_settings(tmp_path, {})
    (tmp_path / "binary.yml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_settings(tmp_path / "binary.yml", {})


def test_settings_do_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().concurrency = 5
