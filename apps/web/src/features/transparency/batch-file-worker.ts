import { serveTask } from "./file-work.ts";

serveTask(globalThis);
