"""Challenges from sending to answer, rematches, and games against the computer."""

from __future__ import annotations

import asyncio

import chess

from .. import errors
from ..errors import ApiError
from .accounts import Account
from .challenges import (
    Challenge,
    Terms,
    challenge_event,
    check_clock_for_bots,
    check_rated,
    check_rules,
    find_reason,
    require_acceptable,
    require_active,
    take_seat,
)
from .game_builder import GameBuilder
from .limits import AI_PER_MINUTE, DAY_S, Rule
from .server_game import Game
from .variants import COLORS, start_board
from .world import World


class Lobby:
    """All challenges of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.builder = GameBuilder(world)
        world.offer_rematch = self.offer_rematch
        self.challenges: dict[str, Challenge] = {}
        self._expiry: dict[str, asyncio.TimerHandle] = {}

    def check(self, challenger: Account | None, dest: Account, terms: Terms) -> None:
        """Raise ApiError 400, 404 or 429 if the server refuses such a challenge."""
        if challenger is dest:
            raise ApiError(404, errors.NOT_FOUND)
        allow_any = self.world.config.allow_any_clock
        check_clock_for_bots(terms, (challenger, dest), allow_any, errors.TOO_FAST_FOR_BOTS)
        check_rated(terms)
        check_rules(terms, dest)
        self.check_position(terms)
        self.builder.check_bot_day(challenger, dest, challenger)
        for account in (challenger, dest):
            if account is not None and len(self.world.ongoing(account)) >= self.world.config.max_ongoing_games:
                raise ApiError(400, "Challenge not created")

    def check_position(self, terms: Terms) -> None:
        """Raise ApiError 400 if a needed FEN is missing or no game can start from it."""
        if terms.variant.key == "fromPosition" and terms.initial_fen is None:
            raise errors.FormError({"fen": [errors.INVALID_VALUE]})
        try:
            start_board(terms.variant, terms.initial_fen, self.world.rng)
        except ValueError as error:
            raise errors.FormError({"fen": [errors.INVALID_VALUE]}) from error

    def send(
        self,
        challenger: Account | None,
        dest: Account,
        terms: Terms,
        *,
        lasting: bool = False,
        rematch_of: str | None = None,
        replaces_older: bool = False,
    ) -> Challenge:
        """Challenge someone. Server-played opponents accept at once.

        A real-time challenge expires unless `lasting`; `replaces_older` drops what the challenger had sent to the same
        account before, as the server does (lila `ChallengeRepo.insertIfMissing`).
        """
        self.check(challenger, dest, terms)
        if replaces_older:
            self._drop_older(challenger, dest)
        color = COLORS.get(terms.color, bool(self.world.rng.getrandbits(1)))
        challenge = Challenge(self.world.new_id(), terms, challenger, dest, color, rematch_of=rematch_of)
        self.challenges[challenge.id] = challenge
        any_clock = self.world.config.allow_any_clock
        for account in (dest, challenger):
            event = challenge_event("challenge", challenge, self.world.base_url, account, any_clock)
            self.world.broadcaster.send_event(account, event)
        loop = asyncio.get_running_loop()
        if not lasting:
            self.leave_unattended(challenge)
        if (opponent := self.world.opponents.get(dest.id)) is not None:
            loop.call_soon(opponent.on_challenge, self, challenge)
        return challenge

    def _drop_older(self, challenger: Account | None, dest: Account) -> None:
        for older in [c for c in self.outgoing(challenger, expired=True) if c.dest is dest and c.rematch_of is None]:
            older.replaced = True
            self._close(older, "canceled")

    def leave_unattended(self, challenge: Challenge) -> None:
        """Let a real-time challenge expire, without an event, unless it is answered in time."""
        if challenge.pending and challenge.terms.control.limit_ms is not None:
            life, loop = self.world.config.challenge_life_s, asyncio.get_running_loop()
            self._expiry[challenge.id] = loop.call_later(life, self._expire, challenge)

    @staticmethod
    def _expire(challenge: Challenge) -> None:
        if challenge.pending:
            challenge.status = "offline"

    def _close(self, challenge: Challenge, status: str) -> None:
        challenge.status = status
        timer = self._expiry.pop(challenge.id, None)
        if timer is not None:
            timer.cancel()
        for watcher in challenge.watchers:
            watcher(status)
        challenge.watchers.clear()
        if len(self.challenges) > self.world.config.keep_finished:
            oldest = next((key for key, kept in self.challenges.items() if not kept.active), None)
            self.challenges.pop(oldest or "", None)

    def incoming(self, account: Account) -> list[Challenge]:
        """Return pending challenges to the account."""
        return [c for c in self.challenges.values() if c.pending and c.dest is account]

    def outgoing(self, account: Account | None, *, expired: bool = False) -> list[Challenge]:
        """Return pending challenges from the account, optionally with expired ones."""
        mine = [c for c in self.challenges.values() if c.challenger is account]
        return [c for c in mine if c.pending or (expired and c.active)]

    def find(self, account: Account, challenge_id: str) -> Challenge | None:
        """Return a challenge from or to the account, in any state."""
        challenge = self.challenges.get(challenge_id)
        concerned = challenge is not None and account in (challenge.challenger, challenge.dest, challenge.creator)
        return challenge if concerned else None

    def _incoming(self, account: Account, challenge_id: str) -> Challenge | None:
        challenge = self.challenges.get(challenge_id)
        return challenge if challenge is not None and challenge.dest is account else None

    def open(self, creator: Account | None, terms: Terms, users: tuple[str, ...], life_s: float) -> Challenge:
        """Make an open challenge; raises ApiError 400."""
        check_rated(terms)
        self.check_position(terms)
        color = COLORS.get(terms.color, bool(self.world.rng.getrandbits(1)))
        challenge = Challenge(self.world.new_id(), terms, None, None, color, creator=creator, open_to=users)
        self.challenges[challenge.id] = challenge
        loop = asyncio.get_running_loop()
        self._expiry[challenge.id] = loop.call_later(life_s, self._close, challenge, "canceled")
        return challenge

    def accept_open(self, account: Account, challenge: Challenge, wanted: chess.Color | None) -> None:
        """Join an open challenge; its game begins with the second player. Raises ApiError 404 or 400."""
        require_acceptable(challenge)
        check_clock_for_bots(challenge.terms, (account,), self.world.config.allow_any_clock, errors.BOT_INCOMPATIBLE)
        if take_seat(challenge, account, wanted):
            self._close(challenge, "accepted")
            challenge.final_color = chess.WHITE
            challenge.challenger = challenge.seats[chess.WHITE]
            self._begin(challenge, challenge.seats[chess.BLACK])

    def accept(self, account: Account, challenge_id: str) -> Game:
        """Accept: the game begins under the challenge's id; raises ApiError 404, 400 or 429."""
        challenge = require_acceptable(self._incoming(account, challenge_id))
        pair = (challenge.challenger, account)
        check_clock_for_bots(challenge.terms, pair, self.world.config.allow_any_clock, errors.BOT_INCOMPATIBLE)
        self.builder.check_bot_day(challenge.challenger, account, account)
        self._close(challenge, "accepted")
        return self._begin(challenge, account)

    def decline(self, account: Account, challenge_id: str, reason: str = "generic") -> None:
        """Decline with a reason, and notify both sides. Raises ApiError 404."""
        challenge = require_active(self._incoming(account, challenge_id))
        challenge.decline_reason = find_reason(reason)
        self._close(challenge, "declined")
        self._notify_both("challengeDeclined", challenge)

    def cancel(self, account: Account, challenge_id: str) -> None:
        """Cancel a sent challenge, decline a received one, or abort its game; raises ApiError 404."""
        challenge = self.find(account, challenge_id)
        game = self.world.games.get(challenge_id)
        if challenge is not None and game is not None and game.abortable:
            game.abort(self.world.now_ms())
        elif challenge is not None and challenge.dest is account:
            self.decline(account, challenge_id)
        else:
            challenge = require_active(challenge)
            self._close(challenge, "canceled")
            self._notify_both("challengeCanceled", challenge)

    def _notify_both(self, kind: str, challenge: Challenge) -> None:
        event = challenge_event(kind, challenge, self.world.base_url)
        for account in (challenge.dest, challenge.challenger):
            self.world.broadcaster.send_event(account, event)

    def _begin(self, challenge: Challenge, dest: Account) -> Game:
        color = challenge.final_color
        accounts = {color: challenge.challenger, not color: dest}
        self.builder.count_bot_day(challenge.challenger, dest)
        source = "friend"
        game = self.builder.make(challenge.id, challenge.terms, accounts, source, None, challenge.rematch_of)
        parent = self.world.games.get(challenge.rematch_of or "")
        if parent is not None:
            parent.rematch_id = game.id
        self.world.begin(game)
        return game

    def play_ai(self, account: Account, terms: Terms, level: int) -> tuple[Game, chess.Color]:
        """Start a game against the computer at once; raises ApiError 400 or 429."""
        allow_any = self.world.config.allow_any_clock
        check_clock_for_bots(terms, (account,), allow_any, errors.TOO_FAST_FOR_BOTS)
        self.check_position(terms)
        now_s, per_day = self.world.now_ms() / 1000, Rule(self.world.config.ai_games_per_day, DAY_S)
        allowed = self.world.limiter.take("ai.minute", account.id, AI_PER_MINUTE, now_s)
        if not allowed or (account.is_bot and not self.world.limiter.take("ai.day", account.id, per_day, now_s)):
            raise ApiError(429, errors.TOO_MANY)
        color = COLORS.get(terms.color, bool(self.world.rng.getrandbits(1)))
        game = self.builder.make(self.world.new_id(), terms, {color: account, not color: None}, "ai", level, None)
        self.world.begin(game)
        return game, color

    def offer_rematch(self, game: Game, color: chess.Color) -> Challenge:
        """Offer the same game with colours changed, or accept the opponent's offer."""
        if game.playable:
            raise ApiError(400, "The game is not over")
        me, other = game.players[color].account, game.players[not color].account
        if me is None or other is None:
            raise ApiError(400, "No rematch against the computer")
        offered = next(
            (c for c in self.challenges.values() if c.rematch_of == game.id and c.status != "declined"), None
        )
        if offered is not None:
            if offered.pending and offered.dest is me:
                self.accept(me, offered.id)
            return offered
        key = "black" if color == chess.WHITE else "white"
        terms = Terms(game.spec.variant, game.spec.control, game.spec.rated, key, game.spec.initial_fen)
        return self.send(me, other, terms, lasting=True, rematch_of=game.id)
