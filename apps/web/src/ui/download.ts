import { useState } from "react";
import { reportFault } from "../report-error.ts";
import { saveFile } from "./save-file.ts";

/** Downloads a file of the server under this name; `state` is that of its button. */
export function useDownload(name: string, load: () => Promise<Response>) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  async function download() {
    setState("busy");
    try {
      const response = await load();
      // An answer that breaks off is as none.
      saveFile(await response.blob().catch(() => Promise.reject(null)), name);
      setState("idle");
    } catch (error) {
      reportFault("page", error);
      setState("failed");
    }
  }
  return { state, download };
}
