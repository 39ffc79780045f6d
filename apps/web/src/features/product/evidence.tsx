import type { ProductDetail } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { useState } from "react";
import { formatDay } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { OpenDocument } from "./open-document.tsx";

/** Documents that expire within this time, in milliseconds, are marked. */
const soon = 60 * DAY_MS;

/** Shows how long a document is still valid. It is valid until the end of its last day, UTC. */
function Validity({ expires, now }: { expires: string; now: number }) {
  const remaining = Date.parse(expires) + DAY_MS - now;
  const state = remaining <= 0 ? "expired" : remaining < soon ? "soon" : "expires";
  const looks = { expired: "negative", soon: "caution", expires: "plain" } as const;
  return <Badge look={looks[state]}>{t(`product.evidence.${state}`, { date: formatDay(expires) })}</Badge>;
}

interface PaperProps {
  paper: ProductDetail["evidence"][number];
  /** Unix milliseconds. */
  now: number;
}

function Paper({ paper, now }: PaperProps) {
  const [open, setOpen] = useState(false);
  return (
    <li className="px-5 py-3 text-14">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <p className="font-strong">{paper.title}</p>
          <p className="text-12 text-muted">
            {t("product.evidence.by", { issuer: paper.issuer, date: formatDay(paper.issued) })}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {paper.expires && <Validity expires={paper.expires} now={now} />}
          <Address address={paper.hash} what={t("products.hash")} />
          <Button
            size="small"
            look="secondary"
            aria-expanded={open}
            aria-label={t(open ? "product.evidence.closeOf" : "product.evidence.openOf", { title: paper.title })}
            onClick={() => setOpen(!open)}
          >
            {t(open ? "product.evidence.close" : "product.evidence.open")}
          </Button>
        </div>
      </div>
      {open && (
        <div className="mt-3">
          <OpenDocument title={paper.title} hash={paper.hash} />
        </div>
      )}
    </li>
  );
}

/** Documents about the asset with issuer, date, expiry and hash; each can be opened. `now` in Unix milliseconds. */
export function Evidence({ evidence, now }: { evidence: ProductDetail["evidence"]; now: number }) {
  if (evidence.length === 0) return <p className="panel p-5 text-14 text-muted">{t("product.evidence.none")}</p>;
  return (
    <ul className="panel divide-y divide-line">
      {evidence.map((paper) => (
        <Paper key={`${paper.title}-${paper.issued}`} paper={paper} now={now} />
      ))}
    </ul>
  );
}
