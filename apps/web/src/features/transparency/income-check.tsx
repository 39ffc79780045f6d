import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import { formatUnits } from "@aqua/sdk/maths/units";
import { formatAmount, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ShownStep } from "../readings/step-list.tsx";
import { Outcome } from "../readings/verification-outcome.tsx";
import { Checked } from "./check-panel.tsx";
import type { CheckedStep } from "./income-verification.ts";

/** Reasons that have their own texts for an income. The others use the texts of a proof. */
const own = [
  ...(["shape", "range", "form", "chain_away", "month", "document", "evidence", "window", "counted"] as const),
  ...(["accounts", "units", "value", "event", "balance", "product"] as const),
] as const;
type Reason = NonNullable<CheckedStep["reason"]>;
const isOwn = (reason: Reason): reason is (typeof own)[number] => (own as readonly string[]).includes(reason);

function shownStep({ step, state, reason, at }: CheckedStep): ShownStep {
  const text =
    reason === undefined
      ? t(`evidence.income.holds.${step}`)
      : isOwn(reason)
        ? t(`evidence.income.reason.${reason}`)
        : t(`readings.reason.${reason}`);
  const details = at
    ? [
        { label: t("evidence.income.product"), value: at.product },
        at.block !== undefined && { label: t("readings.detail.block"), value: String(at.block) },
        at.batch !== undefined && { label: t("readings.step.batch"), value: String(at.batch) },
        at.device !== undefined && { label: t("readings.device"), value: `${at.device} ${at.seq}` },
      ].filter((row) => row !== false)
    : [];
  return { key: step, title: t(`evidence.income.step.${step}`), state, text, details };
}

/** Verifies the proof of an income in this browser, from the meters to the wallet. */
export function CheckIncome({ name, file }: { name: string; file: unknown }) {
  return (
    <Checked
      about={["income", name]}
      check={async () => (await import("./income-verification.ts")).checkIncome(file)}
      failed={t("evidence.income.failed")}
      checking={t("evidence.income.checking")}
    >
      {(data) => (
        <>
          {data.file && <Subject file={data.file} />}
          <Outcome
            {...data}
            steps={data.steps.map(shownStep)}
            passed={t("evidence.income.pass")}
            stopped={(verdict, at) =>
              t(verdict === "fail" ? "evidence.file.fail" : "readings.verified.unknown.text", at)
            }
          />
          <p className="text-12 text-muted">
            {t("evidence.file.command")}{" "}
            <code className="font-mono break-all text-ink">npm run aqua -- verify {name}</code>
          </p>
        </>
      )}
    </Checked>
  );
}

/** Names the wallet and what the file says that it earned. */
function Subject({ file: { wallet, month, products } }: { file: IncomeProof }) {
  return (
    <div className="text-14">
      <p>{t("evidence.income.about", { wallet: shortenAddress(wallet), month })}</p>
      <ul>
        {products.map(({ short_id, income, decimals, symbol }) => (
          <li key={short_id} className="text-muted">
            {t("evidence.income.earned", {
              product: short_id,
              amount: formatAmount(formatUnits(BigInt(income), decimals), { digits: decimals }),
              unit: symbol,
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
