"""Where moves come from before the engine is asked."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, Strict, model_validator

from bot.settings.conditions import GameConditions
from bot.settings.types import (
    Closed,
    Count,
    FilePath,
    FilePaths,
    Flag,
    Positive,
    Seconds,
    Text,
    Variants,
    listed,
    unique,
)

SourceName = Literal["book", "syzygy", "gaviota", "explorer", "cloud", "chessdb", "online_tablebase"]


class BookSettings(GameConditions):
    """A Polyglot book, for games that fit the conditions."""

    path: FilePath = Field(examples=["/usr/share/games/gnuchess/book.bin"])
    """The file. Required."""
    selection: Literal["best", "weighted", "uniform"] = "weighted"
    """`best`: the heaviest move; `weighted`: at random, by weight; `uniform`: at random."""
    min_weight: Count = 1
    """Ignore moves of less weight."""
    min_share: Annotated[float, Strict(), Field(ge=0, le=1)] = 0.0
    """Ignore moves lighter than this part (0 to 1) of the heaviest move in the position."""
    max_ply: Positive = 30
    """Last ply (half-move) for which the book is asked."""
    variants: Variants | None = ("standard",)
    """These variants."""


class SyzygySettings(Closed):
    """Syzygy tablebases."""

    paths: FilePaths = Field(default=(), examples=[["/srv/syzygy"]])
    """Folders with the files."""
    max_pieces: Annotated[Positive, Field(le=7)] = 7
    """Ask with this many pieces or fewer, at most 7."""


class GaviotaSettings(Closed):
    """Gaviota tablebases."""

    paths: FilePaths = ()
    """Folders with the files."""
    max_pieces: Annotated[Positive, Field(le=5)] = 5
    """Ask with this many pieces or fewer, at most 5."""


class OnlineOpeningSettings(Closed):
    """What the online sources for openings have in common."""

    enabled: Flag = False
    """Ask this source."""
    max_ply: Positive = 30
    """Last ply (half-move) for which it is asked."""


class ExplorerSettings(OnlineOpeningSettings):
    """The opening explorer of Lichess."""

    url: Text = "https://explorer.lichess.org"
    """Its address."""
    database: Literal["masters", "lichess", "player", "opponent"] = "masters"
    """`masters`, `lichess`, `player` (games of one player), `opponent` (against which moves it fares worst)."""
    player: Annotated[Text, Field(min_length=1)] | None = Field(default=None, examples=["somebody"])
    """Whose games, with `database: player`; default: ours."""
    sort: Literal["proven", "score", "games", "performance"] = "proven"
    """Best move by `proven` (the score that the number of games ensures), `score`, `games`, or, of a player,
    `performance`."""
    min_games: Positive = 20
    """Ignore moves with fewer games."""
    max_ply: Positive = 20
    """Last ply (half-move) for which it is asked."""

    @model_validator(mode="after")
    def _fits_the_database(self) -> Self:
        if self.player is not None and self.database != "player":
            raise ValueError("player is for database: player")
        if self.sort == "performance" and self.database != "player":
            raise ValueError("sort: performance is for database: player, the only one with performance ratings")
        return self


class CloudSettings(OnlineOpeningSettings):
    """Cloud evaluations of Lichess."""

    url: Text = "https://lichess.org/api/cloud-eval"
    """Its address."""
    min_depth: Positive = 25
    """Ignore shallower evaluations."""


class ChessdbSettings(OnlineOpeningSettings):
    """The database of chessdb.cn."""

    url: Text = "https://www.chessdb.cn/cdb.php"
    """Its address."""
    min_depth: Positive = 20
    """Ignore shallower answers."""


class OnlineTablebaseSettings(Closed):
    """The tablebase server of Lichess."""

    enabled: Flag = False
    """Ask this source."""
    url: Text = "https://tablebase.lichess.org"
    """Its address."""
    max_pieces: Annotated[Positive, Field(le=8)] = 7
    """Ask with this many pieces or fewer, at most 8."""


class OnlineSettings(Closed):
    """Limits for all online sources together."""

    budget_s: Seconds = 1.5
    """Time for all online sources, per move."""
    reserve_s: Seconds = 30.0
    """Ask none with less on our clock."""
    max_misses: Positive = 3
    """Stop asking a source in a game after this many misses in a row."""
    explorer: ExplorerSettings = ExplorerSettings()
    cloud: CloudSettings = CloudSettings()
    chessdb: ChessdbSettings = ChessdbSettings()
    tablebase: OnlineTablebaseSettings = OnlineTablebaseSettings()


class SourceSettings(Closed):
    """Where moves come from before the engine is asked. Sources without files, or not enabled, are skipped."""

    order: Annotated[tuple[SourceName, ...], BeforeValidator(listed), AfterValidator(unique)] = (
        "book",
        "syzygy",
        "gaviota",
        "explorer",
        "cloud",
        "chessdb",
        "online_tablebase",
    )
    """The order in which sources are asked."""
    books: Annotated[tuple[BookSettings, ...], BeforeValidator(listed)] = ()
    """Polyglot books."""
    syzygy: SyzygySettings = SyzygySettings()
    gaviota: GaviotaSettings = GaviotaSettings()
    online: OnlineSettings = OnlineSettings()
