"""`replay`: a kept game as text and JSON."""

from __future__ import annotations

import json
import pydoc
import sys
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from chess.engine import Cp, Mate, PovScore

from bot.archive.pgn import PlayedGame
from bot.archive.replay_view import WIDTH, board_text, replay_json, replay_text, score_curve
from bot.errors import ConfigurationError
from bot.play.game_log import shows_figures
from tests.bot.archive.test_pgn import fools_mate
from tests.bot.commands.test_cli import call
from tests.helpers.finished_games import bot_in


def test_a_terminal_without_figures_shows_digits() -> None:
    text = replay_text(fools_mate(), figures=False)
    assert text.isascii()
    assert "score 21  (up: White is better)" in text


def test_the_whole_text_of_a_replay() -> None:
    lines = replay_text(fools_mate()).splitlines()
    assert lines[0] == "Me (2000) - AI level 3 (?)  0-1 (mate)"
    assert lines[2:] == [
        "A00 Barnes Opening: Fool's Mate",
        "score ▂▁  (up: White is better)",
        "",
        "    move  clock  score  depth  by        move  clock  score  depth  by",
        "1.  f3     3:00                book      e5     3:00",
        "2.  g4     2:51  -2.50      9  engine88  Qh4#   3:02    #-1      3  engine88",
    ]


def test_a_game_without_notes_is_shown_by_its_moves() -> None:
    game = fools_mate()
    bare = [replace(move, clock_ms=None, score=None, depth=None, source="") for move in game.moves]
    lines = replay_text(replace(game, moves=tuple(bare))).splitlines()
    assert lines[3] == "no scores were kept"
    assert [line.split() for line in lines[5:]] == [["move", "move"], ["1.", "f3", "e5"], ["2.", "g4", "Qh4#"]]


def widest() -> PlayedGame:
    """A game whose every column is as wide as it gets; of the opponent's moves no more than the clock is known."""
    game = fools_mate()
    wide = [
        replace(
            move,
            san="Qa1xb2+",
            clock_ms=36_000_000,
            score=PovScore(Cp(-12_345), chess.WHITE),
            depth=99,
            source="s" * 40,
        )
        for move in game.moves
    ]
    moves = [
        replace(move, score=None, depth=None, source="") if move.is_white else move
        for move in (replace(move, number=100 + ply // 2) for ply, move in enumerate(wide * 30))
    ]
    headers = dict.fromkeys(game.headers, "x" * 100)
    return replace(game, headers=headers, moves=tuple(moves))


def test_everything_fits_the_width_of_a_terminal() -> None:
    assert max(map(len, replay_text(widest()).splitlines())) <= WIDTH


def test_the_curve_shows_who_is_better() -> None:
    scores = [Cp(score_cp) for score_cp in (-900, -100, 0, 150, 5000)]
    assert score_curve([*scores, Mate(3)]) == "▁▄▅▆██"
    assert score_curve([]) == ""
    assert score_curve([Mate(-3), Cp(0), Mate(3)], "12345678") == "158"
    assert score_curve([Mate(-3), Cp(-5000)]) == "▁▁"
    assert score_curve([Cp(0)] * 50) == "▅" * 50
    assert len(score_curve([Cp(0)] * 51)) == 26
    assert len(score_curve(scores * 60)) == WIDTH - 30


def test_the_board_before_the_first_move_and_beyond_the_last() -> None:
    assert board_text(fools_mate(), 0).endswith("w KQkq - 0 1\n\n")
    for ply in (5, -6):
        with pytest.raises(ConfigurationError, match=rf"--ply {ply}: game abcdefgh has 4 half-moves"):
            board_text(fools_mate(), ply)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot_in(tmp_path, monkeypatch, fools_mate().record)


@pytest.mark.parametrize(
    ("terminal", "more_lines", "paged"), [(True, 1, False), (True, 0, True), (True, -1, True), (False, -1, False)]
)
def test_a_game_that_does_not_fit_the_terminal_goes_through_a_pager(
    terminal: bool, more_lines: int, paged: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The prompt that follows needs one more line. Output that is not a terminal is not paged."""
    text = replay_text(fools_mate())
    through_pager: list[str] = []
    monkeypatch.setattr(pydoc, "pager", through_pager.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setenv("LINES", str(text.count("\n") + more_lines))
    assert call(monkeypatch, "replay", "last") == 0
    assert (through_pager, capsys.readouterr().out) == (([text], "") if paged else ([], text))


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    game = fools_mate()
    assert call(monkeypatch, "replay", "last") == 0
    assert capsys.readouterr().out == replay_text(game)
    assert call(monkeypatch, "replay", "https://lichess.org/abcdefgh", "--ply", "-1") == 0
    assert capsys.readouterr().out == board_text(game, -1)
    assert call(monkeypatch, "replay", "abcdefgh", "--json") == 0
    shown = capsys.readouterr().out
    assert shown == replay_json(game)
    assert json.loads(shown)["moves"][3]["mate_in"] == -1
    assert call(monkeypatch, "replay", "abcdefgh", "--pgn") == 0
    assert capsys.readouterr().out.strip() == game.record.pgn
    assert call(monkeypatch, "replay", "other") == 2
    assert "other: no such game is kept" in capsys.readouterr().err


def test_the_heading_of_a_game_with_few_tags() -> None:
    game = fools_mate()
    assert replay_text(replace(game, headers={})).splitlines()[:3] == [
        "? (?) - ? (?)  * (mate)",
        "? , ?  ",
        "no named opening",
    ]
    for known in ("ECO", "Opening"):
        assert replay_text(replace(game, headers={known: "A00"})).splitlines()[2] == "no named opening"
    tags = {"Event": "Rated game", "TimeControl": "180+2", "Date": "2026.01.31", "Site": "https://lichess.org/x"}
    line = replay_text(replace(game, headers=tags)).splitlines()[1]
    assert line == "Rated game 180+2, 2026.01.31  https://lichess.org/x"


def test_a_game_that_black_begins_has_an_empty_place_for_white() -> None:
    game = fools_mate()
    lines = replay_text(replace(game, moves=game.moves[1:])).splitlines()
    assert [line.split()[:3] for line in lines[6:]] == [["1.", "e5", "3:00"], ["2.", "g4", "2:51"]]
    assert lines[6].index("e5") == lines[7].index("Qh4#")


def test_the_whole_board_after_a_move() -> None:
    assert board_text(fools_mate(), 4).splitlines()[3:] == [
        "",
        "  8 r n b . k b n r",
        "  7 p p p p . p p p",
        "  6 . . . . . . . .",
        "  5 . . . . p . . .",
        "  4 . . . . . . P q",
        "  3 . . . . . P . .",
        "  2 P P P P P . . P",
        "  1 R N B Q K B N R",
        "    a b c d e f g h",
        "",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "",
        "2... Qh4#  (clock 3:02, score #-1, depth 3, engine88)",
    ]
    assert board_text(fools_mate(), 3).splitlines()[4] == "  8 r n b q k b n r"
    assert board_text(fools_mate(), 3).endswith("\n2. g4  (clock 2:51, score -2.50, depth 9, engine88)\n")
    assert board_text(fools_mate(), 2).endswith("\n1... e5  (clock 3:00)\n")
    assert [board_text(fools_mate(), ply) for ply in (-1, -5)] == [board_text(fools_mate(), ply) for ply in (4, 0)]
    bare = [replace(move, clock_ms=None) for move in fools_mate().moves]
    assert board_text(replace(fools_mate(), moves=tuple(bare)), 2).endswith("\n1... e5\n")


def test_tags_are_written_as_they_are() -> None:
    assert '"Grünfeld Defense"' in replay_json(replace(fools_mate(), headers={"Opening": "Grünfeld Defense"}))


def test_a_board_has_figures_where_the_terminal_shows_them() -> None:
    rows = board_text(fools_mate(), 0, figures=True).splitlines()
    assert (rows[4], rows[11], rows[7]) == ("  8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜", "  1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖", "  5 . . . . . . . .")
    terminals = (("utf-8", "xterm"), ("UTF8", None), ("utf-8", "linux"), ("ascii", "xterm"))
    assert [shows_figures(*one) for one in terminals] == [True, True, False, False]
