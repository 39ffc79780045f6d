import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { api } from "../api.ts";
import { CheckAgain, Checking } from "./check-state.tsx";
import { measuredText, shownStep } from "./proof-text.ts";
import type { ExpectedReading, Verified } from "./proof-verification.ts";
import { momentText } from "./reading-text.ts";
import { Outcome } from "./verification-outcome.tsx";

/** A reading whose proof this site has, or a proof supplied by the visitor as a parsed file. */
export type ProofSource = ExpectedReading | { proof: unknown };

/**
 * The number of attempts to fetch a newer proof while batches are anchored meanwhile, and the milliseconds between
 * them.
 */
const retry = { times: 3, after: 1_000 };

/**
 * A newer proof after further batches were anchored: this site's proof, or the visitor's own with the digests that
 * follow its batch. The digests need not be trusted, because the chain verifies them. Null if this site has no such
 * reading.
 */
async function newProof(source: ProofSource, signal: AbortSignal): Promise<unknown> {
  if (!("proof" in source)) return api.readingProof(source.device, source.seq, signal);
  const { reading, batch } = source.proof as ReadingProof;
  const siteProof = await api.readingProof(reading.device, reading.seq, signal).catch(() => null);
  if (siteProof?.batch.short_id !== batch.short_id || siteProof.batch.number !== batch.number) return null;
  return { ...(source.proof as ReadingProof), batch: { ...batch, later: siteProof.batch.later } };
}

/** Identifies a source. JSON that is nested ten thousand levels deep can be parsed but not stringified. */
function nameOf(source: ProofSource): string {
  try {
    return JSON.stringify(source);
  } catch {
    return "nested too deeply to be a proof";
  }
}

/** Fetches and verifies again each time the check is opened. The verifier's code loads with the first use. */
function useVerified(source: ProofSource) {
  return useQuery({
    queryKey: ["readings", "verified", nameOf(source)],
    // A deeply nested proof cannot be compared recursively with the previous data.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const expected = "proof" in source ? undefined : source;
      const [{ verify }, first] = await Promise.all([
        import("./proof-verification.ts"),
        "proof" in source ? source.proof : api.readingProof(source.device, source.seq, signal),
      ]);
      let checked = { proof: first, ...(await verify(first, expected)) };
      // A batch anchored meanwhile has replaced the head that the proof leads to. The site soon has proofs that lead to
      // the new head.
      for (let attempt = 0; isStale(checked) && attempt < retry.times; attempt++) {
        if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, retry.after));
        const proof = await newProof(source, signal);
        if (proof === null) break;
        checked = { proof, ...(await verify(proof, expected)) };
      }
      return checked;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

const isStale = ({ steps }: Verified) => steps.some(({ reason }) => reason === "stale");

/** Offers the proof as a file, and explains how to check it without this page. */
function Elsewhere({ proof: { reading }, text }: { proof: ReadingProof; text: string }) {
  const name = `aqua-proof-${reading.device}-${reading.seq}.json`;
  const command = `npm run aqua -- verify ${name}`;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        size="small"
        look="secondary"
        icon={<Download aria-hidden="true" className="size-4" strokeWidth={1.75} />}
        onClick={() => saveFile(new Blob([text], { type: "application/json" }), name)}
      >
        {t("readings.proof.download")}
      </Button>
      <p className="flex min-w-0 items-center gap-1 text-12 text-muted">
        <span className="min-w-0">
          {t("readings.proof.command")} <code className="font-mono break-all text-ink">{command}</code>
        </span>
        <CopyButton text={command} what={t("readings.proof.commandName")} />
      </p>
    </div>
  );
}

/**
 * Verifies a reading in this browser, from its signature to the chain, and shows the result of each step. `source` is a
 * reading of this site or a proof from anywhere.
 */
export function Verify({ source }: { source: ProofSource }) {
  const checked = useVerified(source);
  if (checked.data === undefined)
    return <Checking check={checked} failed={t("readings.proof.failed")} checking={t("readings.checking")} />;
  const { data } = checked;
  const shaped = data.steps.some(({ step, state }) => step === "form" && state === "pass");
  const proof = shaped ? (data.proof as ReadingProof) : null;
  return (
    <div className="flex flex-col gap-4" aria-busy={checked.isFetching || undefined}>
      {proof && (
        <p className="text-14">
          <span className="font-mono font-strong">{measuredText(proof.reading)}</span>{" "}
          <span className="text-muted">
            {t("readings.proof.about", {
              device: proof.reading.device,
              product: proof.batch.short_id,
              seq: proof.reading.seq,
              time: momentText(proof.reading.time),
            })}
          </span>
        </p>
      )}
      <Outcome
        {...data}
        steps={data.steps.map((step) => shownStep(step, proof))}
        passed={t("readings.verified.pass.text")}
        stopped={(verdict, at) => t(`readings.verified.${verdict}.text`, at)}
      />
      <div className="flex flex-col gap-3 border-t border-line pt-4">
        {proof && <Elsewhere proof={proof} text={JSON.stringify(proof, null, 2)} />}
        <CheckAgain check={checked} />
      </div>
    </div>
  );
}
