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

WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")

# Run in the page. Half a pixel is no overflow.
FINDINGS = r"""
() => {
  const name = (e) => (e.textContent || e.tagName).trim().slice(0, 60);
  const texts = (svg) => [...svg.querySelectorAll("text")].filter((e) => e.textContent.trim());
  const charts = [...document.querySelectorAll("svg.chart")];
  const outside = [], overlapping = [], overflowing = [], faint = [];
  for (const svg of charts) {
    const box = svg.viewBox.baseVal;
    const boxes = texts(svg).map((e) => [e, e.getBBox()]);
    for (const [e, b] of boxes)
      if (b.x < -0.5 || b.y < -0.5 || b.x + b.width > box.width + 0.5 || b.y + b.height > box.height + 0.5)
        outside.push(`${svg.querySelector("title").textContent}: ${name(e)}`);
    boxes.forEach(([e, a], k) => boxes.slice(k + 1).forEach(([f, b]) => {
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (wide > 0.5 && high > 3) overlapping.push(`${svg.querySelector("title").textContent}: ${name(e)} | ${name(f)}`);
    }));
  }
  for (const e of document.querySelectorAll("body, body *:not(svg *)")) {
    const scrolls = ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
    if (!scrolls && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1) overflowing.push(`${e.tagName}: ${name(e)}`);
  }
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || ["SCRIPT", "STYLE", "title", "desc"].includes(e.tagName)) continue;
    const style = getComputedStyle(e);
    const [a, b] = [light(e.tagName === "text" ? style.fill : style.color), light(ground(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(`${e.tagName}: ${name(e)}`);
  }
  return {
    charts: charts.map((e) => ({title: e.querySelector("title").textContent, text: e.querySelector("desc").textContent,
      width: e.getBoundingClientRect().width, height: e.getBoundingClientRect().height})),
    outside, overlapping, overflowing, faint,
    background: getComputedStyle(document.body).backgroundColor,
    headings: [...document.querySelectorAll("h1, h2, h3")].map(name),
  };
}
"""


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
    found |= {"scheme": scheme, "width": width, "toggled": toggled(page)}
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
