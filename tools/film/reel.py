"""Frames of screens, one by one and on sheets."""

import re
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from playwright.async_api import Browser, ViewportSize

PHONE: ViewportSize = {"width": 360, "height": 740}
LAPTOP: ViewportSize = {"width": 1104, "height": 740}
"""As wide as three phones on a sheet."""
_ON_SHEET = 8
_SHEET = """
<style>
  body {{ margin: 0; padding: 12px; background: #555; font: 15px/19px sans-serif; color: #fff;
    display: flex; flex-wrap: wrap; gap: 12px; width: 1476px }}
  p {{ margin: 0 0 6px; height: 57px; overflow: hidden; display: flex; align-items: end;
    contain: inline-size }}
  img {{ display: block; height: {height}px }}
</style>
{frames}
"""
_FRAME = (
    "<div><p><span><b>{number}</b> {caption}</span></p>"
    '<img src="data:image/png;base64,{png}"></div>'
)


@dataclass(slots=True)
class Reel:
    """The frames of one front, in order, by caption."""

    name: str
    scale: int
    frames: list[tuple[str, bytes]] = field(default_factory=list)

    def add(self, who: str, words: str, png: bytes) -> None:
        self.frames.append((f"{who}: {words}", png))

    async def write(self, chromium: Browser, folder: Path) -> list[Path]:
        """Write frames, named by their captions, and sheets; return the paths of the sheets."""
        self._write_frames(folder)
        page = await chromium.new_page(
            viewport={"width": 1600, "height": 1000}, device_scale_factor=self.scale
        )
        paths: list[Path] = []
        for start in range(0, len(self.frames), _ON_SHEET):
            await page.set_content(self._sheet(start))
            paths.append(folder / f"{self.name}-{len(paths) + 1}.png")
            await page.locator("body").screenshot(path=paths[-1])
        await page.close()
        return paths

    def _write_frames(self, folder: Path) -> None:
        """Name frames by their captions; a repeated caption gets a number."""
        own = folder / self.name
        own.mkdir(parents=True, exist_ok=True)
        for old in [*folder.glob(f"{self.name}-*.png"), *own.glob("*.png")]:
            old.unlink()
        counts: Counter[str] = Counter()
        for caption, png in self.frames:
            name = "-".join(re.findall(r"\w+", caption.lower()))
            counts[name] += 1
            number = f"-{counts[name]}" if counts[name] > 1 else ""
            (own / f"{name}{number}.png").write_bytes(png)

    def _sheet(self, start: int) -> str:
        shown = self.frames[start : start + _ON_SHEET]
        frames = (
            _FRAME.format(number=number, caption=escape(caption), png=b64encode(png).decode())
            for number, (caption, png) in enumerate(shown, start + 1)
        )
        return _SHEET.format(height=PHONE["height"], frames="\n".join(frames))
