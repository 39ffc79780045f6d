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

// The page is there before its code is, and a part of it may be later still. The last button pressed until then is marked;
// src/app/early-input.ts presses it again once it can answer, and enters again what was entered. Links work by themselves.
(() => {
  const early = { pressed: null, entered: new Map() };
  try {
    // What stands in the header for a visitor is not shown to who comes back with a session or a wallet.
    const returns = localStorage.getItem("token") ?? localStorage.getItem("wagmi.recentConnectorId");
    if (returns !== null) document.documentElement.dataset.returning = "";
  } catch {
    // Nothing is stored.
  }
  // What React has taken over carries properties of React's. Mirrors src/app/taken-over.ts.
  const isTakenOver = (element) => Object.keys(element).some((key) => key.startsWith("__react"));
  const keep = (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || isTakenOver(button)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (early.pressed) delete early.pressed.dataset.pressed;
    early.pressed = button;
    button.dataset.pressed = "";
  };
  const note = (event) => {
    const { target } = event;
    // What comes later counts: of a field, and of the radio buttons of a group.
    for (const field of early.entered.keys())
      if (field === target || (field.type === "radio" && field.name === target.name)) early.entered.delete(field);
    if (isTakenOver(target)) return;
    event.stopImmediatePropagation();
    early.entered.set(target, { value: target.value, checked: target.checked });
  };
  const listening = [
    ["click", keep],
    ["input", note],
    ["change", note],
  ];
  for (const [type, listener] of listening) addEventListener(type, listener, true);
  early.end = () => {
    for (const [type, listener] of listening) removeEventListener(type, listener, true);
    delete window.early;
  };
  window.early = early;
})();
