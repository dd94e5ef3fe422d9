"""What `bot88 check` prints."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bot.errors import ConfigurationError, StartUpError
from bot.fake_lichess import FakeLichess
from bot.service.check import MOST_USERS, check_start_up, configuration, problems_of, rules_in_words, summary
from bot.settings import Settings, TournamentSettings, parse_settings
from tests.bot.move_sources.test_book import write_book
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake

__all__ = ["fake"]


def settings_for(fake: FakeLichess, behaviour: str = "good", token: str = "") -> Settings:
    lichess = {"url": fake.url, "token": token or fake.token("bot88")}
    return Settings.model_validate({"lichess": lichess, "engines": [tiny_entry(behaviour)]})


def test_paths_and_tokens_are_shown_as_text() -> None:
    shown = configuration(parse_settings("lichess: {token: lip_secret}\nstore: /tmp/x.sqlite3", "f.yml"), {})
    assert "store: /tmp/x.sqlite3" in shown
    assert "lip_secret" not in shown


def test_a_good_start_up(fake: FakeLichess) -> None:
    first, found = check_start_up(settings_for(fake)).splitlines()
    assert first == f"ready to play as bot88 on {fake.url}"
    assert found.startswith("bot88 has a bio, 0.0 h played against people: ")


def test_a_bad_engine_and_a_bad_token(fake: FakeLichess) -> None:
    with pytest.raises(StartUpError, match="no engine runs"):
        check_start_up(settings_for(fake, "no-start"))
    with pytest.raises(StartUpError, match="token is not valid"):
        check_start_up(settings_for(fake, token="lip_nobody"))


def test_a_feature_that_the_token_does_not_allow_is_told(fake: FakeLichess) -> None:
    token = fake.add_account("Poor", title="BOT", scopes=("bot:play",))
    settings = settings_for(fake, token=token).model_copy(
        update={"tournaments": TournamentSettings.model_validate({"arenas": [{"id": "AbCd1234"}]})}
    )
    said = check_start_up(settings).splitlines()
    assert said[1:-1] == ["the token lacks tournament:write: no arena is joined (tournaments.arenas)"]


def test_what_is_shown_is_a_configuration_in_the_order_of_the_documentation() -> None:
    greeting = "Grüße, " + "and good luck " * 6
    text = f"lichess: {{token: lip_secret}}\nconduct: {{chat: {{greeting: '{greeting}'}}}}\nconcurrency: 3"
    shown = configuration(parse_settings(text, "f.yml"), {})
    assert list(yaml.safe_load(shown)) == list(Settings.model_fields)
    assert yaml.safe_load(shown)["concurrency"] == 3
    assert "Grüße" in shown, "as it was written"
    assert max(map(len, shown.splitlines())) > 80
    assert [line for line in shown.splitlines() if "*" in line] == ["  token: '***'"]


def test_variables_that_override_the_file_are_named() -> None:
    shown = configuration(Settings(), {"BOT88__CONCURRENCY": "3", "PATH": "/bin"})
    assert shown.splitlines()[0] == "# concurrency is set by BOT88__CONCURRENCY"
    assert "PATH" not in shown


MISSING = """
engines:
  - {name: one, command: no-such-program --uci}
  - {name: two, command: bin/engine, working_dir: .}
  - {name: three, command: ./engine, working_dir: bin}
  - {name: four}
move_sources:
  books:
    - path: good.bin
    - path: gone.bin
  gaviota: {paths: [nowhere]}
challenges:
  rules:
    - {users: friends.txt, accept: true}
"""


def test_missing_files_and_programs_are_named_with_line_and_key(tmp_path: Path) -> None:
    write_book(tmp_path / "good.bin", {"e2e4": 1})
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "engine").touch(0o755)
    with pytest.raises(ConfigurationError) as refused:
        parse_settings(MISSING, "f.yml", folder=tmp_path, check=problems_of)
    lines = str(refused.value).splitlines()
    assert lines[0] == (
        "f.yml:3: engines[1].command: there is no program no-such-program; install it or correct the command"
    )
    assert lines[1].startswith(f"f.yml:10: move_sources.books[2].path: the book {tmp_path}/gone.bin cannot be read: ")
    assert lines[2] == f"f.yml:11: move_sources.gaviota.paths: there is no folder {tmp_path}/nowhere"
    assert lines[3].startswith("f.yml:14: challenges.rules[1].users: the list of users ")
    assert len(lines) == 4


def test_verdict_and_file_come_first_then_the_rules_then_what_differs() -> None:
    text = "concurrency: 1\nlichess: {token: lip_secret}\nchallenges: {queue: 3}"
    shown = summary(parse_settings(text, "f.yml"), "f.yml", {"BOT88__CHALLENGES__QUEUE": "3"})
    first, rules, changed, variables = shown.split("\n\n")
    assert first == "f.yml: no problems found"
    assert rules == rules_in_words(Settings())
    assert yaml.safe_load(changed.partition("\n")[2]) == {
        "concurrency": 1,
        "lichess": {"token": "***"},
        "challenges": {"queue": 3},
    }
    assert variables == "challenges.queue is set by BOT88__CHALLENGES__QUEUE\n"
    assert summary(Settings(), "f.yml", {}).endswith("\n\nevery key has its default (`bot88 check --all` prints all)\n")


CONFIGURED = """
challenges:
  allow: [Friend, https://example.org/friends]
  only: %s
  bullet_needs_increment: bot
  max_rating_difference: 300
  rules:
    - {titles: [GM], mode: casual, min_days: 2, max_days: 2, rematch: true, accept: true}
    - {opponents: bot, unless: {speeds: [3+2, rapid]}, min_recent_games: 2, recent_s: 60, decline: timeControl}
rules:
  - {opponents: human, max_rating: 1500, tournament: false, color: white, level: opponent, ponder: false}
  - {speeds: bullet, engines: [engine88], level: easy, depth: 9, nodes: 5000, move_time_s: 2.5, options: {Hash: 64}}
""" % [f"user{number}" for number in range(MOST_USERS + 2)]

EXPECTED = """
challenges; the first rule that matches decides:
  1. friend or those in https://example.org/friends: accepted (challenges.allow)
  2. GM, casual, 2 days a move, a rematch: accepted (challenges.rules[1])
  3. bots, at least 2 games with us within 60 s, unless 3+2 or rapid: declined, "timeControl" (challenges.rules[2])
  4. all, unless user0, user1, user2, user3, user4, user5, user6, user7 or 2 more: declined, "generic" (challenges.only)
  5. all, unless standard, chess960 or fromPosition: declined, "variant" (challenges.variants)
  6. without any clock: declined, "tooSlow" (challenges.unlimited)
"""


def test_every_rule_is_told_with_its_key_and_its_place() -> None:
    said = rules_in_words(parse_settings(CONFIGURED, "f.yml"))
    assert said.startswith(EXPECTED.strip())
    numbers = [
        int(line.split(".")[0]) for line in said.split("engines; the first rule")[0].splitlines() if "." in line[:6]
    ]
    assert numbers == list(range(1, 13)), "the line for all others is the last of them"
    assert "bots, ultraBullet or bullet, increment at most 0 s: declined" in said
    assert "rated at least 301 points away from us: declined" in said
    assert said.splitlines()[-3:] == [
        "  1. people, with the white pieces, outside tournaments, rated at most 1500: all engines, at the opponent's "
        "rating, pondering off",
        "  2. bullet: engine engine88, at level easy, with Hash 64, 9 plies a move at the most, 5000 nodes a move at "
        "the most, 2.5 s a move at the most",
        "  3. all other games: all engines that play the variant, pondering off",
    ]


def test_check_shows_them_as_comments_of_a_configuration_that_can_be_used() -> None:
    shown = configuration(parse_settings(CONFIGURED.replace("https://example.org/friends", "pal"), "f.yml"), {})
    assert shown.startswith("# challenges; the first rule")
    assert Settings.model_validate(yaml.safe_load(shown)).challenges.allow == ("friend", "pal")


def test_without_rules_all_engines_serve_all_games() -> None:
    assert (
        rules_in_words(Settings()).splitlines()[-1]
        == "  1. all games: all engines that play the variant, pondering off"
    )


def test_manners_that_differ_are_told() -> None:
    rules = "{opponents: [human, bot], takebacks: 2, resign: {enabled: false, moves: 3}}"
    assert rules_in_words(parse_settings(f"conduct: {{rules: {rules}}}", "f.yml")).splitlines()[-1] == (
        "  1. people or bots: resign.enabled false, resign.moves 3, takebacks 2"
    )


def test_variants_that_are_wanted_and_that_no_engine_plays_are_told() -> None:
    wanted = rules_in_words(parse_settings("challenges: {variants: [standard, atomic]}", "f.yml"))
    assert "so atomic is declined: no entry of `engines` has it among its `variants`" in wanted
    assert "so " not in rules_in_words(Settings())


MORE = """
challenges:
  rules:
    - {users: [], min_rating: 0, max_rating: 0, accept: true}
    - {min_days: 1, variants: [], rematch: false, time_controls: [clock, unlimited], min_limit_s: 60,
       max_increment_s: 5, decline: later}
    - {min_open_games: 2, min_games: 5, min_account_days: 3, max_duration_s: 900, mode: rated, decline: generic}
engines: [{name: a, command: x}, {name: b, command: y}]
rules:
  - {opponents: [human, ai], tournament: true, min_move_share: 0.05, ponder: true}
  - {color: black, engines: [a, b], level: opponent}
  - {mode: rated, options: {Hash: 64, Threads: 2}}
clock: {ponder: true}
conduct: {rules: [{takebacks: 1}, {opponents: human}]}
"""

TOLD = """
  1. nothing, rated 0: accepted (challenges.rules[1])
  2. nothing, with a clock or without any clock, at least 60 s at the start, increment at most 5 s, \
at least 1 days a move, no rematch: declined, "later" (challenges.rules[2])
  3. rated, expected to last at most 900 s, account at least 3 days old, account with at least 5 games, \
games and challenges with us already: at least 2: declined, "generic" (challenges.rules[3])
  1. people or the server's AI, in tournaments: all engines, pondering on, 5.0% of the clock a move at the least
  2. with the black pieces: engine a, then b, at the opponent's rating
  3. rated: all engines, with Hash 64, Threads 2
  4. all other games: all engines that play the variant, pondering on
conduct; the first rule that matches decides:
  1. all games: takebacks 1
  2. people: as usual
"""


def test_every_condition_has_its_words() -> None:
    lines = rules_in_words(parse_settings(MORE, "f.yml")).splitlines()
    assert [*lines[1:4], *lines[-7:]] == TOLD.strip("\n").splitlines()
