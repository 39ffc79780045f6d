// Runs before the first paint, so the page never flashes in the other theme. Mirrors src/ui/theme.ts.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let choice = "system";
    try {
      choice = localStorage.getItem("app-theme") ?? "system";
    } catch {
      // Storage may be forbidden; the system's preference holds then.
    }
    const theme = choice === "light" || choice === "dark" ? choice : dark.matches ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    const bar = document.querySelector('meta[name="theme-color"]');
    if (bar) bar.setAttribute("content", theme === "dark" ? "#071A22" : "#F4F9FA");
  };
  apply();
  dark.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("aqua:theme", apply);
})();
