// Runs before the first paint, so that the page never flashes in the other theme. Mirrors src/ui/theme.ts.
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

// A page of an earlier visit whose code is gone comes from the server instead.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement) || !("kept" in document.documentElement.dataset)) return;
    caches.delete("pages").finally(() => location.reload());
  },
  true,
);

// The page is there before its code is. The last button pressed until then is marked, and pressed again by
// src/app/early-input.ts once it can answer; so is what was entered. Links work by themselves.
(() => {
  let pressed = null;
  const entered = new Set();
  try {
    // What stands in the header for a visitor is not shown to who comes back with a session or a wallet.
    const returns = localStorage.getItem("token") ?? localStorage.getItem("wagmi.recentConnectorId");
    if (returns !== null) document.documentElement.dataset.returning = "";
  } catch {
    // Nothing is stored.
  }
  const keep = (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (pressed) delete pressed.dataset.pressed;
    pressed = button;
    pressed.dataset.pressed = "";
  };
  const note = (event) => {
    event.stopImmediatePropagation();
    entered.add(event.target);
  };
  const listening = [
    ["click", keep],
    ["input", note],
    ["change", note],
  ];
  for (const [type, listener] of listening) addEventListener(type, listener, true);
  window.takeEarlyInput = () => {
    for (const [type, listener] of listening) removeEventListener(type, listener, true);
    delete window.takeEarlyInput;
    delete document.documentElement.dataset.returning;
    if (pressed) delete pressed.dataset.pressed;
    return { pressed, entered };
  };
})();
