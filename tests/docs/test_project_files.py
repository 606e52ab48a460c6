# SPDX-License-Identifier: Apache-2.0
"""What is said twice is said alike: lists of pages, checks and versions."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["tutorial", "how-to", "reference", "explanation"])
def test_the_list_of_pages_has_each_page(kind: str) -> None:
    listed = re.findall(rf"\]\(({kind}/[\w-]+\.md)\)", text_of("docs/README.md"))
    assert sorted({f"{kind}/{page.name}" for page in (ROOT / "docs" / kind).glob("*.md")}) == sorted(set(listed))


def test_the_list_of_decisions_has_each_by_its_number_and_title() -> None:
    found = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
    titles = [page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in found]
    assert re.findall(r"^- \[(.+)\]\((.+)\)$", text_of("docs/decisions/README.md"), re.MULTILINE) == [
        (title, page.name) for title, page in zip(titles, found, strict=True)
    ]
    for number, (title, page) in enumerate(zip(titles, found, strict=True), start=1):
        assert title.startswith(f"{number}. ")
        assert page.name.startswith(f"{number:04}-")


def test_each_decision_has_a_status_its_reason_and_its_price() -> None:
    for page in sorted((ROOT / "docs/decisions").glob("[0-9]*.md")):
        text = page.read_text(encoding="utf-8")
        assert re.search(r"^Status: (accepted|replaced by \[.+\]\(.+\)), \d{4}-\d\d-\d\d\.$", text, re.MULTILINE), page
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], page


def test_a_commit_is_checked_by_all_that_static_checks_run() -> None:
    asked = set(re.findall(r"tools/check_\w+\.py", text_of("scripts/static-checks")))
    assert asked == set(re.findall(r"tools/check_\w+\.py", text_of(".pre-commit-config.yaml")))


def test_the_citation_is_of_this_version() -> None:
    found = re.search(r"Espalier VERSION ([0-9.]+)", text_of("CMakeLists.txt"))
    assert found
    version = found[1]
    assert f"\nversion: {version}\n" in text_of("CITATION.cff")


def test_ctest_runs_every_test_in_python_of_its_folders() -> None:
    for lists in ROOT.glob("tests/*/CMakeLists.txt"):
        text = lists.read_text(encoding="utf-8")
        if "espalier_python_test(" not in text:
            continue
        for file in lists.parent.glob("test_*.py"):
            assert f" {file.name}" in text, f"{file} is not in {lists}"
