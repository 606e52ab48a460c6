// A name of a legend hides and shows the marks of its candidate.
for (const button of document.querySelectorAll("[data-toggle]")) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(shown));
    const series = `[data-candidate="${button.dataset.toggle}"]`;
    for (const marks of button.closest("figure").querySelectorAll(series)) marks.classList.toggle("hidden", !shown);
  });
}
