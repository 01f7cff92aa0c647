"""How the guides are built: ``make docs``. Settings of Sphinx, which reads them by these names."""

import tomllib
from pathlib import Path

_ROOT = Path(__file__).parent.parent

project = "Azumaya"
author = "Azumaya"
version = release = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
# Pages begin with a letter; what they are made of, with a dash below.
exclude_patterns = ["**/_*"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
nitpicky = True

html_theme = "furo"
html_title = "Azumaya"
html_favicon = "../bot/fronts/page/icon.svg"
html_copy_source = html_show_sourcelink = html_show_copyright = html_show_sphinx = False
