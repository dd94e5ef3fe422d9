"""What is worth a message: illnesses that last, once each; ratings above all before."""

from __future__ import annotations

from bot.dashboard.picture import Health
from bot.service.notifications import UNWELL_FOR_S, HealthWatch, RatingWatch

WELL = Health((), ready=True)
ILL = Health(("no engine answers",), ready=False)
REFUSED = Health(("Lichess rejects the token", "the event stream is silent"), ready=False)


def events(watch: HealthWatch, *seen: tuple[Health, float]) -> list[str]:
    return [news.event for health, now_s in seen for news in watch.see(health, now_s)]


def test_an_illness_is_told_once_when_it_lasts_and_its_end_once() -> None:
    watch = HealthWatch()
    assert events(watch, (WELL, 0.0), (ILL, 1.0), (ILL, 1.0 + UNWELL_FOR_S - 0.1)) == []
    assert events(watch, (ILL, 1.0 + UNWELL_FOR_S), (ILL, 100.0)) == ["unwell"]
    assert events(watch, (WELL, 101.0), (WELL, 102.0)) == ["well_again"]
    assert events(watch, (ILL, 103.0), (ILL, 103.0 + UNWELL_FOR_S)) == ["unwell"]


def test_a_short_illness_is_no_news_at_all() -> None:
    assert events(HealthWatch(), (ILL, 0.0), (WELL, UNWELL_FOR_S - 0.1), (ILL, UNWELL_FOR_S), (WELL, 11.0)) == []


def test_the_message_says_what_is_wrong() -> None:
    watch = HealthWatch()
    watch.see(ILL, 0.0)
    (news,) = watch.see(ILL, UNWELL_FOR_S)
    assert news.text == "is unwell: no engine answers"
    assert news.details == {"reasons": ["no engine answers"]}


def test_a_refused_token_is_told_at_once_and_once() -> None:
    watch = HealthWatch()
    assert events(watch, (REFUSED, 0.0), (REFUSED, 1.0), (REFUSED, UNWELL_FOR_S)) == ["token_refused", "unwell"]
    assert events(watch, (WELL, 50.0), (REFUSED, 51.0)) == ["well_again", "token_refused"]


def test_only_a_rating_above_all_before_is_a_record() -> None:
    watch = RatingWatch({"blitz": 2000})
    assert watch.see({"blitz": 2000, "bullet": 1500}) == []  # the first one of bullet is none
    (news,) = watch.see({"blitz": 2013, "bullet": 1490})
    assert news.event == "rating_record"
    assert news.text == "has a blitz rating of 2013, its highest so far (before: 2000)"
    assert news.details == {"perf": "blitz", "rating": 2013, "before": 2000}
    assert watch.see({"blitz": 1990}) == []
    assert watch.best == {"blitz": 2013, "bullet": 1500}
