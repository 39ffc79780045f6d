import { useState } from "react";
import { reportFault } from "../report-error.ts";
import { saveFile } from "./save-file.ts";

/** Downloads a file of the server under `name`. `state` is the state of the download button. */
export function useDownload(name: string, load: () => Promise<Response>) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  async function download() {
    setState("busy");
    try {
      const response = await load();
      // A response that breaks off is handled like no response.
      saveFile(await response.blob().catch(() => Promise.reject(null)), name);
      setState("idle");
    } catch (error) {
      reportFault("page", error);
      setState("failed");
    }
  }
  return { state, download };
}
