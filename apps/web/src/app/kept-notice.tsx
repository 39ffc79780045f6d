import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { formatDateTime } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { useKeptPage } from "../kept-page.ts";
import { Button } from "../ui/button.tsx";
import { frame, place, removeFirstNotice, renewing } from "./first-notice.ts";
import { renewPage } from "./kept-pages.ts";

/** A server that does not answer is asked again after this, in milliseconds. */
const pause = 15_000;

/** Says of a page of an earlier visit how old its figures are, until the server's are here. */
export function KeptNotice() {
  const queries = useQueryClient();
  const kept = useKeptPage();
  const unanswered = kept?.state === "unanswered" ? kept : null;

  const [trying, setTrying] = useState(false);
  const retry = useCallback(async () => {
    if (unanswered === null) return;
    setTrying(true);
    await renewPage(queries, unanswered);
    setTrying(false);
  }, [queries, unanswered]);

  useEffect(() => {
    if (kept !== null) removeFirstNotice();
  }, [kept]);

  useEffect(() => {
    if (unanswered === null) return;
    const timer = setInterval(retry, pause);
    addEventListener("online", retry);
    return () => {
      clearInterval(timer);
      removeEventListener("online", retry);
    };
  }, [retry, unanswered]);

  if (kept === null) return null;
  return (
    <div role="status" className={`absolute top-full ${place}`}>
      <div className={frame}>
        <p className="min-w-0">
          {unanswered ? t("shell.kept.unanswered", { time: formatDateTime(kept.time) }) : renewing(kept.time)}
        </p>
        {unanswered && (
          <Button size="small" look="secondary" busy={trying} onClick={retry}>
            {t("ui.retry")}
          </Button>
        )}
      </div>
    </div>
  );
}
