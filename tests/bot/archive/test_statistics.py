"""`stats`: what is counted, as a table and as JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bot.archive.game_record import GameRecord
from bot.archive.statistics import OPENINGS_SHOWN, statistics, statistics_json, statistics_table
from tests.bot.archive.test_listing import GAMES
from tests.bot.commands.test_cli import call
from tests.helpers.finished_games import blitz, bot_in


def test_each_group_is_counted_and_games_without_result_are_left_out() -> None:
    found = statistics(GAMES)
    everything = found["all"]["all"]
    assert (everything.games, everything.wins, everything.draws, everything.losses) == (3, 1, 1, 1)
    assert {word: tally.games for word, tally in found["speed"].items()} == {"blitz": 2, "rapid": 1}
    assert (found["opponent"]["human"].games, found["opponent"]["human"].draws) == (1, 1)
    assert found["color"]["black"].score == 0.25
    assert list(found["mode"]) == ["rated"]
    assert everything.performance_rating is everything.opponent_rating is None


def test_the_performance_counts_games_against_rated_opponents_alone() -> None:
    rows = [replace(blitz("a", "1-0"), opponent_rating=2000), replace(blitz("b", "0-1"), opponent_rating=2000)]
    tally = statistics([*(row for row in rows), blitz("c", "1-0")])["all"]["all"]
    assert (tally.opponent_rating, tally.performance_rating) == (2000, 2000)
    assert tally.wins == 2


def openings(count: int) -> list[GameRecord]:
    """Games of that many openings, of the last one two."""
    names = [f"Opening {number} with a name that is long: X" for number in range(count)]
    return [replace(blitz(f"g{place}"), eco="A00", opening=name) for place, name in enumerate([*names, names[-1]])]


def test_openings_are_ordered_by_games_and_the_table_shows_the_first() -> None:
    found = statistics(openings(OPENINGS_SHOWN + 2))
    assert next(iter(found["opening"])) == f"Opening {OPENINGS_SHOWN + 1} with a name that is long"
    table = statistics_table(found)
    assert table.endswith("and 2 more openings: --json lists all\n")
    assert table.count("…") == OPENINGS_SHOWN
    assert max(map(len, table.splitlines())) <= 80
    assert "more openings" not in statistics_table(statistics(openings(OPENINGS_SHOWN)))


def test_the_table() -> None:
    rated = [replace(game, opponent_rating=2000 + 100 * place) for place, game in enumerate(GAMES)]
    lines = statistics_table(statistics(rated)).splitlines()
    assert lines[0] == "                   games  won  drawn  lost   score  opp.  perf."
    assert lines[1] == "all                    3    1      1     1   50.0%  2100   2100"
    assert [line[:18].split() for line in lines[2:]] == [
        ["opponent", "bot"], ["human"], ["speed", "blitz"], ["rapid"], ["color", "black"], ["white"],
        ["mode", "rated"], ["opening", "unknown"],
    ]  # fmt: skip
    lines = statistics_table(statistics(GAMES)).splitlines()
    assert lines[1] == "all                    3    1      1     1   50.0%     -      -"
    assert statistics_table(statistics([])) == "no games\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot_in(tmp_path, monkeypatch, *GAMES)


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "stats", "--json") == 0
    found = statistics(GAMES)
    assert json.loads(capsys.readouterr().out) == {
        group: {word: asdict(tally) for word, tally in tallies.items()} for group, tallies in found.items()
    }
    assert call(monkeypatch, "stats", "--since", "1h") == 0
    assert capsys.readouterr().out == "no games\n"
    assert json.loads(statistics_json(statistics([])))["all"] == {}
    game = replace(GAMES[0], opening="Grünfeld Defense: Exchange")
    assert '"Grünfeld Defense"' in statistics_json(statistics([game]))


def test_the_picture(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    for _ in range(2):  # a picture is replaced
        assert call(monkeypatch, "stats", "--plot", "out.svg") == 0
        shown = capsys.readouterr()
        assert shown.out == statistics_table(statistics(GAMES))
        assert shown.err == "3 games are drawn in out.svg\n"
    assert "<svg" in Path("out.svg").read_text(encoding="utf-8")
    assert call(monkeypatch, "stats", "--plot", "out.doc") == 2
    assert "--plot out.doc: the name must end in .svg, .png or .pdf" in capsys.readouterr().err
    assert call(monkeypatch, "stats", "--plot", "none/out.png") == 2
    assert "--plot none/out.png: cannot be written" in capsys.readouterr().err


def test_without_matplotlib_the_remedy_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert call(monkeypatch, "stats", "--plot", "out.svg") == 2
    assert "--plot needs matplotlib: pip install 'bot88[plots]'" in capsys.readouterr().err
