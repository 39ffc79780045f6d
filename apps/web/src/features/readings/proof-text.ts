import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { formatUnits } from "@aqua/sdk/maths/units";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import { t } from "../../i18n/i18n.ts";
import type { CheckedStep } from "./proof-verification.ts";
import { figureText, momentText } from "./reading-text.ts";
import type { ShownStep } from "./step-list.tsx";

/** The measured figure. The name of an unknown metric serves as its unit. */
export function measuredText({ value, exponent, metric }: ReadingProof["reading"]): string {
  const figure = exponent < 0 ? formatUnits(BigInt(value), -exponent) : value + "0".repeat(exponent);
  const unit = Object.hasOwn(metrics, metric) ? metrics[metric as keyof typeof metrics].unit : metric;
  return figureText(figure, unit);
}

type Details = ShownStep["details"];
type Label =
  | "key"
  | "signature"
  | "co_signer"
  | "co_signature"
  | "leaf"
  | "path"
  | "root"
  | "found"
  | "head"
  | "contract"
  | "transaction"
  | "block";

const row = (label: Label, value: string | number) => ({ label: t(`readings.detail.${label}`), value: String(value) });
const seconds = (time: number) => momentText(time * 1_000);

/** The values that each step compares, taken from the proof. */
const statedValues: Record<CheckedStep["step"], (proof: ReadingProof) => Details> = {
  form: () => [],
  key: ({ key, reading }) => [
    { label: t("readings.device"), value: reading.device },
    row("key", key.kind === "p256" ? `${key.x} ${key.y}` : `0x${key.x.slice(-40)}`),
    { label: t("readings.detail.from"), value: seconds(key.valid_from) },
    {
      label: t("readings.detail.until"),
      value: key.valid_until === null ? t("readings.detail.open") : seconds(key.valid_until),
    },
  ],
  signature: ({ reading }) => [row("signature", reading.signature)],
  co_signature: ({ reading: { co_signature: co } }) =>
    co ? [row("co_signer", co.by), row("co_signature", co.signature)] : [],
  leaf: ({ leaf }) => [row("leaf", leaf)],
  path: ({ proof, batch }) => [row("path", proof.join(" ")), row("root", batch.root)],
  batch: ({ batch }) => [row("head", batch.head)],
  anchored: ({ batch }) => [
    row("contract", `${batch.contract} (${batch.chain_id})`),
    row("head", batch.head),
    row("block", batch.block),
    row("transaction", batch.hash),
  ],
  time: ({ reading, batch }) => [
    { label: t("readings.measured"), value: momentText(reading.time) },
    { label: t("readings.detail.closed"), value: seconds(batch.to) },
    { label: t("readings.detail.anchored"), value: momentText(batch.block_time) },
  ],
};

/** A step as text, with its inputs. A malformed proof has no inputs to show. */
export function shownStep({ step, state, reason, found }: CheckedStep, proof: ReadingProof | null): ShownStep {
  return {
    key: step,
    title: t(`readings.step.${step}`),
    state,
    text: reason ? t(`readings.reason.${reason}`) : t(`readings.holds.${step}`),
    details: [...(proof ? statedValues[step](proof) : []), ...(found ? [row("found", found)] : [])],
  };
}
