"""Teams over HTTP, and messages to all members."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.config import ConfigError
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client

MESSAGE = "I am a bot that would like to play in your arenas."


def lines(text: str) -> list[dict[str, Any]]:
    """Lines of JSON."""
    return [json.loads(line) for line in text.splitlines()]


def test_a_bot_joins_the_open_team_of_a_fresh_server_and_leaves_it(fake: FakeLichess, bot: Client) -> None:
    (team,) = bot.get("/api/team/all").json()["currentPageResults"]
    assert (team["id"], team["open"], team["leader"]["id"], team["nbMembers"]) == ("fake-club", True, "alice", 1)
    assert bot.post("/team/fake-club/join").json() == {"ok": True}
    assert bot.get("/api/team/fake-club").json()["joined"] is True
    assert [one["id"] for one in bot.get("/api/team/of/bot88").json()] == ["fake-club"]
    members = lines(bot.get("/api/team/fake-club/users").text)
    assert [member["id"] for member in members] == ["bot88", "alice"]
    assert lines(bot.get("/api/team/fake-club/users?full=true").text)[0]["perfs"]["blitz"]["games"] == 0
    assert bot.post("/team/fake-club/join").ok, "joining twice is harmless"
    assert bot.post("/team/fake-club/quit").ok
    assert bot.get("/api/team/fake-club").json()["joined"] is False
    assert bot.get("/api/team/of/bot88").json() == []


def test_a_closed_team_admits_by_its_leader(fake: FakeLichess, bot: Client, alice: Client) -> None:
    fake.add_team("Closed Circle", "Alice", open=False)
    join = "/team/closed-circle/join"
    assert bot.post(join).json() == {"error": "This team requires confirmation."}
    short = bot.post(join, data={"message": "please"})
    assert (short.status_code, short.json()["error"]) == (400, {"message": ["Minimum length is 30"]})
    assert bot.post(join, data={"message": MESSAGE}).ok
    seen = bot.get("/api/team/closed-circle").json()
    assert (seen["joined"], seen["requested"]) == (False, True)
    (asked,) = alice.get("/api/team/closed-circle/requests").json()
    assert (asked["user"]["id"], asked["request"]["message"]) == ("bot88", MESSAGE)
    answer = "/api/team/closed-circle/request/bot88"
    assert alice.post(f"{answer}/decline").ok
    assert alice.get("/api/team/closed-circle/requests").json() == []
    assert len(alice.get("/api/team/closed-circle/requests?declined=true").json()) == 1
    assert alice.post(f"{answer}/accept").ok, "a declined request may still be accepted"
    assert bot.get("/api/team/closed-circle").json()["joined"] is True
    assert alice.post(f"{answer}/accept").json() == {"error": "No such team join request"}


def test_only_the_leader_leads(fake: FakeLichess, bot: Client, connect: Connect) -> None:
    bobby = connect(fake, "Bobby")
    for path in ("requests", "request/bot88/accept", "kick/bot88"):
        send = bobby.get if path == "requests" else bobby.post
        refused = send(f"/api/team/fake-club/{path}")
        assert (refused.status_code, refused.json()["error"]) == (400, "Insufficient team permissions")
    refused = bot.post("/api/team/fake-club/kick/alice")
    assert (refused.status_code, refused.json()["error"]) == (403, "Missing scope: team:lead")


def test_who_was_kicked_stays_out(fake: FakeLichess, bot: Client, alice: Client) -> None:
    assert bot.post("/team/fake-club/join").ok
    assert alice.post("/api/team/fake-club/kick/bot88").ok
    assert bot.post("/team/fake-club/join").json() == {"error": "You cannot join this team."}
    assert alice.post("/api/team/fake-club/kick/alice").ok
    assert bot.get("/api/team/fake-club").json()["nbMembers"] == 1, "a leader is not kicked"
    refused = alice.post("/team/fake-club/quit")
    assert (refused.status_code, "new leader" in refused.json()["error"]) == (400, True)


def test_a_password_is_asked_for(fake: FakeLichess, bot: Client) -> None:
    team_id = fake.add_team("Secret", "Alice", id="hush", password="sesame")
    assert team_id == "hush"
    assert bot.post("/team/hush/join", data={"password": "wrong"}).json()["error"] == "This team requires a password."
    assert bot.post("/team/hush/join", data={"password": "sesame"}).ok


def test_teams_are_searched_by_page(fake: FakeLichess, bot: Client) -> None:
    for number in range(20):
        fake.add_team(f"Many {number}", "Alice")
    first = bot.get("/api/team/search?text=many").json()
    assert (first["nbResults"], first["nbPages"], first["previousPage"], first["nextPage"]) == (20, 2, None, 2)
    second = bot.get("/api/team/search?text=many&page=2").json()
    assert (len(second["currentPageResults"]), second["nextPage"]) == (5, None)
    assert bot.get("/api/team/nowhere").status_code == 404


def test_an_arena_for_members_of_a_team(fake: FakeLichess, bot: Client, alice: Client) -> None:
    form = {"clockTime": 1, "clockIncrement": 0, "minutes": 20, "waitMinutes": 0, "conditions.bots": "true"}
    refused = alice.post("/api/tournament", data=form | {"conditions.teamMember.teamId": "nowhere"})
    assert list(refused.json()["error"]) == ["conditions.teamMember.teamId"]
    arena = alice.post("/api/tournament", data=form | {"conditions.teamMember.teamId": "fake-club"}).json()
    join = f"/api/tournament/{arena['id']}/join"
    assert bot.post(join).json() == {"error": "Tournament restrictions"}
    assert bot.post("/team/fake-club/join").ok
    assert bot.post(join).ok
    listed = lines(bot.get("/api/team/fake-club/arena?status=started").text)
    assert [(one["id"], one["teamMember"]) for one in listed] == [(arena["id"], "fake-club")]
    assert bot.get("/api/team/fake-club/arena?createdBy=bobby").text == ""


@pytest.mark.parametrize(
    ("teams", "message"),
    [
        ([{"name": "Ghosts", "leader": "Casper"}], "'Ghosts' names 'Casper', who has no account"),
        ([{"name": "Twin", "leader": "Alice"}, {"name": "twin", "leader": "Alice"}], "two teams have the id 'twin'"),
        ([{"name": "Шахматы", "leader": "Alice"}], "'Шахматы' makes no id; set `id`"),
    ],
)
def test_wrong_teams_are_reported_at_the_start(make_fake: MakeFake, teams: list[dict[str, str]], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_fake(teams=teams)


def test_a_leader_writes_and_members_read(fake: FakeLichess, alice: Client, bot: Client) -> None:
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


def test_only_a_leader_writes_and_no_empty_message(alice: Client, bot: Client) -> None:
    assert alice.post("/team/fake-club/pm-all").json()["message"] == ["This field is required"]
    assert alice.post("/team/nonsense/pm-all", data={"message": "Hello"}).status_code == 404
    assert bot.post("/team/fake-club/pm-all", data={"message": "Hello"}).status_code == 403
