"""When the bot resigns, and when it offers, accepts or claims a draw."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.settings.base import Closed, Count, Flag, Number, OpponentKinds, Positive

MOST_PIECES = 32


class ResignSettings(Closed):
    """Resign after `moves` own moves in a row at `score_cp` or worse, against these opponents.

    A position that a tablebase calls lost counts as such a score with `by_tables`; one that it calls drawn or won is
    never resigned.
    """

    enabled: Flag = False
    opponents: OpponentKinds = ("human", "bot", "ai")
    min_rating: Count | None = None
    score_cp: Annotated[Number, Field(le=0)] = -1000
    moves: Positive = 4
    by_tables: Flag = True


class ContemptSettings(Closed):
    """No early draws against people rated lower by `rating_difference` or more."""

    enabled: Flag = True
    rating_difference: Count = 200
    min_move: Positive = 60


class DrawSettings(Closed):
    """Offer (and accept) a draw after `moves` own moves in a row within `score_cp` of 0, not before `min_move`.

    With `by_tables` a position that a tablebase calls drawn is offered at once; one that it calls won is never given
    away. A draw offered in a position that has been worse for so long is accepted.
    """

    offer: Flag = True
    accept: Flag = True
    opponents: OpponentKinds = ("human", "bot")
    min_rating: Count | None = None
    score_cp: Count = 10
    moves: Positive = 8
    min_move: Positive = 35
    max_pieces: Annotated[Positive, Field(ge=2, le=MOST_PIECES)] = MOST_PIECES
    by_tables: Flag = True
    contempt: ContemptSettings = ContemptSettings()
