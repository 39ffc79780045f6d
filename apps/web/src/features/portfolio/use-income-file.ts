import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import { useEffect, useRef, useState } from "react";
import { reportFault } from "../../report-error.ts";
import { saveFile } from "../../ui/save-file.ts";
import { api } from "../api.ts";

export interface IncomeFileQuery {
  wallet: string;
  month: string;
  chainId: number | undefined;
  shortId: string | null;
}

export type IncomeFileState =
  | { at: "idle" }
  | { at: "busy" }
  /** `error` is null if the server did not answer. */
  | { at: "failed"; error: unknown }
  | { at: "none" }
  | { at: "saved"; file: IncomeProof };

/** Number of reports in the file, and of those without meter readings. */
export function reportsIn(file: IncomeProof): { count: number; unproved: number } {
  const reports = file.products.flatMap(({ steps }) => steps.filter((step) => step.kind === "report"));
  return { count: reports.length, unproved: reports.filter(({ evidence }) => evidence === null).length };
}

/**
 * Downloads the proof of a month's income. A file without any report is not saved. The result of an earlier choice is
 * forgotten once `query` changes.
 */
export function useIncomeFile(query: IncomeFileQuery) {
  const { wallet, month, chainId, shortId } = query;
  const choice = [wallet, month, chainId, shortId].join(" ");
  const [result, setResult] = useState<{ choice: string; state: IncomeFileState }>({ choice, state: { at: "idle" } });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function download() {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const tell = (state: IncomeFileState) => !signal.aborted && setResult({ choice, state });
    tell({ at: "busy" });
    try {
      const options = { month, ...(chainId !== undefined && { chain_id: chainId }) };
      const response = await api.incomeProof(
        wallet,
        { ...options, ...(shortId !== null && { short_id: shortId }) },
        signal,
      );
      // A response that breaks off is handled like no response.
      const content = await response.blob().catch(() => Promise.reject(null));
      const file = JSON.parse(await content.text()) as IncomeProof;
      if (signal.aborted) return;
      if (reportsIn(file).count === 0) return void tell({ at: "none" });
      // The bytes as they came, so that the file is the one that the server made.
      saveFile(content, `aqua-income-${wallet.toLowerCase()}-${month}.json`);
      tell({ at: "saved", file });
    } catch (error) {
      if (signal.aborted) return;
      reportFault("page", error);
      tell({ at: "failed", error });
    }
  }
  const state: IncomeFileState = result.choice === choice ? result.state : { at: "idle" };
  return { state, download };
}
