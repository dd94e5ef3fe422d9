"""Updates of teams: told by leaders, read by members."""

from __future__ import annotations

from bot.fake_lichess import FakeLichess
from tests.helpers.lichess_client import Client


def test_a_leader_tells_and_members_read(fake: FakeLichess, alice: Client, bot: Client) -> None:
    assert alice.post("/team/fake-club/pm-all", data={"message": "A cup on Sunday"}).json() == {"ok": True}
    assert bot.get("/team/updates").json()["byTeam"] == [], "no member yet"
    assert bot.get("/team/updates/fake-club").status_code == 404
    assert bot.post("/team/fake-club/join").ok
    first = bot.get("/team/updates").json()
    (told,) = first["updates"]["currentPageResults"]
    assert (told["msg"]["text"], told["msg"]["sender"]["id"], told["seen"]) == ("A cup on Sunday", "alice", False)
    assert (first["byTeam"][0]["team"]["id"], first["byTeam"][0]["unread"]) == ("fake-club", 1)
    again = bot.get("/team/updates/fake-club").json()
    assert (again["team"]["name"], again["subscribed"], again["byTeam"][0]["unread"]) == ("Fake Club", True, 0)
    assert again["updates"]["currentPageResults"][0]["seen"] is True


def test_updates_come_by_page_the_latest_first(alice: Client) -> None:
    for number in range(8):
        alice.post("/team/fake-club/pm-all", data={"message": f"News {number}"})
    pages = [alice.get(f"/team/updates?page={page}").json()["updates"] for page in (1, 2)]
    assert (pages[0]["nbResults"], pages[0]["nbPages"], pages[0]["nextPage"]) == (8, 2, 2)
    texts = [one["msg"]["text"] for page in pages for one in page["currentPageResults"]]
    assert texts == [f"News {number}" for number in reversed(range(8))]


def test_only_a_leader_tells_and_something(alice: Client, bot: Client) -> None:
    assert alice.post("/team/fake-club/pm-all").json()["message"] == ["This field is required"]
    assert alice.post("/team/nonsense/pm-all", data={"message": "Hello"}).status_code == 404
    assert bot.post("/team/fake-club/pm-all", data={"message": "Hello"}).status_code == 403
