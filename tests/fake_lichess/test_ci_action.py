"""The action for other bots' CI, its configurations, and the compose file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.fake_lichess.cli import main
from bot.fake_lichess.scenario import scenario_names
from bot.fake_lichess.wire.tls import HOST_NAMES
from tests.helpers.engines import tiny_engine
from tests.helpers.shared import shared_data

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "fake-lichess"
PAGE = (ROOT / "docs" / "fake-lichess-ci.md").read_text(encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document


def test_the_page_shows_the_inputs_and_every_scenario() -> None:
    inputs = read(ACTION / "action.yml")["inputs"]
    assert {name for name, text in inputs.items() if text.get("required")} == {"scenario", "bot-command"}
    for name in inputs:
        assert f"`{name}`" in PAGE
    shown = re.search(r"scenario: \[(.+?)\]", PAGE)
    assert shown is not None
    assert sorted(shown[1].split(", ")) == scenario_names()


def test_the_action_starts_the_bot_and_takes_the_status_of_the_scenario(tmp_path: Path) -> None:
    """Its step, as the runner runs it, with this tree's command in the place of the installed one."""
    command = tmp_path / "fake-lichess" / "bin" / "fake-lichess"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m bot.fake_lichess "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    step = read(ACTION / "action.yml")["runs"]["steps"][1]
    bot = 'test "$LICHESS_BOT_TOKEN" = lip_mine && test -f "$FAKE_LICHESS_CONFIGS/botli.yml" && exit 9'
    given = {"SCENARIO": "calm", "BOT_COMMAND": bot, "BOT": "MyBot=lip_mine", "PORT": "0", "FAULTS": "", "SEED": "3"}
    assert set(given) == set(step["env"])
    environment = os.environ | given | {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ACTION)}
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(shell, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "seed 3" in done.stdout
    assert "the bot's command ended with status 9" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("scenario", scenario_names())
def test_bot88_is_a_good_bot(tmp_path: Path, scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "bot88.yml"
    tiny = {"name": "tiny", "command": list(tiny_engine()), "slots": 4}
    off = {"enabled": False}
    config.write_text(json.dumps({"engines": [tiny], "dashboard": off, "control": off}), encoding="utf-8")
    bot = f"""export BOT88_TOKEN="$LICHESS_TOKEN" BOT88__LICHESS__URL="$LICHESS_URL"
        cd {tmp_path}; PYTHONPATH={ROOT} exec {sys.executable} -m bot run -c {config}"""
    assert main(["--scenario", scenario, "--bot-command", bot]) == 0, capsys.readouterr().err


def keys(value: object, path: str = "") -> set[str]:
    """The paths of all keys, without the names that users choose."""
    if not isinstance(value, dict) or path.endswith(("uci_options", "types")):
        return set()
    found = set()
    for name, inner in value.items():
        found |= {f"{path}.{name}", *keys(inner, f"{path}.{name}")}
    return found


@pytest.mark.parametrize("bot", ["lichess-bot", "botli"])
def test_a_configuration_has_keys_that_the_bot_knows(bot: str) -> None:
    given = read(ACTION / f"{bot}.yml")
    known = read(shared_data(f"peers/{bot}-config.yml.default"))
    assert (given.pop("url").rstrip("/"), given["token"]) == ("http://127.0.0.1:8088", "lip_mine")
    assert keys(given) - keys(known) == set()
    if bot == "botli":  # which requires all its sections
        assert set(known) - set(given) == set()


def test_the_compose_file_names_the_fake_as_lichess() -> None:
    services = read(ROOT / "docs" / "deploy" / "fake-lichess.compose.yaml")["services"]
    assert set(services["fake"]["networks"]["default"]["aliases"]) <= set(HOST_NAMES)
    written = services["fake"]["command"][services["fake"]["command"].index("--tls") + 1]
    assert set(services["bot"]["environment"].values()) == {written}
    assert "AS fake-lichess\n" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
