import { t } from "../i18n/i18n.ts";
import { paths } from "../paths.ts";
import { Notice } from "./notice.tsx";

function WithheldLink() {
  return (
    <a href={paths.transparency} className="link">
      {t("ui.withheld.link")}
    </a>
  );
}

/** Why a figure is withheld, and where the finding is listed. */
export function WithheldReason() {
  return (
    <>
      {t("ui.withheld")} <WithheldLink />
    </>
  );
}

/** Says that figures below are withheld, and that this concerns no withdrawal. */
export function WithheldNotice() {
  return (
    <Notice look="caution" title={t("ui.withheld.title")}>
      {t("ui.withheld")} {t("ui.withheld.chain")} <WithheldLink />
    </Notice>
  );
}
