"""Carries out the commands of `bot88 ctl` and of the prompt on the running bot."""

from __future__ import annotations

import shlex

import structlog

from bot.account.challenges.manual_challenge import ChallengeNotSent, send_challenge
from bot.control.command_list import COMMANDS, CommandError, command_list
from bot.control.commands import Command, parse_command
from bot.control.report import Status, games_json, games_text, status_json, status_text
from bot.control.wire import Reply
from bot.errors import LichessError, NotFound
from bot.log import HIDDEN
from bot.play.levels import REMEMBER_S, elo_of
from bot.service.service import Service

_NONE_RUNNING = "no game is running"
_LEFT = ", left to the server; the next start takes it up"
COMMAND = "command"  # the event of a command's line
#: Commands that only look.
_LOOKS = ("status", "games", "help")

log = structlog.get_logger(__name__)


class CommandHandler:
    """Answers commands; may be called from any thread but a game's, for a challenge waits for the server."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def handle(self, words: tuple[str, ...]) -> Reply:
        """Carry out one command; never raises."""
        parsed = False
        try:
            command = parse_command(words)
            parsed = True
            answer = Reply(True, getattr(self, f"_{command.name.replace('-', '_')}")(command))
        except (CommandError, ChallengeNotSent) as error:
            answer = Reply(False, str(error))
        except Exception:  # a fault of ours in a command must not end the bot
            log.exception("command_fault", command=_loggable(words, parsed=parsed))
            answer = Reply(False, "the bot failed at this command; see its log")
        if words and words[0] not in _LOOKS:
            log.info(COMMAND, command=_loggable(words, parsed=parsed), ok=answer.ok)
        return answer

    def status(self) -> Status:
        """Return what goes on at the moment."""
        service, dispatcher = self._service, self._service.dispatcher
        return Status(
            picture=self._service.observer.look(),
            slots=dispatcher.slots.concurrency if dispatcher is not None else service.settings.concurrency,
            paused=service.admission.paused,
            ending=service.signals.asked,
            blocked=tuple(sorted(service.admission.blocked | set(service.settings.challenges.block))),
        )

    # A method for each command, by its name: `quit-after-games` is `_quit_after_games`.

    def _help(self, _command: Command) -> str:
        return command_list()

    def _status(self, command: Command) -> str:
        return (status_json if command.json else status_text)(self.status())

    def _games(self, command: Command) -> str:
        return (games_json if command.json else games_text)(self._service.observer.look().games)

    def _challenge(self, command: Command) -> str:
        service = self._service
        if service.signals.asked:
            raise CommandError("the bot is ending and begins no games; start it again")
        if service.dispatcher is None or service.account is None:
            raise CommandError("the bot is still starting; try again in a moment")
        assert command.terms is not None
        sent, user = send_challenge(service.gateway, service.dispatcher.slots, service.account.id, command.terms)
        where = f"{service.gateway.url}/{sent.id}" + ("" if user.online else f"; {user.name} is not online")
        return f"challenged {user.name} to {command.terms}: {where}"

    def _pause(self, _command: Command) -> str:
        paused_now = self._service.admission.pause()
        running = self._running()
        return f"{'paused' if paused_now else 'paused already'}; {running}; `resume` undoes it"

    def _resume(self, _command: Command) -> str:
        if self._service.signals.asked:
            raise CommandError("the bot is ending and takes no challenges; start it again")
        if not self._service.admission.resume():
            return "nothing was paused"
        return "resumed: challenges are taken, games are sought as configured"

    def _block(self, command: Command) -> str:
        if not self._service.admission.block(command.user):
            return f"{command.user} is blocked already"
        return f"{command.user} is blocked: no challenge is accepted or sent; a running game continues"

    def _unblock(self, command: Command) -> str:
        unblocked, configured = self._service.admission.unblock(command.user), self._service.settings.challenges.block
        if command.user in configured:
            raise CommandError(f"{command.user} is blocked by challenges.block; take the name out there, then `reload`")
        if self._service.user_lists.contains(configured, command.user):
            remedy = "take the name out there, and wait until the list is read again"
            raise CommandError(f"{command.user} is in a list of challenges.block; {remedy}")
        return f"{command.user} may be played again" if unblocked else f"{command.user} was not blocked"

    def _tournament(self, command: Command) -> str:
        service, entry = self._service, command.arena
        if service.signals.asked:
            raise CommandError("the bot is ending and begins no games; start it again")
        if service.arenas is None:
            raise CommandError("the bot is still starting; try again in a moment")
        assert entry is not None
        try:
            arena = service.gateway.arena(entry.id)
        except NotFound as error:
            raise CommandError(f"there is no arena {entry.id}; its id is in the address of its page") from error
        except LichessError as error:
            raise CommandError(f"{entry.id} cannot be looked up: {error}; try again") from error
        if arena.finished:
            raise CommandError(f"{arena.name} is over; name an arena that is still to come, or runs")
        if not service.arenas.join(entry):
            return f"the bot takes part in {arena.name} already"
        return f"taking part in {arena.name}: {service.gateway.url}/tournament/{arena.id}; see the log for its games"

    def _level(self, command: Command) -> str:
        """Treat the level as if the user had asked for it; the engine says in the chat what it makes of it."""
        rules = self._service.settings.conduct.levels
        if not rules.by_chat:
            raise CommandError("conduct.levels.by_chat is false: give the level in an engine rule, or switch it on")
        try:
            elo = elo_of(rules, command.level)
        except ValueError as error:
            raise CommandError(str(error)) from error
        self._service.levels.remember(command.user, elo)
        words = "full strength" if elo is None else f"about {elo}"
        return f"{command.user}: the next game is at {words} if it is casual and begins within {REMEMBER_S:.0f} s"

    def _reload(self, _command: Command) -> str:
        outcome = self._service.reload()
        if outcome.error:
            raise CommandError(str(outcome))
        return str(outcome)

    def _quit(self, _command: Command) -> str:
        running = self._running()
        self._service.end("leave")
        return f"ending now; {running}" + (_LEFT if running != _NONE_RUNNING else "")

    def _quit_after_games(self, _command: Command) -> str:
        running = self._running()
        self._service.end("finish")
        return f"ending after the games; {running}; `quit` ends now"

    def _running(self) -> str:
        dispatcher = self._service.dispatcher
        count = len(dispatcher.snapshot().loops) if dispatcher is not None else 0
        return {0: _NONE_RUNNING, 1: "1 game is running"}.get(count, f"{count} games are running")


def _loggable(words: tuple[str, ...], *, parsed: bool) -> str:
    """Return the command for the log, without a password; of one that was not understood only its name."""
    if not parsed:  # what is mistyped may be a password
        return words[0] if words and words[0] in COMMANDS else "?"
    shown = [HIDDEN if before == "--password" else word for before, word in zip(("", *words), words, strict=False)]
    return shlex.join(HIDDEN if word.startswith("--password=") else word for word in shown)
