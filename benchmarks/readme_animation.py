"""Record an offline game as the animated picture of the README.

    python -m benchmarks.readme_animation [docs/pictures/offline.svg] [--seed N]

Plays one game as `bot88 offline` does, keeps what the live view shows after each move, and writes an SVG whose rows
appear and disappear in a loop. A row that does not change is written once.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from rich.console import Console, RenderableType
from rich.segment import Segment

from bot.offline import command
from bot.offline.display import Display
from bot.offline.match import OfflineGame, Running
from bot.offline.options import OfflineOptions

COLUMNS, CELL, LINE, MARGIN = 62, 9.6, 20.0, 16.0
FRAME_S, LAST_S = 0.45, 6.0
GROUND, TEXT, DIM = "#1d1f21", "#d8d8d8", "#8a8a8a"
PROMPT = "$ bot88 offline"
NO_BREAK = "\N{NO-BREAK SPACE}"

Row = tuple[tuple[str, str, str, bool], ...]
"""The spans of a row: text, colour, background, bold."""


FRAMES: dict[int, list[Row]] = {}
"""What was shown, by the number of moves played."""


class Recorder(Display):
    """Keeps a picture for each move."""

    def look(self, running: Sequence[Running]) -> None:
        """Keep what is shown now, in place of an earlier picture of the same move."""
        for game in running:
            if game.report is not None:
                FRAMES[len(game.report.moves)] = rows(self._picture(running))

    def ended(self, ended_game: OfflineGame) -> None:
        """Keep the last board, with the final result below it."""
        super().ended(ended_game)
        last = max(FRAMES)
        report = ended_game.report
        FRAMES[last + 1] = rows(self._picture([Running(report.id, ended_game.bot_color, report=report)]))


def rows(picture: RenderableType) -> list[Row]:
    """Return what is drawn, line by line."""
    drawing = Console(width=COLUMNS, color_system="truecolor", force_terminal=True, legacy_windows=False)
    lines = drawing.render_lines(picture, pad=False)
    return [tuple(span(segment) for segment in line) for line in lines]


def span(segment: Segment) -> tuple[str, str, str, bool]:
    """Return the text of a segment with its colours."""
    style = segment.style
    front = style.color.get_truecolor().hex if style and style.color and style.color.name != "default" else ""
    back = style.bgcolor.get_truecolor().hex if style and style.bgcolor and style.bgcolor.name != "default" else ""
    return segment.text, front or (DIM if style and style.dim else TEXT), back, bool(style and style.bold)


def draw(row: Row, line: int) -> str:
    """Return the SVG of a row."""
    top, column, parts = MARGIN + line * LINE, 0, []
    for text, color, ground, bold in row:
        left, width = MARGIN + column * CELL, len(text) * CELL
        if ground:
            size = f'width="{width:.1f}" height="{LINE:.0f}"'
            parts.append(f'<rect x="{left:.1f}" y="{top:.0f}" {size} fill="{ground}"/>')
        stripped = text.strip()
        if stripped:
            start = left + (len(text) - len(text.lstrip())) * CELL
            weight = ' font-weight="bold"' if bold else ""
            length = f' textLength="{len(stripped) * CELL:.1f}"' if len(stripped) > 1 else ""
            place = f'x="{start:.1f}" y="{top + 15:.0f}" fill="{color}"'
            parts.append(f"<text {place}{weight}{length}>{escape(stripped).replace(' ', NO_BREAK)}</text>")
        column += len(text)
    return "".join(parts)


def animation(frames: list[list[Row]]) -> str:
    """Return the SVG: each row of each frame with the time at which it is visible."""
    total_s = FRAME_S * (len(frames) - 1) + LAST_S
    height = MARGIN * 2 + LINE * max(map(len, frames))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * CELL + 2 * MARGIN:.0f} {height:.0f}" '
        'font-family="Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="16">',
        "<title>A game of bot88 offline in the terminal</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
    ]
    for line in range(max(map(len, frames))):
        column = [frame[line] if line < len(frame) else () for frame in frames]
        start = 0
        for number in range(1, len(column) + 1):
            if number < len(column) and column[number] == column[start]:
                continue
            begin, end = start * FRAME_S / total_s, number * FRAME_S / total_s if number < len(column) else 1.0
            if column[start]:
                parts.append(f"<g>{shown(begin, end, total_s)}{draw(column[start], line)}</g>")
            start = number
    return "\n".join([*parts, "</svg>"]) + "\n"


def shown(begin: float, end: float, total_s: float) -> str:
    """Return the animation that shows a group from `begin` to `end`, parts of the whole."""
    if begin == 0.0 and end == 1.0:
        return ""
    steps = [(0.0, "hidden")] if begin else []
    steps += [(begin, "visible")] + ([(end, "hidden")] if end < 1.0 else [])
    values, times = ";".join(value for _, value in steps), ";".join(f"{time:.4f}" for time, _ in steps)
    return (
        f'<animate attributeName="visibility" calcMode="discrete" dur="{total_s:.2f}s" repeatCount="indefinite" '
        f'values="{values}" keyTimes="{times}"/>'
    )


def main() -> None:
    """Play, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path, nargs="?", default=Path("docs/pictures/offline.svg"))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    command.Display = Recorder  # type: ignore[attr-defined]  # its own view, which also keeps what it shows
    command.play_offline(OfflineOptions(seed=arguments.seed, clock=(30.0, 0.0)))
    prompt: list[Row] = [((PROMPT, TEXT, "", True),), ()]
    arguments.file.write_text(animation([prompt + frame for _, frame in sorted(FRAMES.items())]))
    print(f"{arguments.file}: {len(FRAMES)} moves, {arguments.file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
