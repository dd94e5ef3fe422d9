"""Life of challenges, on a World: sent, accepted, declined, cancelled, expired; rematches; games against the computer."""

from __future__ import annotations

import asyncio

import chess

from bot.fake_lichess import errors
from bot.fake_lichess.accounts import Account
from bot.fake_lichess.challenges import (
    Challenge,
    Terms,
    challenge_event,
    check_clock_for_bots,
    check_rated,
    check_rules,
    find_reason,
    require_pending,
)
from bot.fake_lichess.clocks import GameClock
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.game import BOTH, Game, GameSpec, Player
from bot.fake_lichess.limits import Rule
from bot.fake_lichess.opponents.base import Seat, ai_driver
from bot.fake_lichess.variants import COLORS, start_board
from bot.fake_lichess.world import World

DAY_S = 86_400


class Lobby:
    """All challenges of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.challenges: dict[str, Challenge] = {}
        self._expiry: dict[str, asyncio.TimerHandle] = {}

    # ---- sending

    def check(self, challenger: Account | None, dest: Account, terms: Terms) -> None:
        """Refuse what the server refuses at sending; raises ApiError 400 or 429."""
        if challenger is dest:
            raise ApiError(400, "You cannot challenge yourself")
        allow_any = self.world.config.allow_any_clock
        check_clock_for_bots(terms, (challenger, dest), allow_any, errors.TOO_FAST_FOR_BOTS)
        check_rated(terms)
        check_rules(terms, dest)
        self.check_position(terms)
        self._check_bot_day(challenger, dest, challenger)
        for account in (challenger, dest):
            if account is not None and len(self.world.ongoing(account)) >= self.world.config.max_ongoing_games:
                raise ApiError(400, "Challenge not created")

    def check_position(self, terms: Terms) -> None:
        """The FEN must be there for fromPosition and be playable; raises ApiError 400."""
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
    ) -> Challenge:
        """Challenge someone. Real-time challenges expire unless `lasting`. Opponents that the server plays accept at once."""
        self.check(challenger, dest, terms)
        color = COLORS.get(terms.color, bool(self.world.rng.getrandbits(1)))
        challenge = Challenge(self.world.new_id(), terms, challenger, dest, color, rematch_of=rematch_of)
        self.challenges[challenge.id] = challenge
        event = challenge_event("challenge", challenge, self.world.base_url)
        for account in (dest, challenger):
            self.world.send_event(account, event)
        loop = asyncio.get_running_loop()
        if not lasting and terms.control.limit_ms is not None:
            life = self.world.config.challenge_life_s
            self._expiry[challenge.id] = loop.call_later(life, self.expire, challenge)
        if dest.opponent is not None:
            loop.call_soon(dest.opponent.challenged, self, challenge)
        return challenge

    def expire(self, challenge: Challenge) -> None:
        """Nobody waits any more: the challenge vanishes without an event."""
        if challenge.pending:
            self._close(challenge, "offline")

    def _close(self, challenge: Challenge, status: str) -> None:
        challenge.status = status
        timer = self._expiry.pop(challenge.id, None)
        if timer is not None:
            timer.cancel()
        for watcher in challenge.watchers:
            watcher(status)
        challenge.watchers.clear()
        if len(self.challenges) > self.world.config.keep_finished:
            oldest = next((key for key, kept in self.challenges.items() if not kept.pending), None)
            self.challenges.pop(oldest or "", None)

    # ---- answering

    def incoming(self, account: Account) -> list[Challenge]:
        """Pending challenges to the account."""
        return [c for c in self.challenges.values() if c.pending and c.dest is account]

    def outgoing(self, account: Account) -> list[Challenge]:
        """Pending challenges from the account."""
        return [c for c in self.challenges.values() if c.pending and c.challenger is account]

    def _pending_for(self, account: Account, challenge_id: str) -> Challenge:
        challenge = require_pending(self.challenges.get(challenge_id))
        if challenge.dest is not None and challenge.dest is not account:
            raise ApiError(404, errors.NOT_FOUND)
        return challenge

    def accept(self, account: Account, challenge_id: str) -> Game:
        """Accept: the game begins under the challenge's id; raises ApiError 404, 400 or 429."""
        challenge = self._pending_for(account, challenge_id)
        pair = (challenge.challenger, account)
        check_clock_for_bots(challenge.terms, pair, self.world.config.allow_any_clock, errors.BOT_INCOMPATIBLE)
        self._check_bot_day(challenge.challenger, account, account)
        self._close(challenge, "accepted")
        return self._begin(challenge, account)

    def decline(self, account: Account, challenge_id: str, reason: str = "generic") -> None:
        """Decline with a reason; the challenger's stream tells it. Raises ApiError 404."""
        challenge = self._pending_for(account, challenge_id)
        challenge.decline_reason = find_reason(reason)
        self._close(challenge, "declined")
        self.world.send_event(
            challenge.challenger, challenge_event("challengeDeclined", challenge, self.world.base_url)
        )

    def cancel(self, account: Account, challenge_id: str) -> None:
        """Cancel one's own challenge, or abort its game when that may be; raises ApiError 404."""
        challenge = self.challenges.get(challenge_id)
        if challenge is None or challenge.challenger is not account:
            raise ApiError(404, errors.NOT_FOUND)
        game = self.world.games.get(challenge_id)
        if game is not None and game.abortable:
            game.abort(self.world.now_ms())
            return
        require_pending(challenge)
        self._close(challenge, "canceled")
        event = challenge_event("challengeCanceled", challenge, self.world.base_url)
        for person in (challenge.dest, challenge.challenger):
            self.world.send_event(person, event)

    # ---- limits

    def _bot_day(self, account: Account) -> tuple[str, str, Rule]:
        return ("bot.vsBot.day", account.id, Rule(self.world.config.bot_games_per_day, DAY_S))

    def _check_bot_day(self, one: Account | None, other: Account, asker: Account | None) -> None:
        if one is None or not (one.is_bot and other.is_bot) or not self.world.limiter.enabled:
            return
        now_s = self.world.now_ms() / 1000
        for account in (one, other):
            wait = self.world.limiter.window(*self._bot_day(account)).wait_s(now_s)
            if wait > 0:
                text = f"{account.name} played {self.world.config.bot_games_per_day} games against other bots today"
                limit = {"key": "bot.vsBot.day", "seconds": max(1, round(wait))}
                raise ApiError(429 if account is asker else 400, text, {"ratelimit": limit})

    def _count_bot_day(self, one: Account | None, other: Account | None) -> None:
        if one is not None and other is not None and one.is_bot and other.is_bot:
            for account in (one, other):
                self.world.limiter.window(*self._bot_day(account)).spend(self.world.now_ms() / 1000)

    # ---- beginning

    def _begin(self, challenge: Challenge, dest: Account) -> Game:
        color = challenge.final_color
        accounts = {color: challenge.challenger, not color: dest}
        self._count_bot_day(challenge.challenger, dest)
        source = "friend"
        game = self._make(challenge.id, challenge.terms, accounts, source, None, challenge.rematch_of)
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
        rule = Rule(self.world.config.ai_games_per_day, DAY_S)
        if account.is_bot and not self.world.limiter.take("ai", account.id, rule, self.world.now_ms() / 1000):
            raise ApiError(429, errors.TOO_MANY)
        color = COLORS.get(terms.color, bool(self.world.rng.getrandbits(1)))
        game = self._make(self.world.new_id(), terms, {color: account, not color: None}, "ai", level, None)
        self.world.begin(game)
        return game, color

    def _make(
        self,
        game_id: str,
        terms: Terms,
        accounts: dict[chess.Color, Account | None],
        source: str,
        level: int | None,
        rematch_of: str | None,
    ) -> Game:
        world = self.world
        board = start_board(terms.variant, terms.initial_fen, world.rng)
        named = terms.variant.key in ("chess960", "fromPosition") or terms.initial_fen is not None
        spec = GameSpec(
            id=game_id,
            variant=terms.variant,
            control=terms.control,
            rated=terms.rated and level is None,
            speed=terms.speed,
            perf=terms.perf,
            source=source,
            initial_fen=board.fen() if named else None,
            rules=terms.rules,
            rematch_of=rematch_of,
        )
        players = {color: self._player(game_id, account, spec.perf, level) for color, account in accounts.items()}
        game = Game(spec, board, players, GameClock(terms.control, board.turn, world.now_ms()), world)
        for color in BOTH:
            self._seat(game, color)
        return game

    def _player(self, game_id: str, account: Account | None, perf: str, level: int | None) -> Player:
        full_id = game_id + self.world.new_id(4)
        if account is None:
            return Player(None, full_id, ai_level=level)
        return Player(account, full_id, account.perf(perf).rating)

    def _seat(self, game: Game, color: chess.Color) -> None:
        player = game.players[color]
        seat = Seat(self.world, game, color)
        if player.account is not None and player.account.opponent is not None:
            self.world.drivers[game.id, color] = player.account.opponent.sit(seat)
        elif player.ai_level is not None:
            self.world.drivers[game.id, color] = ai_driver(seat, player.ai_level)

    # ---- rematch

    def offer_rematch(self, game: Game, color: chess.Color) -> Challenge:
        """Offer the same game with colours changed; the opponent sees a challenge with rematchOf."""
        if game.playable:
            raise ApiError(400, "The game is not over")
        me, other = game.players[color].account, game.players[not color].account
        if me is None or other is None:
            raise ApiError(400, "No rematch against the computer")
        key = "black" if color == chess.WHITE else "white"
        terms = Terms(game.spec.variant, game.spec.control, game.spec.rated, key, game.spec.initial_fen)
        return self.send(me, other, terms, lasting=True, rematch_of=game.id)
