import type { DeclaredLoss, LossList } from "@aqua/sdk/api/telemetry";
import { useQuery } from "@tanstack/react-query";
import { formatCount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { api } from "../api.ts";

type NameOf = (shortId: string) => string;

/** Lists batches that this site lacks, and readings that the operator declared lost. Shows nothing if there are none. */
export function Losses({ nameOf }: { nameOf: NameOf }) {
  const { data, isError } = useQuery({
    queryKey: ["transparency", "losses"] as const,
    queryFn: ({ signal }) => api.readingLosses(signal),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
  const lines = data ? linesOf(data, nameOf) : isError ? [t("evidence.losses.failed")] : [];
  if (lines.length === 0) return null;
  return (
    <ul className="mb-4 space-y-1 text-14">
      {lines.map((line) => (
        <li key={line} className="wrap-break-word">
          {line}
        </li>
      ))}
    </ul>
  );
}

function linesOf({ missing, declared }: LossList, nameOf: NameOf): string[] {
  return [
    ...missing.map(({ short_id, from, to }) => {
      const range = from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`;
      return t("evidence.losses.missing", { product: nameOf(short_id), range });
    }),
    ...declared.map((loss) => lossText(loss, nameOf)),
  ];
}

function lossText({ short_id, batch, device, after_seq, reason, time }: DeclaredLoss, nameOf: NameOf): string {
  const when = { date: formatDate(time), reason };
  if (batch !== null) {
    return t("evidence.losses.batch", { product: nameOf(short_id), number: formatCount(batch), ...when });
  }
  return t("evidence.losses.device", { device: device ?? "", number: formatCount(after_seq ?? 0), ...when });
}
