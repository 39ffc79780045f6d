import "@fontsource-variable/instrument-sans/wght.css";
import "@fontsource-variable/geist-mono/wght.css";
import "./ui/tokens.css";
import "./ui/print.css";
import "./i18n/scripts.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { preloadPage } from "./app/routes.tsx";
import { restoreLanguage } from "./i18n/i18n.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// Loads the page's code and its texts in parallel.
preloadPage(location.pathname);
try {
  await restoreLanguage();
  createRoot(root).render(<App />);
} catch {
  // Without a catalog there is no translated text to show.
  root.innerHTML = '<p style="padding: 2rem">Aqua could not be loaded. <a href="">Reload</a></p>';
}
