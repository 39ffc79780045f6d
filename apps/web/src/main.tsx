import "@fontsource-variable/instrument-sans/wght.css";
import "./ui/mono.css";
import "./ui/tokens.css";
import "./ui/print.css";
import "./i18n/scripts.css";
import { startApp } from "./app/start.tsx";

startApp();
