"""The command line: options that reach their place, and what holds where none is given."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

import bot.fake_lichess.cli
import bot.offline
from bot.offline import OfflineOptions
from bot.settings import TOKEN_VARIABLE
from tests.bot.commands.test_cli import call


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the checkout's configuration nor the user's token takes part."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    monkeypatch.delenv("BOT88_CONFIG", raising=False)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ((), (None, {"plain": False})),
        (("--plain", "--give-up-after", "5"), (5.0, {"plain": True})),
    ],
)
def test_run_options_arrive(words: tuple[str, ...], asked: object, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def run(_settings: object, _read: object, give_up_after_s: float | None, **options: object) -> int:
        seen.append((give_up_after_s, options))
        return 0

    monkeypatch.setattr("bot.service.run.run_bot", run)
    assert call(monkeypatch, "run", *words) == 0
    assert seen == [asked]


def test_run_reads_the_same_file_again_when_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(settings: Any, read: Any, _give_up_after_s: object, **_options: object) -> int:
        assert settings.concurrency == 2
        Path("my.yml").write_text("concurrency: 3\n", encoding="utf-8")
        return int(read().concurrency)

    Path("my.yml").write_text("concurrency: 2\n", encoding="utf-8")
    monkeypatch.setattr("bot.service.run.run_bot", run)
    assert call(monkeypatch, "run", "-c", "my.yml") == 3


@pytest.mark.parametrize(("words", "confirmed"), [((), False), (("--yes",), True)])
def test_an_account_becomes_a_bot_without_a_question_only_where_it_is_said(
    words: tuple[str, ...], confirmed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def upgrade(_settings: object, *, confirmed: bool) -> int:
        seen.append(confirmed)
        return 1

    monkeypatch.setattr("bot.service.upgrade.upgrade_account", upgrade)
    assert call(monkeypatch, "upgrade", *words) == 1
    assert seen == [confirmed]


@pytest.mark.parametrize(("words", "tried"), [((), 0), (("--start-up",), 1)])
def test_check_tries_token_and_engines_only_where_it_is_said(
    words: tuple[str, ...], tried: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.service.check.check_start_up", lambda _settings: "all is well")
    assert call(monkeypatch, "check", *words) == 0
    assert capsys.readouterr().out.count("all is well") == tried


def test_offline_options_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[OfflineOptions] = []

    def play(options: OfflineOptions) -> int:
        seen.append(options)
        return 1

    monkeypatch.setattr(bot.offline, "play_offline", play)
    many = (
        "offline --games 4 --concurrency 2 --clock 0.5+1 --opponent random --seed 3 --json --faults storm --port 9 "
        "--variant chess960 --level easy"
    )
    for words in (many, "offline", "offline --browser", "offline --browser --games 2"):
        assert call(monkeypatch, *words.split()) == 1
    assert seen == [
        OfflineOptions(
            4, 2, (30.0, 1.0), "random", 3, json=True, faults="storm", port=9, variant="chess960", level="easy"
        ),
        OfflineOptions(clock=(30.0, 0.0)),
        OfflineOptions(0, clock=(30.0, 0.0), browser=True),
        OfflineOptions(2, clock=(30.0, 0.0), browser=True),
    ]


def test_fake_lichess_reads_its_options_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[argparse.Namespace] = []

    def serve(options: argparse.Namespace) -> int:
        seen.append(options)
        return 0

    monkeypatch.setattr(bot.fake_lichess.cli, "serve", serve)
    words = ["--port", "9000", "--seed", "5", "--people", "3", "--bot", "Mine=lip_x", "--opponent", "engine3:stockfish"]
    assert call(monkeypatch, "fake-lichess", *words) == 0
    (options,) = seen
    assert (options.port, options.seed, options.people, options.faults) == (9000, 5, 3, None)
    assert (options.bots, options.opponents) == (["Mine=lip_x"], ["engine3:stockfish"])


def test_fake_lichess_has_the_help_of_the_distribution(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "fake-lichess", "--help") == 0
    assert capsys.readouterr().out.startswith("usage: bot88 fake-lichess ")
