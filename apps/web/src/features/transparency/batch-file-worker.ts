import { serveTask } from "./batch-file-task.ts";

serveTask(globalThis);
