// SPDX-License-Identifier: Apache-2.0
// What is wrong with how a page looks: run in it by look_at_page.py. Half a pixel is no overflow.
() => {
  const LEAST_CONTRAST = 4.5; // of WCAG 2, level AA

  const words = (element) => (element.textContent || element.tagName).trim().slice(0, 60);
  const titleOf = (chart) => chart.querySelector("title").textContent;
  const charts = [...document.querySelectorAll("svg.chart")];

  const boxesOf = (chart) =>
    [...chart.querySelectorAll("text")]
      .filter((text) => text.textContent.trim())
      .map((text) => ({ words: words(text), box: text.getBBox() }));

  const isOutside = (box, view) =>
    box.x < -0.5 || box.y < -0.5 || box.x + box.width > view.width + 0.5 || box.y + box.height > view.height + 0.5;

  // Lines of text may touch.
  const overlap = (a, b) => {
    const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
    const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
    return wide > 0.5 && high > 3;
  };

  const textsOutside = (chart) =>
    boxesOf(chart)
      .filter(({ box }) => isOutside(box, chart.viewBox.baseVal))
      .map((text) => `${titleOf(chart)}: ${text.words}`);

  const textsOverlapping = (chart) => {
    const boxes = boxesOf(chart);
    return boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter((other) => overlap(one.box, other.box))
        .map((other) => `${titleOf(chart)}: ${one.words} | ${other.words}`),
    );
  };

  const overflows = (element) => {
    const scrolls = ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    return !scrolls && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
  };

  const channel = (value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const brightness = (colour) => {
    const [red, green, blue] = colour.match(/[\d.]+/g).map(Number).map(channel);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!colour.startsWith("rgba") || !colour.endsWith(" 0)")) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const isFaint = (element) => {
    const style = getComputedStyle(element);
    const ink = brightness(element.tagName === "text" ? style.fill : style.color);
    const ground = brightness(groundOf(element));
    return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05) < LEAST_CONTRAST;
  };
  const hasText = (element) =>
    !["SCRIPT", "STYLE", "title", "desc"].includes(element.tagName) &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());

  const all = [...document.querySelectorAll("body, body *")];
  return {
    charts: charts.map((chart) => {
      const { width, height } = chart.getBoundingClientRect();
      return { title: titleOf(chart), text: chart.querySelector("desc").textContent, width, height };
    }),
    outside: charts.flatMap(textsOutside),
    overlapping: charts.flatMap(textsOverlapping),
    overflowing: all.filter((one) => !one.closest("svg") && overflows(one)).map((one) => `${one.tagName}: ${words(one)}`),
    faint: all.filter((one) => hasText(one) && isFaint(one)).map((one) => `${one.tagName}: ${words(one)}`),
    background: getComputedStyle(document.body).backgroundColor,
    scripts: document.scripts.length,
  };
}
