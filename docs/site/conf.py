# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: `make docs`. Pages are read as they lie in the repository, with their links."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

project = "Espalier"
project_copyright = "the authors of Espalier"
found = re.search(r"Espalier VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
assert found
version = release = found[1]

extensions = ["myst_parser", "breathe", "navigation"]
root_doc = "README"
elsewhere = ["packaging/README.md", "bench/selection/machines/README.md"]  # to which pages lead
include_patterns = ["*.md", "docs/**.md", *elsewhere]
folders = {"docs", *(page.split("/")[0] for page in elsewhere)}
exclude_patterns = [entry.name for entry in ROOT.iterdir() if entry.is_dir() and entry.name not in folders]

nitpicky = True
smartquotes = False  # strings of C among them
highlight_language = "text"
myst_heading_anchors = 6

breathe_projects = {"c": str(ROOT / "build/docs/xml")}
breathe_default_project = "c"
breathe_domain_by_extension = {"h": "c"}

html_theme = "furo"
html_title = f"Espalier {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_search_summary = False  # it would be fetched, which pages that are opened as files may not do
