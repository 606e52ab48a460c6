# SPDX-License-Identifier: Apache-2.0
"""Opens a page in a headless browser and says, as JSON, what is wrong with it. Needs Playwright: .deps/browser.

    .deps/browser/bin/python tests/support/look_at_page.py BROWSER PAGE [DIRECTORY]

DIRECTORY: where pictures of the page go.
"""

import json
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

WIDTHS = (1280, 420, 390)
SCHEMES = ("light", "dark")

# What has more to the right than is seen, and does not say so.
CUT = """() => [...document.querySelectorAll("figure, .scroll")]
    .filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one, "::before").content === "none")
    .map((one) => one.className + " " + one.textContent.trim().slice(0, 60))"""

FINDINGS = Path(__file__).with_name("page_findings.js").read_text(encoding="utf-8")


def look(browser: Browser, page_file: Path, scheme: Any, width: int, directory: Path | None) -> dict[str, Any]:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.absolute().as_uri())
    found: dict[str, Any] = page.evaluate(FINDINGS)
    found |= {"scheme": scheme, "width": width, "toggled": toggled(page), "cut": page.evaluate(CUT)}
    if directory:
        page.screenshot(path=directory / f"{page_file.stem}-{scheme}-{width}.png", full_page=True)
    context.close()
    return found | {"console": said, "requests": asked[1:]}


def toggled(page: Page) -> list[int]:
    """How many groups of marks are hidden: at first, with the first name of a legend chosen, and chosen again."""
    button = page.locator("[data-toggle]").first
    counts = [page.locator(".hidden").count()]
    if button.count():
        for _ in range(2):
            button.click()
            counts.append(page.locator(".hidden").count())
    return counts


def main(executable: str, page_file: str, directory: str = "") -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        place = Path(directory) if directory else None
        found = [look(browser, Path(page_file), scheme, width, place) for scheme in SCHEMES for width in WIDTHS]
        browser.close()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
