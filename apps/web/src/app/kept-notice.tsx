import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useServedTime } from "../i18n/clock.ts";
import { formatDateTime } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { useKeptPage } from "../kept-page.ts";
import { Button } from "../ui/button.tsx";
import { renewPage } from "./kept-pages.ts";

/** A server that does not answer is asked again after this, in milliseconds. */
const pause = 15_000;

/**
 * Says of a page of an earlier visit how old its figures are, from the first paint until the server's are here. The
 * server renders it into every page, where tokens.css hides it unless the browser has kept the page.
 */
export function KeptNotice() {
  const queries = useQueryClient();
  const kept = useKeptPage();
  const served = useServedTime();
  const unanswered = kept?.state === "unanswered" ? kept : null;

  const [trying, setTrying] = useState(false);
  const retry = useCallback(async () => {
    if (unanswered === null) return;
    setTrying(true);
    await renewPage(queries, unanswered);
    setTrying(false);
  }, [queries, unanswered]);

  useEffect(() => {
    if (unanswered === null) return;
    const timer = setInterval(retry, pause);
    addEventListener("online", retry);
    return () => {
      clearInterval(timer);
      removeEventListener("online", retry);
    };
  }, [retry, unanswered]);

  const time = kept?.time ?? served;
  if (time === null) return null;
  return (
    <div
      role="status"
      data-kept-notice={kept === null ? "hidden" : "shown"}
      className="pointer-events-none absolute inset-x-0 top-full flex justify-center p-3 print:static"
    >
      <div className="panel pointer-events-auto flex max-w-full flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-14 shadow-float">
        <p className="min-w-0">
          {t(unanswered ? "shell.kept.unanswered" : "shell.kept.renewing", { time: formatDateTime(time) })}
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
