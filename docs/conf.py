"""Sphinx configuration of the guides: ``make docs``."""

import importlib.metadata

project = "Azumaya"
author = "Azumaya"
version = release = importlib.metadata.version("azumaya")
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
# Templates of pages start with an underscore.
exclude_patterns = ["**/_*"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
nitpicky = True

html_theme = "furo"
html_title = "Azumaya"
html_favicon = "../bot/fronts/page/icon.svg"
html_copy_source = html_show_sourcelink = html_show_copyright = html_show_sphinx = False
