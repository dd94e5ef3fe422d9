"""Leagues: who plays whom, whole games, resumed files, tables and ratings."""

from __future__ import annotations

import io
import math
import os
import signal
import subprocess
import sys
import urllib.request
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import pytest
from rich.console import Console

from bot.engine_pool.pool import EnginePool
from bot.errors import ConfigurationError
from bot.lab.league.league import League, LeagueOptions, LeagueState
from bot.lab.league.league_file import LeagueFile, Played, _whole_games, read_games
from bot.lab.league.league_game import play_alone, play_game
from bot.lab.league.page import page, serving
from bot.lab.league.schedule import OPENINGS, GameTask, parse_seconds, schedule
from bot.lab.league.table import bradley_terry, table
from bot.lab.league.view import View, fault_lines
from bot.lab.players import Contestant, parse_player, parse_players
from bot.settings import EngineEntry
from tests.helpers.engines import tiny_entry
from tests.helpers.processes import wait_until
from tests.helpers.python_engines import write

ROOT = Path(__file__).resolve().parents[3]
ENGINES = Path(__file__).with_name("engines")
FAST = (5.0, 0.05)


def named(name: str, elo: int | None = None) -> Contestant:
    return Contestant(name, EngineEntry(name=name), elo)


def played(white: str, black: str, result: str, number: int = 1, **more: object) -> Played:
    fields = {"termination": "checkmate", "clock": "5+0.05", "faults": {}, "versions": {}} | more
    return Played(str(number), white, black, result, **fields)  # type: ignore[arg-type]  # as the fields above


def test_every_opening_is_legal_and_there_once() -> None:
    boards = [GameTask(1, named("a"), named("b"), opening, FAST).board() for opening in OPENINGS]
    assert {len(board.move_stack) for board in boards} == {6}
    assert len({board.epd() for board in boards}) == len(OPENINGS)


@pytest.mark.parametrize(("gauntlet", "pairs"), [(False, {"ab", "ac", "bc"}), (True, {"ab", "ac"})])
def test_each_pair_plays_each_opening_with_both_colours(gauntlet: bool, pairs: set[str]) -> None:
    tasks = list(schedule([named(name) for name in "abc"], 3, FAST, gauntlet=gauntlet))
    assert Counter("".join(sorted(task.white.name + task.black.name)) for task in tasks) == dict.fromkeys(pairs, 6)
    for one, other in zip(tasks[::2], tasks[1::2], strict=True):
        assert (one.white, one.black, one.opening) == (other.black, other.white, other.opening)
    assert len({task.opening for task in tasks if {task.white.name, task.black.name} == {"a", "b"}}) == 3
    assert len({task.key for task in tasks}) == len(tasks)


@pytest.mark.parametrize("text", ["10", "10+", "0+1", "a+b", "10+1+1"])
def test_a_clock_is_seconds_and_increment(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"seconds and increment"):
        parse_seconds(text)
    assert parse_seconds("10+0.1") == (10.0, 0.1)


def test_two_players_are_rated_as_the_logistic_curve_says() -> None:
    """75 of 100 points are 190.8 Elo; the virtual draws take less than 4 of them."""
    (one, other), errors = bradley_terry([[(0, 0), (75, 100)], [(25, 100), (0, 0)]])
    assert one - other == pytest.approx(400 * math.log10(3), abs=4)
    assert one + other == pytest.approx(0, abs=0.01)
    assert errors[0] == pytest.approx(errors[1])
    many, fewer = (bradley_terry([[(0, 0), (n / 2, n)], [(n / 2, n), (0, 0)]])[1][0] for n in (400, 100))
    assert fewer == pytest.approx(2 * many, rel=0.05)


def test_known_strengths_are_found_again() -> None:
    """Expected points of five players with known ratings give these ratings."""
    true = [-300.0, -100.0, 0.0, 150.0, 250.0]
    games = 10_000
    results = [
        [
            (games / (1 + 10 ** ((other - own) / 400)) if own != other else 0.0, games if own != other else 0)
            for other in true
        ]
        for own in true
    ]
    elos, errors = bradley_terry(results)
    assert elos == pytest.approx(true, abs=1)
    assert all(1 < error < 10 for error in errors)


def test_a_player_that_always_loses_has_a_finite_rating() -> None:
    elos, errors = bradley_terry([[(0, 0), (20, 20)], [(0, 20), (0, 0)]])
    assert 500 < elos[0] - elos[1] < 2000
    assert all(map(math.isfinite, errors))


def test_levels_of_known_strength_anchor_the_table() -> None:
    games = [played("a", "b", "1-0"), played("b", "a", "1/2-1/2"), played("c", "a", "0-1"), played("b", "c", "1-0")]
    players = [named("a"), named("b", 1600), named("c", 1200)]
    rows = {row.name: row for row in table(players, games)}
    assert (rows["b"].elo + rows["c"].elo) / 2 == pytest.approx(1400)
    assert [row.name for row in table(players, games)] == ["a", "b", "c"]
    a = rows["a"]
    assert (a.points, a.games, a.wins, a.draws, a.losses) == (2.5, 3, 2, 1, 0)
    assert a.against == {"b": (1.5, 2), "c": (1.0, 1)}


def test_faults_and_forfeits_are_counted_with_their_reasons() -> None:
    lost = played("a", "b", "0-1", termination="time forfeit", faults={"a": ["too slow", "x.py:3: oops"]})
    rows = table([named("a"), named("b")], [lost, played("b", "a", "1-0", 2, faults={"a": ["x.py:3: oops"]})])
    assert {row.name: (row.forfeits, row.faults) for row in rows} == {"a": (1, 3), "b": (0, 0)}
    lines = fault_lines(rows, [lost, played("b", "a", "1-0", 2, faults={"a": ["x.py:3: oops"]})])
    assert lines == ["a: lost by time forfeit", "a: too slow", "a: x.py:3: oops (2 times)"]


def game_of(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    assert game.errors == []
    return game


def test_a_whole_game_is_kept_with_clocks_scores_and_faults(tmp_path: Path) -> None:
    source = """
    class Clumsy:
        def choose_move(self, board, limit):
            if len(board.move_stack) == 8:
                raise KeyError("e4")
            return next(iter(board.legal_moves)), 13
    """
    white, black = parse_players([str(write(tmp_path, source, "clumsy.py")), str(ENGINES / "swarm.py:Swarm")], spares=0)
    pgn = play_alone(GameTask(3, white, black, OPENINGS[0], (20.0, 0.5)))
    game = game_of(pgn)
    board = game.end().board()
    ending = board.outcome(claim_draw=True)
    assert ending is not None
    assert game.headers["Result"] == ending.result()
    assert (game.headers["White"], game.headers["Black"], game.headers["Round"]) == ("clumsy", "Swarm", "3")
    assert [move.uci() for move in board.move_stack[:2]] == ["e2e4", "e7e5"]
    node = game.variations[0]
    while len(node.board().move_stack) < 7:
        node = node.variations[0]
    assert node.eval() == chess.engine.PovScore(chess.engine.Cp(13), chess.WHITE)
    assert node.emt() is not None
    (one,) = read_games(pgn)
    assert list(one.faults) == ["clumsy"]
    assert [fault.partition(": `")[0] for fault in one.faults["clumsy"]] == ["clumsy.py:5: in choose_move"]
    assert one.versions["clumsy"] == white.version != ""


@pytest.mark.parametrize(
    ("behaviour", "termination", "fault"),
    [("crash", "no move", "ended"), ("illegal", "no move", "illegal")],
)
def test_an_engine_that_cannot_move_forfeits(behaviour: str, termination: str, fault: str) -> None:
    bad = Contestant("bad", tiny_entry(behaviour, "--good-moves", "1", name="bad", spares=0))
    good = Contestant("good", tiny_entry(name="good", spares=0))
    with EnginePool([bad.entry, good.entry], fallback=None) as pool:
        (game,) = read_games(play_game(GameTask(1, good, bad, OPENINGS[1], FAST), pool))
    assert (game.result, game.termination, game.forfeited("bad")) == ("1-0", termination, True)
    assert any(fault in one for one in game.faults["bad"])


def quick_options(path: Path, **more: object) -> LeagueOptions:
    players = [Contestant(name, tiny_entry(name=name, spares=0), None) for name in ("one", "two", "three")]
    fields = {"players": players, "rounds": 1, "clock": FAST, "path": path, "concurrency": 2} | more
    return LeagueOptions(**fields)  # type: ignore[arg-type]  # as the fields above


def test_a_league_ends_with_a_table_that_agrees_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "league.pgn"
    league = League(quick_options(path), lambda: False)
    console = Console(file=io.StringIO(), width=120)
    with View(console, league.state) as view:
        league.run(view.ended)
        view.summary()
    assert (league.left, league.problems, len(league.state.games)) == ([], [], 6)
    games = list(read_games(path.read_text(encoding="utf-8")))
    assert sorted(game.key for game in games) == sorted(task.key for task in schedule(league.state.players, 1, FAST))
    assert sum(row.points for row in league.state.rows()) == 6
    text = console.file.getvalue()  # type: ignore[attr-defined]  # it is the StringIO above
    assert "6 of 6" in text
    assert "points / games against" in text


def test_a_terminal_shows_table_and_running_games() -> None:
    state = LeagueState([named("a"), named("b")], 4, [played("a", "b", "1-0")])
    state.boards["1", "b", "a"] = chess.Board()
    text = io.StringIO()
    with View(Console(file=text, width=120, force_terminal=True), state):
        assert wait_until(lambda: "1 of 4 games; Ctrl-C stops" in text.getvalue())
    assert "round 1: b - a, move 1" in text.getvalue()


def test_a_league_is_continued_and_a_cut_game_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "league.pgn"
    taken: list[Played] = []
    first = League(quick_options(path, concurrency=1), lambda: len(taken) >= 2)
    first.run(taken.append)
    assert len(first.left) == 4
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + whole[: len(whole) // 3], encoding="utf-8")
    second = League(quick_options(path), lambda: False)
    assert path.read_text(encoding="utf-8") == whole
    assert [task.key for task in second.left] == [task.key for task in first.left]
    second.run(lambda _game: None)
    keys = [game.key for game in read_games(path.read_text(encoding="utf-8"))]
    assert len(set(keys)) == len(keys) == 6


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        (played("one", "four", "1-0"), "it has games of four"),
        (played("one", "two", "1-0", clock="60+0"), r"its games have the clock 60\+0"),
        (played("one", "two", "1-0", versions={"one": "abc"}), "one has changed since its games were played"),
    ],
)
def test_a_file_of_another_league_is_refused(game: Played, problem: str, tmp_path: Path) -> None:
    headers = {"Event": "x", "Round": game.round, "White": game.white, "Black": game.black, "Result": game.result}
    headers |= {"TimeControl": game.clock} | ({"WhiteVersion": "abc"} if game.versions else {})
    text = str(chess.pgn.Game(chess.pgn.Headers(headers))) + "\n\n"
    path = tmp_path / "league.pgn"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=problem):
        League(quick_options(path), lambda: False)
    with pytest.raises(ConfigurationError, match="cannot be used"):
        LeagueFile(tmp_path, [], FAST)


def test_an_engine_that_does_not_start_is_named_before_the_first_game(tmp_path: Path) -> None:
    broken = parse_player(str(write(tmp_path, "class Mine\n")), spares=0)
    options = quick_options(
        tmp_path / "league.pgn", players=[broken, Contestant("one", tiny_entry(name="one", spares=0))]
    )
    with pytest.raises(ConfigurationError, match=r"my_engine\.py:1: SyntaxError.*correct it, or leave it out"):
        League(options, lambda: False).run(lambda _game: None)


def test_an_edit_stops_the_league(tmp_path: Path) -> None:
    path = write(tmp_path, (ENGINES / "swarm.py").read_text(encoding="utf-8"), "mine.py")
    players = parse_players([f"{path}:Swarm", f"{path}:CheckCapturePush"], slots=1, spares=0)
    league = League(quick_options(tmp_path / "league.pgn", players=players, concurrency=1), lambda: False)

    def edit(_game: Played) -> None:
        path.write_text("# edited\n" + path.read_text(encoding="utf-8"), encoding="utf-8")

    league.run(edit)
    assert len(league.state.games) == 1
    assert "was edited while the league ran" in league.problems[0]


def test_the_page_shows_table_and_boards() -> None:
    state = LeagueState([named("a<b"), named("c")], 4, [played("a<b", "c", "1-0")])
    state.boards["1", "a<b", "c"] = chess.Board()
    text = page(state)
    assert "a&lt;b - c, round 1, move 1" in text
    assert "<svg" in text
    with serving(state, enabled=True) as address, urllib.request.urlopen(address, timeout=60) as answer:
        assert answer.read().decode() == text
    with serving(state, enabled=False) as address:
        assert address == ""


@pytest.mark.slow
def test_six_engines_killed_and_continued(tmp_path: Path) -> None:
    """SIGKILL in the middle loses the games that were running and no other; no engine survives."""
    specs = [
        "homemade.py:RandomMove",
        "homemade.py:Minimax",
        "mailbox.py",
        "tree_search.py",
        "swarm.py:Swarm",
        "swarm.py:CheckCapturePush",
    ]
    path = tmp_path / "league.pgn"
    command = [sys.executable, "-m", "bot", "league", *(str(ENGINES / spec) for spec in specs)]
    command += ["--rounds", "1", "--clock", "2+0.02", "--concurrency", "2", "--output", str(path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    kept: list[tuple[str, str, str]] = []

    def finished() -> int:
        return len(list(read_games(path.read_text(encoding="utf-8")))) if path.exists() else 0

    for _ in range(2):
        before = finished()
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert wait_until(lambda: finished() >= before + 3)  # noqa: B023 -- called within this turn of the loop
            process.send_signal(signal.SIGKILL)
        text = _whole_games(path.read_text(encoding="utf-8"))
        earlier, kept = kept, [game.key for game in read_games(text)]
        assert kept[: len(earlier)] == earlier
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    games = list(read_games(path.read_text(encoding="utf-8")))
    assert len({game.key for game in games}) == len(games) == 30
    assert [game.key for game in games[: len(kept)]] == kept
    points = {row.name: row.points for row in table(parse_players([str(ENGINES / spec) for spec in specs]), games)}
    standings = [line.split() for line in done.stdout.splitlines() if "/" not in line and " - " not in line]
    for name, expected in points.items():
        (row,) = [words for words in standings if words[1:2] == [name]]
        assert row[4] == f"{expected:g}"


@pytest.mark.slow
def test_the_workers_of_a_cluster_play(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    players = parse_players([str(ENGINES / spec) for spec in ("swarm.py:Swarm", "swarm.py:CheckCapturePush")], spares=0)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster:
        options = quick_options(tmp_path / "league.pgn", players=players, scheduler=cluster.scheduler_address)
        league = League(options, lambda: False)
        league.run(lambda _game: None)
    assert (league.left, league.problems) == ([], [])
    assert {game.white for game in league.state.games} == {"Swarm", "CheckCapturePush"}
