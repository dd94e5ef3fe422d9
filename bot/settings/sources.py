"""Where moves come from before the engine is asked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, Strict, model_validator

from bot.settings.base import (
    Closed,
    Count,
    FilePath,
    FilePaths,
    Flag,
    Positive,
    Seconds,
    Text,
    Variants,
    _listed,
    _unique,
)
from bot.settings.conditions import GameConditions

SourceName = Literal["book", "syzygy", "gaviota", "explorer", "cloud", "chessdb", "online_tablebase"]


class BookSettings(GameConditions):
    """A Polyglot book. `selection`: best move, by weight, or any move alike; `max_ply` counts both sides' moves.

    Used in games that fit the conditions alone; `allow_repetitions`: also choose moves that repeat a position;
    `min_share`: moves lighter than this part of `share_of` are ignored; `max_moves`: of the book in one game.
    """

    path: FilePath
    selection: Literal["best", "weighted", "uniform"] = "weighted"
    min_weight: Count = 1
    min_share: Annotated[float, Strict(), Field(ge=0, le=1)] = 0.0
    share_of: Literal["heaviest", "all"] = "heaviest"
    max_ply: Positive = 30
    max_moves: Positive | None = None
    variants: Variants | None = ("standard",)
    allow_repetitions: Flag = True


class SyzygySettings(Closed):
    """Syzygy files in folders."""

    paths: FilePaths = ()
    max_pieces: Annotated[Positive, Field(le=7)] = 7


class GaviotaSettings(Closed):
    """Gaviota files in folders."""

    paths: FilePaths = ()
    max_pieces: Annotated[Positive, Field(le=5)] = 5


class OnlineOpeningSettings(Closed):
    """What the online sources for openings share; `max_moves`: of the source in one game."""

    enabled: Flag = False
    max_ply: Positive = 30
    max_moves: Positive | None = None
    allow_repetitions: Flag = True


class ExplorerSettings(OnlineOpeningSettings):
    """The opening explorer: games of masters, of Lichess, of one player (ourselves by default), or of the opponent."""

    url: Text = "https://explorer.lichess.org"
    database: Literal["masters", "lichess", "player", "opponent"] = "masters"
    player: Annotated[Text, Field(min_length=1)] | None = None
    sort: Literal["proven", "score", "games", "performance"] = "proven"
    only_with_wins: Flag = False
    min_games: Positive = 20
    max_ply: Positive = 20

    @model_validator(mode="after")
    def _fits_the_database(self) -> ExplorerSettings:
        if self.player is not None and self.database != "player":
            raise ValueError("player is for database: player")
        if self.sort == "performance" and self.database != "player":
            raise ValueError("sort: performance is for database: player, the only one that tells performances")
        return self


class CloudSettings(OnlineOpeningSettings):
    """Cloud evaluations."""

    url: Text = "https://lichess.org/api/cloud-eval"
    min_depth: Positive = 25
    min_knodes: Count = 0


class ChessdbSettings(OnlineOpeningSettings):
    """The database of chessdb.cn."""

    url: Text = "https://www.chessdb.cn/cdb.php"
    min_depth: Positive = 20


class OnlineTablebaseSettings(Closed):
    """The tablebase server."""

    enabled: Flag = False
    url: Text = "https://tablebase.lichess.org"
    max_pieces: Annotated[Positive, Field(le=8)] = 7


class OnlineSettings(Closed):
    """All online sources share `budget_s` for a move, and none is asked with less than `reserve_s` on the clock."""

    budget_s: Seconds = 1.5
    reserve_s: Seconds = 30.0
    max_misses: Positive = 3
    explorer: ExplorerSettings = ExplorerSettings()
    cloud: CloudSettings = CloudSettings()
    chessdb: ChessdbSettings = ChessdbSettings()
    tablebase: OnlineTablebaseSettings = OnlineTablebaseSettings()


class SourceSettings(Closed):
    """Sources are asked in `order`; one without files or not enabled is passed over."""

    order: Annotated[tuple[SourceName, ...], BeforeValidator(_listed), AfterValidator(_unique)] = (
        "book",
        "syzygy",
        "gaviota",
        "explorer",
        "cloud",
        "chessdb",
        "online_tablebase",
    )
    books: Annotated[tuple[BookSettings, ...], BeforeValidator(_listed)] = ()
    syzygy: SyzygySettings = SyzygySettings()
    gaviota: GaviotaSettings = GaviotaSettings()
    online: OnlineSettings = OnlineSettings()
