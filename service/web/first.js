// Runs before the first paint: the chosen theme, so that nothing flashes.
(function () {
  try {
    const theme = localStorage.getItem("rootproof.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's own theme is right then.
  }
})();
