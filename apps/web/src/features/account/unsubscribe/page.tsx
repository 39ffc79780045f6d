import type { Unsubscription } from "@aqua/sdk/api/notices";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { t } from "../../../i18n/i18n.ts";
import { usePageTitle } from "../../../page-title.ts";
import { paths } from "../../../paths.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { api } from "../../api.ts";
import { EntryFrame } from "../entry-frame.tsx";
import { failureText, hasCode, type LazyText } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";

/** The page that an e-mail's unsubscribe link opens. It asks once and needs no log-in. */
export default function UnsubscribePage() {
  usePageTitle(t("emails.stop"));
  const [parameters] = useSearchParams();
  const token = parameters.get("token") ?? "";
  return (
    <EntryFrame title={t("emails.stop")}>
      {token === "" ? <Invalid /> : <UnsubscribeQuestion token={token} />}
    </EntryFrame>
  );
}

function UnsubscribeQuestion({ token }: { token: string }) {
  const queryKey = ["unsubscribe", token];
  const queries = useQueryClient();
  const link = useQuery({ queryKey, queryFn: ({ signal }) => api.unsubscription({ token }, signal) });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);

  async function stop() {
    setBusy(true);
    setFailure(null);
    try {
      queries.setQueryData<Unsubscription>(queryKey, await api.unsubscribe({ token }));
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
    } finally {
      setBusy(false);
    }
  }

  // Loaded data stays on the page even if loading it again fails.
  if (!link.data) {
    if (!link.isError) return <Loading />;
    if (hasCode(link.error, "not_found", "validation_error")) return <Invalid />;
    return (
      <ErrorState
        title={t("emails.stop.failed")}
        error={link.error}
        busy={link.isFetching}
        onRetry={() => link.refetch()}
      />
    );
  }
  const kind = t(`emails.kind.${link.data.kind}`);
  if (!link.data.on)
    return (
      <Outcome>
        <Notice look="success" live="status" title={t("emails.stop.done", { kind })}>
          <p>{t("emails.stop.done.text")}</p>
        </Notice>
      </Outcome>
    );
  return (
    <div className="flex flex-col gap-5">
      <h2 className="text-20">{t("emails.stop.question", { kind })}</h2>
      <p className="text-14 text-muted">{t(`emails.about.${link.data.kind}`)}</p>
      <Failure text={failure?.() ?? null} />
      <Button busy={busy} onClick={() => void stop()}>
        {t("emails.stop.confirm")}
      </Button>
    </div>
  );
}

function Invalid() {
  return (
    <Outcome>
      <Notice look="caution" title={t("emails.stop.invalid")}>
        <p>{t("emails.stop.invalid.text")}</p>
      </Notice>
    </Outcome>
  );
}

function Outcome({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-5">
      {children}
      <Link to={paths.emails} className={buttonClasses({ look: "secondary", wide: true })}>
        {t("emails.stop.account")}
      </Link>
    </div>
  );
}
