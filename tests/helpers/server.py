"""The base of stub servers: a test adds the few requests that it needs."""

from __future__ import annotations

from typing import Any


class StubServer:
    """Stands in for `bot.lichess.Server`; a request that the test has not added raises AttributeError."""

    account: Any
    test_token: Any
    ongoing_games: Any
    stream_events: Any
    stream_game: Any
    export_game: Any
    post_move: Any
    abort: Any
    resign: Any
    draw: Any
    takeback: Any
    claim_victory: Any
    claim_draw: Any
    chat: Any
    read_chat: Any
    accept_challenge: Any
    decline_challenge: Any
    cancel_challenge: Any
    create_challenge: Any
    users_status: Any
    online_bots: Any
    user_profile: Any
    arena: Any
    join_arena: Any
    withdraw_from_arena: Any
    team: Any
    join_team: Any
    fetch_json: Any
    fetch_text: Any
