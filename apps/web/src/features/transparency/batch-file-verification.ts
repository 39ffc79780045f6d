import type { AnchoredBatch } from "@aqua/sdk/api/telemetry";
import { batchDigest } from "@aqua/sdk/proofs/batch";
import { isBatchHeader } from "@aqua/sdk/proofs/form";
import { malformedSteps, type Reason, verdictOf } from "@aqua/sdk/proofs/steps";
import { type FileStep, fileSteps } from "@aqua/sdk/proofs/verifyFile";
import { callOf, openChain } from "../../wallet/chain-reader.ts";
import { api } from "../api.ts";
import type { Verified } from "../readings/proof-verification.ts";
import { anchorOf, distrustContract, nullIfNotFound } from "../readings/published-anchor.ts";
import type { Checked } from "./batch-file-task.ts";
import { doOffPage } from "./off-page.ts";

/**
 * `unlisted`: the digests from the batch to the stream's head are not known here, so the chain could not be queried.
 * `other_batch`: the file may be correct, but it is not the file of the requested batch.
 */
export type CheckedStep = Omit<FileStep, "reason"> & { reason?: Reason | "own_contract" | "unlisted" | "other_batch" };

/** A batch, identified by product and number. */
export interface NamedBatch {
  short_id: string;
  number: number;
}

export interface CheckedFile extends Omit<Verified, "steps"> {
  steps: CheckedStep[];
  /** True if this site lists the batch, so that the file could be compared with its published figures. */
  listed: boolean;
  batch: (NamedBatch & { count: number }) | null;
}

interface Listed {
  batch: AnchoredBatch;
  /** Digests of the batches after it, up to the stream's head. */
  later: string[];
}

const newline = 10;

/** The header in the first line of a batch file. Null if that line is not a header. */
function headerOf(file: Uint8Array) {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(0, file.indexOf(newline))));
    return isBatchHeader(header) ? header : null;
  } catch {
    return null;
  }
}

const pageSize = 100;

/**
 * Reads a batch as this site lists it, and computes the digests of the batches after it. Null if the batch is not
 * listed.
 */
async function readListing(shortId: string, number: number): Promise<Listed | null> {
  // Keyed by number: a batch anchored meanwhile shifts the pages, so that one row appears twice.
  const later = new Map<number, string>();
  for (let page = 1; ; page++) {
    const { items, total } = await api.anchors({ short_id: shortId, page, page_size: pageSize });
    for (const batch of items) {
      if (batch.number === number)
        return { batch, later: [...later].sort(([a], [b]) => a - b).map(([, digest]) => digest) };
      if (batch.number > number) later.set(batch.number, batchDigest({ ...batch, dataHash: batch.data_hash }));
    }
    if (page * pageSize >= total) return null;
  }
}

/** The site has no batches of a product that it does not know. */
const readListingOrNull = (shortId: string, number: number) => readListing(shortId, number).catch(nullIfNotFound);

/** Whether batches have been anchored since the last of the known digests. */
const isStale = (steps: readonly FileStep[]) => steps.some(({ reason }) => reason === "stale");

/** The maximum number of retries while batches are anchored in between, and the milliseconds between them. */
const retry = { times: 3, after: 1_000 };

interface Checking {
  /** The batch that the file should contain; null to accept any batch. */
  expected: NamedBatch | null;
  signal: AbortSignal;
  onChecked: (checked: Checked) => void;
}

/** Checks every step of a batch file in this browser. Only the batch's head is read from the chain. */
export async function checkFile(file: Uint8Array, { expected, signal, onChecked }: Checking): Promise<CheckedFile> {
  const header = headerOf(file);
  if (!header) {
    const task = { file, trusted: null, published: null, only: null };
    const steps = await doOffPage(task, { call: () => Promise.reject(), signal, onChecked });
    return { steps, verdict: verdictOf(steps), source: null, known: true, listed: false, batch: null };
  }
  const { short_id, number, count } = header;
  const batch = { short_id, number, count };
  if (expected && (expected.short_id !== short_id || expected.number !== number)) {
    const steps = malformedSteps(fileSteps, { reason: "form" }).map(
      (step): CheckedStep => (step.state === "fail" ? { ...step, reason: "other_batch" } : step),
    );
    return { steps, verdict: verdictOf(steps), source: null, known: true, listed: false, batch };
  }
  const [chain, trusted, firstListing] = await Promise.all([
    openChain(header.chain_id),
    anchorOf(short_id),
    readListingOrNull(short_id, number),
  ]);
  const check = (listing: Listed | null, only: "anchoring" | null) => {
    const published = listing ? { ...listing.batch, later: listing.later } : {};
    return doOffPage({ file, trusted, published, only }, { call: callOf(chain), signal, onChecked });
  };
  let results = await check(firstListing, null);
  // A batch anchored meanwhile has replaced the head that these digests lead to. The site lists it soon after. Only the
  // anchoring is checked again, since the readings have not changed.
  for (let attempt = 0; firstListing && isStale(results) && attempt < retry.times; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, retry.after));
    const listing = await readListingOrNull(short_id, number);
    // Without published figures nothing would be compared, and the batch would pass unchecked.
    if (listing === null) continue;
    const rechecked = await check(listing, "anchoring");
    results = results.map((step) => rechecked.find((newStep) => newStep.step === step.step) ?? step);
  }
  const reported: CheckedStep[] = firstListing ? results : results.map(openStep);
  const steps = trusted ? reported : reported.map(distrustContract);
  return {
    steps,
    verdict: verdictOf(steps),
    source: chain.source(),
    known: trusted !== null,
    listed: firstListing !== null,
    batch,
  };
}

/** Replaces the reason `stale` by `unlisted`, because this site has no newer digests for an unlisted batch. */
function openStep(step: FileStep): CheckedStep {
  return step.reason === "stale" ? { ...step, reason: "unlisted" } : step;
}
