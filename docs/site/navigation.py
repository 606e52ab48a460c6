# SPDX-License-Identifier: Apache-2.0
"""What pages get on the site that they do not have on GitHub: a list of all pages, and the C interface."""

import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx

KINDS = {"Tutorial": "tutorial", "How-to": "how-to", "Reference": "reference", "Explanation": "explanation"}
PROJECT = (
    "All pages <docs/README>",
    "CONTRIBUTING",
    "SECURITY",
    "docs/decisions/README",
    "packaging/README",
    "CHANGELOG",
)
HEADER = """
## The header

```{doxygenfile} espalier.h
:sections: briefdescription detaileddescription func
```
"""
LISTED = re.compile(r"\]\(([\w-]+/[\w-]+)\.md\)")


def toctree(entries: list[str] | tuple[str, ...], caption: str = "") -> str:
    options = [":hidden:", f":caption: {caption}"] if caption else [":hidden:"]
    return "\n".join(["", "```{toctree}", *options, "", *entries, "```", ""])


def pages(root: Path, kind: str) -> list[str]:
    """Those of a kind, as docs/README.md has them in order; behind them any that it does not list."""
    listed = LISTED.findall((root / "docs/README.md").read_text(encoding="utf-8"))
    found = sorted(f"{kind}/{page.stem}" for page in (root / "docs" / kind).glob("*.md"))
    in_order = sorted(found, key=lambda page: listed.index(page) if page in listed else len(listed))
    return [f"docs/{page}" for page in in_order]


def is_there(root: Path, entry: str) -> bool:
    """Whether there is the page that an entry of a list means."""
    return (root / f"{entry.rpartition('<')[2].rstrip('>')}.md").exists()


def add_to_page(app: Sphinx, name: str, source: list[str]) -> None:
    root = Path(app.srcdir)
    if name == "README":
        source[0] += "".join(toctree(pages(root, kind), caption) for caption, kind in KINDS.items())
        source[0] += toctree([page for page in PROJECT if is_there(root, page)], "Project")
    elif name == "docs/decisions/README":
        source[0] += toctree(sorted(page.stem for page in (root / "docs/decisions").glob("[0-9]*.md")))
    elif name == "docs/explanation/choosing":
        source[0] += toctree(["../../bench/selection/machines/README"])
    elif name == "docs/reference/c-interface":
        source[0] += HEADER


def name_first_page(app: Sphinx, error: Exception | None) -> None:
    """What a browser opens first is called index.html."""
    if error is None and app.builder.format == "html":
        shutil.copyfile(app.outdir / "README.html", app.outdir / "index.html")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", add_to_page)
    app.connect("build-finished", name_first_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
