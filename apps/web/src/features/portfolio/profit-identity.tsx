import type { TotalProfit } from "@aqua/sdk/api/portfolio";
import type { ReactNode } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";

/** Shows every digit, because an asset may have more than the usual six decimals. */
const exact = (value: string) => formatAmount(value, { digits: Math.max(6, value.split(".")[1]?.length ?? 0) });

function Term({ label, value, sign }: { label: string; value: string; sign?: string }) {
  return (
    <span className="inline-flex items-end gap-3 whitespace-nowrap">
      {sign && (
        <span aria-hidden="true" className="text-muted">
          {sign}
        </span>
      )}
      <span>
        <span className="block font-sans text-12 text-muted">{label}</span>
        {exact(value)}
      </span>
    </span>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an equation is no set of form fields
    <div role="group" aria-label={label} className="flex flex-wrap items-end gap-x-3 gap-y-2 font-mono text-14">
      {children}
    </div>
  );
}

/**
 * Shows profit computed in two ways, from flows and from its sources. Both must be exactly equal, so both are shown
 * with all digits.
 */
export function ProfitIdentity({ profit, unit }: { profit: TotalProfit; unit: string }) {
  return (
    <div className="grid gap-5 border-t border-line bg-ground/60 px-5 py-4 md:grid-cols-2 md:px-6">
      <Line label={t("positions.identity.flows", { currency: unit })}>
        <Term label={t("positions.profit")} value={profit.total} />
        <Term sign="=" label={t("positions.identity.value")} value={profit.value} />
        <Term sign="−" label={t("positions.identity.net")} value={profit.net_deposits} />
      </Line>
      <Line label={t("positions.identity.sources", { currency: unit })}>
        <Term label={t("positions.profit")} value={profit.total} />
        <Term sign="=" label={t("positions.realised")} value={profit.realised} />
        <Term sign="+" label={t("positions.unrealised")} value={profit.unrealised} />
        <Term sign="+" label={t("positions.interest")} value={profit.interest} />
      </Line>
    </div>
  );
}
