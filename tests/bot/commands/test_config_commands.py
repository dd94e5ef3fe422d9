"""The commands about configuration files: what they print, and what they write where."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.commands.init import write_configuration
from bot.commands.options import DEFAULT_CONFIG, load_configuration
from bot.errors import ConfigurationError
from bot.settings import Settings, load_settings, parse_settings
from bot.settings.reference import schema_text
from tests.bot.commands.test_cli import call


def test_schema_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "schema") == 0
    assert capsys.readouterr().out == schema_text()


def test_migrate_config_prints_yaml_and_says_the_rest_beside_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.yml").write_text("token: lip_x\nengine: {name: a, dir: bin}\n", encoding="utf-8")
    assert call(monkeypatch, "migrate-config", "theirs.yml") == 0
    out, err = capsys.readouterr()
    assert parse_settings(out, "out").engines[0].command == (str(tmp_path / "bin" / "a"),)
    assert out.rstrip("\n") + "\n" == out  # the file's own end and no more
    assert err == "theirs.yml:1: token: is left out; set BOT88_TOKEN, or use --with-token\n"


def test_migrate_config_writes_a_new_file_for_its_owner_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.yml").write_text("token: lip_x\nengine: {name: a}\n", encoding="utf-8")
    command = ("migrate-config", "theirs.yml", "--with-token", "-o", "ours.yml")
    assert call(monkeypatch, *command) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("", "wrote ours.yml; try: bot88 check ours.yml --start-up, and play: bot88 run -c ours.yml\n")
    written = Path("ours.yml").read_text(encoding="utf-8")
    assert parse_settings(written, "ours").token == "lip_x"
    assert Path("ours.yml").stat().st_mode & 0o077 == 0
    assert call(monkeypatch, *command) == 2
    assert "ours.yml: exists already" in capsys.readouterr().err
    assert call(monkeypatch, "migrate-config", "none.yml") == 2
    assert call(monkeypatch, "check", "--config", "ours.yml") == 2
    missing = f"bot88: ours.yml:9: engines[1].command: there is no program {tmp_path}/a;"
    assert capsys.readouterr().err.splitlines()[-1].startswith(missing)


@pytest.mark.parametrize(("content", "problem"), [(None, "no such file"), (b"\xff\xfe\x00", "cannot be read: ")])
def test_a_file_that_cannot_be_read_is_named(
    content: bytes | None,
    problem: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("theirs.yml").write_bytes(content)
    assert call(monkeypatch, "migrate-config", "theirs.yml") == 2
    assert capsys.readouterr().err.startswith(f"bot88: theirs.yml: {problem}")


def test_where_nothing_can_be_written_the_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.yml").write_text("token: lip_x\nengine: {name: a}\n", encoding="utf-8")
    Path("none").touch()
    assert call(monkeypatch, "migrate-config", "theirs.yml", "-o", "none/ours.yml") == 2
    assert capsys.readouterr().err.startswith("bot88: none/ours.yml: cannot be written: ")


def test_without_the_token_it_says_where_to_put_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.yml").write_text("engine: {name: a}\n", encoding="utf-8")
    assert call(monkeypatch, "migrate-config", "theirs.yml", "-o", "ours.yml") == 0
    say = "wrote ours.yml; put the token into the environment variable BOT88_TOKEN, then try: bot88 check ours.yml"
    assert capsys.readouterr().err.startswith(say)
    assert "lip_" not in Path("ours.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["bot88.yml", "config/bot88.yml"])
def test_data_stays_below_the_folder_it_was_written_in(name: str, tmp_path: Path) -> None:
    write_configuration(tmp_path / name)
    settings = load_settings(tmp_path / name, {})
    first = (tmp_path / name).read_text(encoding="utf-8").splitlines()[0]
    schema = (tmp_path / name).with_name(first.partition("$schema=")[2])
    assert schema.read_text(encoding="utf-8") == schema_text(), "the file that the first line names for editors"
    assert settings.store is not None
    assert settings.store.resolve() == tmp_path / "data" / "bot88.sqlite3"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"file/bot88\.yml: cannot be written: File exists$"):
        write_configuration(tmp_path / "file" / "bot88.yml")


def test_what_is_there_is_kept_unless_it_may_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "bot88.yml"
    write_configuration(path)
    path.write_text("mine: true\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="exists already; give another path, or --force to overwrite it"):
        write_configuration(path)
    assert path.read_text(encoding="utf-8") == "mine: true\n"
    write_configuration(path, overwrite=True)
    assert load_settings(path, {}).store is not None


def test_the_file_given_else_the_one_here_else_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_configuration(None) == Settings()
    DEFAULT_CONFIG.parent.mkdir()
    DEFAULT_CONFIG.write_text("concurrency: 5\n", encoding="utf-8")
    Path("other.yml").write_text("concurrency: 6\n", encoding="utf-8")
    assert load_configuration(None).concurrency == 5
    assert load_configuration(Path("other.yml")).concurrency == 6


@pytest.mark.parametrize(
    ("secret", "named"),
    [
        ("lichess: {token_file: no-such-file}", "lichess.token_file"),
        ("dashboard: {password_file: no-such-file}", "dashboard.password_file"),
    ],
)
def test_files_of_secrets_are_read_where_they_are_wanted(secret: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "my.yml"
    path.write_text(secret, encoding="utf-8")
    assert load_configuration(path, with_secrets=False) == load_settings(path, {}, with_secrets=False)
    with pytest.raises(ConfigurationError, match=f"{named}: .*no-such-file cannot be read"):
        load_configuration(path)


def test_the_environment_counts_without_a_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOT88__CONCURRENCY", "8")
    assert load_configuration(None).concurrency == 8
