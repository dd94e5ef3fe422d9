"""A person's whole path through the pages; and one who has a keyboard alone, and wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import chess
import pytest
import requests

from bot.fake_lichess import FakeLichess
from tests.helpers.board_page import GAME_ADDRESS, BoardPage, choose_opponent, own_table
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.fake import fake_with_engine, make_fake

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["fake_with_engine", "make_fake", "own_table", "shared_browser"]  # fixtures
PROMOTION = "6k1/P4pp1/7p/8/8/8/5PPP/1R4K1 w - - 0 1"
PAWN_AND_ROOK = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"
MOST_MOVES = 30
MOST_TABS = 60


def accept_as_bobby(fake: FakeLichess) -> str:
    """Let Bobby accept the challenge that waits for him; gives its id."""
    headers = {"Authorization": f"Bearer {fake.token('Bobby')}"}

    def waiting() -> Any:
        return requests.get(f"{fake.url}/api/challenge", headers=headers, timeout=60).json()["in"]

    challenge_id = str(fake.wait_for(waiting, what="a challenge to Bobby")[0]["id"])
    fake.accept("Bobby", challenge_id)
    return challenge_id


def challenge_bobby(table: BoardPage, fake: FakeLichess) -> str:
    """Challenge him from the form, with White and from a position; gives the game's id."""
    page = table.page
    page.goto(table.url)
    choose_opponent(page, "bobby")
    page.select_option("#variant", "fromPosition")
    page.fill("#fen", PROMOTION)
    page.locator("input[name=color][value=white]").check(force=True)
    page.click("#send")
    game_id = accept_as_bobby(fake)
    page.wait_for_url(f"{table.url}/{game_id}")
    page.locator("#actions button").first.wait_for()
    return game_id


@pytest.mark.slow
def test_challenge_promotion_draw_premove_mate_analysis_link_rematch(
    table: BoardPage, fake: FakeLichess, browser: Browser
) -> None:
    page, game_id = table.page, challenge_bobby(table, fake)
    bobby = fake.player("Bobby", game_id)
    table.click_move("a7a8q")
    table.wait_for_plies(1)
    fake.wait_for_moves(game_id, 1)
    bobby.move("g8h7")
    table.wait_for_plies(2)
    page.click("#draw")
    page.locator("#draw").filter(has_text="Draw offered").wait_for()
    bobby.draw(False)
    table.click_move("b1b7")
    table.message("Your draw offer was not taken.")
    table.click_move("b7f7")  # ahead of time
    page.locator("[data-square=f7].planned").wait_for()
    fake.wait_for_moves(game_id, 3)
    bobby.move("g7g6")
    table.message("1–0 · Checkmate: you win.")
    assert fake.game(game_id).status == "mate"
    page.get_by_role("link", name="Analysis").click()
    page.locator("#chart-card[data-done]").wait_for()
    page.click("#back")
    page.locator("#moves [aria-current=true]").filter(has_text="g6").wait_for()
    page.locator("#score").filter(has_text="#1").wait_for()
    link = page.input_value("#link")
    with watched_page(browser) as other:
        other.goto(link)
        other.locator("#moves [aria-current=true]").filter(has_text="g6").wait_for()
        other.locator("[data-square=b7][aria-label='b7, white rook']").wait_for()
        other.locator("#chart-card[data-done]").wait_for()
    page.click("#to-game")
    page.click("#rematch")
    rematch_id = accept_as_bobby(fake)
    page.wait_for_url(f"{table.url}/{rematch_id}")
    assert (fake.game(rematch_id).white, fake.game(rematch_id).black) == ("Bobby", "Alice")


class Keys:
    """Somebody without mouse and finger."""

    def __init__(self, table: BoardPage) -> None:
        self.table, self.page, self.press = table, table.page, table.page.keyboard.press

    def tab_to(self, selector: str) -> None:
        """Press Tab until the focus is there."""
        for _ in range(MOST_TABS):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.press("Tab")
        raise AssertionError(f"Tab never comes to {selector}")

    def focused_square(self) -> str:
        """Where the focus is on the board."""
        return str(self.page.evaluate("document.activeElement.dataset.square"))

    def walk(self, square: str) -> None:
        """Walk over the board with White below."""
        start = self.focused_square()
        files, ranks = ord(square[0]) - ord(start[0]), int(square[1]) - int(start[1])
        for _ in range(abs(files)):
            self.press("ArrowRight" if files > 0 else "ArrowLeft")
        for _ in range(abs(ranks)):
            self.press("ArrowUp" if ranks > 0 else "ArrowDown")
        assert self.focused_square() == square

    def move(self, uci: str) -> None:
        """Make a move."""
        for square in (uci[:2], uci[2:4]):
            self.walk(square)
            self.press("Enter")
        if len(uci) > 4:
            self.page.locator(".promotion button:focus").wait_for()
            self.press("Enter")  # the queen comes first
            self.page.locator(f"[data-square={uci[2:4]}]:focus").wait_for()


def mates(board: chess.Board) -> bool:
    """Whether the side to move mates at once."""
    for move in board.legal_moves:
        board.push(move)
        mate = board.is_checkmate()
        board.pop()
        if mate:
            return True
    return False


def tightening_move(board: chess.Board) -> chess.Move:
    """Mate, or mate in two; else the safe move that leaves the king the fewest squares. A pawn becomes a queen."""

    def rank(move: chess.Move) -> tuple[int, int, str]:
        board.push(move)
        replies = list(board.legal_moves)
        if not replies:
            found = -2 if board.is_checkmate() else 99
        elif any(board.is_capture(reply) for reply in replies) or board.is_repetition(2):
            found = 98
        else:
            lost = 0
            for reply in replies:
                board.push(reply)
                lost += mates(board)
                board.pop()
            found = -1 if lost == len(replies) else len(replies)
        board.pop()
        return found, chess.square_distance(move.to_square, board.king(chess.BLACK) or 0), move.uci()

    return min((move for move in board.legal_moves if move.promotion in (None, chess.QUEEN)), key=rank)


def test_the_keyboard_alone_wins_a_game(table: BoardPage, fake: FakeLichess) -> None:
    page, keys = table.page, Keys(table)
    page.goto(table.url)
    page.locator("#opponent [value='random']").wait_for()
    keys.tab_to("input[name=opponent]")
    while not page.is_checked("#opponent [value='random']"):
        keys.press("ArrowRight")
    keys.tab_to("#variant")
    page.keyboard.type("From")
    keys.tab_to("#fen")
    page.keyboard.type(PAWN_AND_ROOK)
    keys.tab_to("input[name=color]")
    keys.press("ArrowLeft")
    assert page.locator("input[name=color][value=white]").is_checked()
    keys.tab_to("#send")
    keys.press("Enter")
    page.wait_for_url(GAME_ADDRESS)
    page.locator("#actions button").first.wait_for()
    keys.tab_to(".square")
    for number in range(MOST_MOVES):
        game = fake.wait_for_moves(table.game_id, 2 * number)
        if game.over:
            break
        board = chess.Board(PAWN_AND_ROOK)
        for uci in game.moves:
            board.push_uci(uci)
        table.wait_for_plies(2 * number) if number else table.message("Your turn.")
        keys.move(tightening_move(board).uci())
        fake.wait_for_moves(table.game_id, 2 * number + 1)
    table.message("1–0 · Checkmate: you win.")
    keys.tab_to("#actions a[href$='/analysis']")
    keys.press("Enter")
    page.locator("#moves [aria-current=true]").filter(has_text="#").wait_for()
    keys.press("ArrowLeft")
    page.locator("#moves [aria-current=true]").filter(has_not_text="#").wait_for()
    page.locator("#chart-card[data-done]").wait_for()
