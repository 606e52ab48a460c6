# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site, made anew and looked at in a browser: `make docs` and `make browser` install both."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browsers import found_by, needs_browser

ROOT = Path(__file__).resolve().parents[2]
SPHINX = ROOT / ".deps/docs/bin/sphinx-build"
pytestmark = pytest.mark.skipif(
    not SPHINX.exists() or shutil.which("doxygen") is None,
    reason="what makes the site is missing; make docs installs it",
)


def made(target: Path, root: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [root / "scripts/docs", target],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("docs") / "site"
    done = made(target)
    assert done.returncode == 0, done.stdout
    return target


@pytest.fixture(scope="module")
def looks(site: Path) -> list[dict[str, Any]]:
    """What was found on each page, narrow and wide."""
    return found_by("look_at_site.py", site)


def test_each_page_of_the_documentation_is_on_the_site(site: Path) -> None:
    pages = [page for page in ROOT.glob("docs/*/*.md") if page.parent.name != "site"]
    assert len(pages) > 40
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *pages]:
        assert (site / page.relative_to(ROOT).with_suffix(".html")).exists(), page


def test_the_first_page_leads_to_all_others(site: Path) -> None:
    first = (site / "index.html").read_text(encoding="utf-8")
    for caption in ("Tutorial", "How-to", "Reference", "Explanation", "Project"):
        assert f'<span class="caption-text">{caption}</span>' in first
    for page in ROOT.glob("docs/how-to/*.md"):
        assert f'href="docs/how-to/{page.stem}.html"' in first


def test_the_c_interface_has_each_function_of_the_header(site: Path) -> None:
    page = (site / "docs/reference/c-interface.html").read_text(encoding="utf-8")
    functions = re.findall(r"(espalier_\w+)\(", (ROOT / "include/espalier/espalier.h").read_text(encoding="utf-8"))
    assert len(set(functions)) >= 5
    for function in functions:
        assert f'id="c.{function}"' in page


@pytest.mark.parametrize("heading", ["here", "not-here"])
def test_a_link_to_a_heading_that_is_not_there_is_refused(tmp_path: Path, heading: str) -> None:
    root = tmp_path / "checkout"
    for name in ("docs/site", "include", "scripts"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "CMakeLists.txt", root)
    (root / ".deps").symlink_to(ROOT / ".deps")
    for page in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG", "docs/README", "docs/decisions/README"):
        file = root / f"{page}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# {page}\n\n## Here\n", encoding="utf-8")
    (root / "README.md").write_text(f"# First\n\n[a heading](SECURITY.md#{heading})\n", encoding="utf-8")
    done = made(tmp_path / "site", root)
    assert (done.returncode == 0) is (heading == "here"), done.stdout
    assert ("local id not found" in done.stdout) is (heading != "here")


@needs_browser
def test_no_page_asks_for_anything_from_elsewhere_or_complains(looks: list[dict[str, Any]]) -> None:
    for look in looks:
        assert look["elsewhere"] == [], look["page"]
        assert look["console"] == [], look["page"]


@needs_browser
def test_no_page_is_wider_than_the_screen(looks: list[dict[str, Any]]) -> None:
    for look in looks:
        assert look["too_wide"] == 0, (look["page"], look["width"])


@needs_browser
def test_a_search_finds_pages_without_a_server(looks: list[dict[str, Any]]) -> None:
    (search,) = [look for look in looks if look["page"] == "search.html"]
    assert any("shared-memory" in result for result in search["results"])
