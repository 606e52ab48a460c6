# SPDX-License-Identifier: Apache-2.0
"""Opens each page of a site in a headless browser and says, as JSON, what is wrong with it. Needs .deps/browser.

    .deps/browser/bin/python tests/support/look_at_site.py BROWSER SITE [DIRECTORY]

DIRECTORY: where pictures of the pages go.
"""

import json
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

LOOKS = ((420, "dark"), (1400, "light"))


class Look:
    """A page, and what it did."""

    def __init__(self, browser: Browser, scheme: Any, width: int) -> None:
        self.width = width
        self.scheme = scheme
        self.page: Page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
        self.page.set_default_timeout(300_000)  # the machine may have much else to do
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def at(self, file: Path, site: Path) -> dict[str, Any]:
        self.said.clear()
        self.asked.clear()
        self.page.goto(file.absolute().as_uri())
        return {
            "page": str(file.relative_to(site)),
            "width": self.width,
            "scheme": self.scheme,
            "too_wide": self.page.evaluate("document.documentElement.scrollWidth - innerWidth"),
            "elsewhere": [url for url in self.asked if not url.startswith(("file:", "data:"))],
            "console": list(self.said),
        }


def found_by_search(browser: Browser, site: Path) -> dict[str, Any]:
    look = Look(browser, "light", 1400)
    found = look.at(site / "search.html", site)
    look.page.goto((site / "search.html").absolute().as_uri() + "?q=shared+memory")
    look.page.wait_for_selector("#search-results li a")
    links = look.page.eval_on_selector_all("#search-results li a", "links => links.map((link) => link.href)")
    return found | {"results": links, "console": list(look.said)}


def main(executable: str, site_directory: str, directory: str = "") -> None:
    site = Path(site_directory)
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        for width, scheme in LOOKS:
            look = Look(browser, scheme, width)
            for file in sorted([site / "index.html", *site.glob("*/*/*.html"), *site.glob("[A-Z]*.html")]):
                found.append(look.at(file, site))
                if directory:
                    look.page.screenshot(path=Path(directory) / f"{file.stem}-{scheme}-{width}.png", full_page=True)
        found.append(found_by_search(browser, site))
        browser.close()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
