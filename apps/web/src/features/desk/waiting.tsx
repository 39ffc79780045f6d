import type { WaitingForSecond } from "@aqua/sdk/api/operator";
import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";

/** Nothing is changed yet: another operator has to decide the same. */
export function Waiting({ waiting: { first, until } }: { waiting: WaitingForSecond }) {
  return (
    <Notice look="caution" title={t("desk.waiting")}>
      {t("desk.waiting.text", { first, until: formatDateTime(until) })}
    </Notice>
  );
}
