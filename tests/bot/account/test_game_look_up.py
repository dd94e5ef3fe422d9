"""A game that the list does not show is judged by its export."""

from __future__ import annotations

from bot.account.game_look_up import NOT_FOUND_ENDS, GameLookUp
from bot.account.slots import SlotRecord, SlotUse
from bot.errors import LichessError, NetworkError, NotFound
from bot.events import GameExport, GameInfo

RECORD = SlotRecord("abcdefgh", SlotUse.PLAYING, "alice", 0.0)


class LookUpHarness:
    """Answers the export in the order of a script, the last entry for ever."""

    def __init__(self, *script: GameExport | LichessError) -> None:
        self.script = list(script)
        self.over: list[GameInfo] = []
        self.look_up = GameLookUp(self.export, self.over.append)

    def export(self, _game_id: str) -> GameExport:
        """Export."""
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, LichessError):
            raise answer
        return answer


def test_a_running_game_is_found_running() -> None:
    harness = LookUpHarness(GameExport("abcdefgh", "started"))
    assert harness.look_up(RECORD)
    assert harness.over == []


def test_a_finished_game_is_ended_with_the_servers_words() -> None:
    harness = LookUpHarness(GameExport("abcdefgh", "outoftime", "black"))
    assert not harness.look_up(RECORD)
    (info,) = harness.over
    assert (info.game_id, info.status, info.winner, info.opponent.id) == ("abcdefgh", "outoftime", "black", "alice")


def test_a_failing_request_decides_nothing() -> None:
    harness = LookUpHarness(NetworkError("timed out"))
    assert not any(harness.look_up(RECORD) for _ in range(10))
    assert harness.over == []


def test_no_such_game_must_be_said_several_times_in_a_row() -> None:
    missing, running = NotFound(404), GameExport("abcdefgh", "started")
    harness = LookUpHarness(missing, missing, running, missing)
    for _ in range(2 + NOT_FOUND_ENDS):
        assert harness.over == []
        harness.look_up(RECORD)
    assert harness.over == []
    harness.look_up(RECORD)
    assert [info.status for info in harness.over] == ["unknownFinish"]
