"""Frames of a film, and the sheets that they are laid on: eight each, with words above."""

from base64 import b64encode
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from playwright.async_api import Browser

__all__ = ["HEIGHT", "WIDTH", "Reel"]

WIDTH, HEIGHT = 360, 740
"""Of a small phone."""
_COLUMNS, _ROWS = 4, 2
_SHEET = """
<style>
  body {{ margin: 0; padding: 12px; background: #555; font: 15px/19px sans-serif; color: #fff;
    display: grid; grid-template-columns: repeat({columns}, {width}px); gap: 12px;
    width: max-content }}
  p {{ margin: 0 0 6px; height: 57px; overflow: hidden; display: flex; align-items: end }}
  img {{ display: block; width: {width}px; height: {height}px }}
</style>
{frames}
"""
_FRAME = (
    "<div><p><span><b>{number}</b> {who}: {words}</span></p>"
    '<img src="data:image/png;base64,{png}"></div>'
)


@dataclass(frozen=True, slots=True)
class _Frame:
    who: str
    words: str
    png: bytes


@dataclass(slots=True)
class Reel:
    """The frames of one front, in order."""

    name: str
    frames: list[_Frame] = field(default_factory=list)

    def add(self, who: str, words: str, png: bytes) -> None:
        self.frames.append(_Frame(who, words, png))

    async def lay_out(self, chromium: Browser, folder: Path) -> list[Path]:
        """Write the sheets; gives their paths."""
        self._make_room(folder)
        page = await chromium.new_page(viewport={"width": 1600, "height": 1000})
        paths, most = [], _COLUMNS * _ROWS
        for at in range(0, len(self.frames), most):
            await page.set_content(self._sheet(at, at + most))
            paths.append(folder / f"{self.name}-{at // most + 1}.png")
            await page.locator("body").screenshot(path=paths[-1])
        await page.close()
        return paths

    def _make_room(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{self.name}-*.png"):
            old.unlink()

    def _sheet(self, start: int, end: int) -> str:
        frames = (
            _FRAME.format(
                number=number,
                who=escape(frame.who),
                words=escape(frame.words),
                png=b64encode(frame.png).decode(),
            )
            for number, frame in enumerate(self.frames[start:end], start + 1)
        )
        return _SHEET.format(columns=_COLUMNS, width=WIDTH, height=HEIGHT, frames="\n".join(frames))
