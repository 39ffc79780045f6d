import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { shortenAddress } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { usePageTitle } from "../../../page-title.ts";
import { paths } from "../../../paths.ts";
import { clearAll } from "../../../stored-session.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { api } from "../../api.ts";
import { EntryFrame } from "../entry-frame.tsx";
import { failureText, hasCode, type LazyText } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";

type State = { is: "asked" | "late" | "invalid" } | { is: "stopped"; from: string };

/** The page that the e-mail about a switch links to. One press stops the switch without a log-in. */
export default function StopSwitchPage() {
  usePageTitle(t("security.stop.title"));
  const token = useSearchParams()[0].get("token") ?? "";
  const [state, setState] = useState<State>({ is: token === "" ? "invalid" : "asked" });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);

  async function stop() {
    setBusy(true);
    setFailure(null);
    try {
      // The token is the idempotency key. If the link is used again, the server repeats that the switch was stopped.
      const { from } = await api.stopSwitch({ token }, token);
      // Stopping the switch has ended all sessions, including one in this browser.
      clearAll();
      setState({ is: "stopped", from });
    } catch (error) {
      if (hasCode(error, "conflict")) setState({ is: "late" });
      else if (hasCode(error, "not_found", "validation_error")) setState({ is: "invalid" });
      else {
        const text = failureText(error);
        setFailure(() => text);
      }
    } finally {
      setBusy(false);
    }
  }

  return (
    <EntryFrame title={t("security.stop.title")} lead={t("security.stop.lead")}>
      {state.is === "asked" ? (
        <div className="flex flex-col gap-5">
          <Failure text={failure?.() ?? null} />
          <Button busy={busy} wide onClick={() => void stop()}>
            {t("security.switch.stop")}
          </Button>
        </div>
      ) : (
        <div className="flex flex-col gap-5">
          {state.is === "stopped" ? (
            <Notice look="success" live="status" title={t("security.stop.done")}>
              <p>{t("security.stop.done.text", { address: shortenAddress(state.from) })}</p>
            </Notice>
          ) : (
            <Notice look="caution" live="status" title={t(`security.stop.${state.is}`)}>
              <p>{t("security.stop.help")}</p>
            </Notice>
          )}
          <Link to={paths.forgotPassword} className={buttonClasses({ look: "secondary", wide: true })}>
            {t("security.stop.password")}
          </Link>
        </div>
      )}
    </EntryFrame>
  );
}
