import type { DeskState } from "@aqua/sdk/api/desk";
import type { IdentityCaseDetail } from "@aqua/sdk/api/operator";
import { documentTypes } from "@aqua/sdk/api/rules";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { formatBytes, formatCountry, formatDateTime, formatDay } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { failureText, type LazyText } from "../account/failure.ts";
import { Failure } from "../account/failure-notice.tsx";
import { rejectionReason } from "../account/reasons.ts";
import { Answer } from "../transparency/query-state.tsx";
import { desk } from "./calls.ts";
import { Decision, type Outcome } from "./decision.tsx";
import { useCase } from "./queries.ts";
import { deskKey } from "./session.ts";
import { Waiting } from "./waiting.tsx";
import { watermarked } from "./watermark.ts";

/** One case: what the person submitted beside the document, and the decision. */
export function IdentityCase({ id, state }: { id: string; state: DeskState }) {
  const found = useCase(id);
  const queries = useQueryClient();
  const head = useRef<HTMLHeadingElement>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // The list that was focused is gone, and so is the form after a decision.
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus after each outcome as well
  useEffect(() => head.current?.focus(), [outcome]);

  async function decided(next: Outcome) {
    setOutcome(next);
    await queries.invalidateQueries({ queryKey: deskKey });
  }

  return (
    <div className="panel">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line p-5">
        <h3 ref={head} tabIndex={-1} className="min-w-0 text-16 wrap-anywhere outline-none">
          {t("desk.identity.case", { email: found.data?.email ?? id })}
        </h3>
        <Link to="?" className={buttonClasses({ look: "secondary", size: "small" })}>
          {t("desk.identity.back")}
        </Link>
      </div>
      <div role="status" className="contents">
        {outcome !== null && (
          <div className="p-5 pb-0">
            {"waiting" in outcome ? (
              <Waiting waiting={outcome.waiting} />
            ) : (
              <Notice look="success" title={t(`desk.decision.${outcome.made}`)} />
            )}
          </div>
        )}
      </div>
      <Answer query={found} failed={t("desk.identity.failed")} skeleton={<Skeleton className="m-5 h-80 rounded-12" />}>
        {(known) => (
          <div className="grid gap-6 p-5 lg:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-6">
              <Facts known={known} />
              <Decision known={known} state={state} onDecided={decided} />
            </div>
            <SubmittedDocument known={known} name={state.name} />
          </div>
        )}
      </Answer>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Figure size="small" label={label}>
      <span className="wrap-anywhere">{children}</span>
    </Figure>
  );
}

function Facts({ known }: { known: IdentityCaseDetail }) {
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <Fact label={t("desk.state")}>{t(`desk.identity.${known.status}`)}</Fact>
      <Fact label={t("profile.form.name")}>
        <bdi>{known.name}</bdi>
      </Fact>
      <Fact label={t("profile.form.birthDate")}>{formatDay(known.birth_date)}</Fact>
      <Fact label={t("desk.identity.country")}>{formatCountry(known.country)}</Fact>
      <Fact label={t("desk.identity.document")}>{t(`profile.form.kind.${known.document_kind}`)}</Fact>
      <Fact label={t("desk.identity.submitted")}>{formatDateTime(known.submitted_at)}</Fact>
      {known.decided_at !== null && <Fact label={t("desk.identity.decided")}>{formatDateTime(known.decided_at)}</Fact>}
      {known.valid_until !== null && <Fact label={t("desk.identity.until")}>{formatDateTime(known.valid_until)}</Fact>}
      {known.reason !== null && (
        <Fact label={t("desk.reason")}>
          <bdi>{rejectionReason(known.reason)}</bdi>
        </Fact>
      )}
      <Fact label={t("profile.wallets")}>
        {known.wallets.length === 0
          ? t("profile.wallets.none")
          : known.wallets.map(({ address }) => (
              <Address key={address} address={address} what={t("products.address")} />
            ))}
      </Fact>
    </dl>
  );
}

/** The document, loaded only on request, because each look is recorded. It is forgotten when it is hidden. */
function SubmittedDocument({
  known: { id, document },
  name,
}: {
  known: IdentityCaseDetail;
  /** The operator who looks. */
  name: string;
}) {
  const [shown, setShown] = useState<{ url: string; type: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  useEffect(() => () => void (shown && URL.revokeObjectURL(shown.url)), [shown]);

  /** A picture gets a watermark; a PDF stays as it is. Null: the browser cannot decode the picture. */
  async function marked(file: Blob): Promise<Blob | null> {
    if (file.type === "application/pdf") return file;
    const time = new Date().toISOString().slice(0, 16).replace("T", " ");
    return watermarked(file, `${location.host} · ${name} · ${time} UTC`).catch((error) => {
      if (error instanceof DOMException) return null;
      throw error;
    });
  }

  async function show() {
    setBusy(true);
    setFailure(null);
    try {
      const { bytes, type } = await desk.document(id);
      // No other type is shown: a browser would run a page in the name of this site.
      const isShown = (documentTypes as readonly string[]).includes(type);
      const file = isShown ? await marked(new Blob([bytes], { type })) : null;
      if (file === null) setFailure(() => () => t("desk.document.type", { type }));
      else if (!isGone.current) setShown({ url: URL.createObjectURL(file), type });
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
    } finally {
      setBusy(false);
    }
  }

  if (document === null) return <p className="text-14 text-muted">{t("desk.document.deleted")}</p>;
  const size = formatBytes(document.size);
  return (
    <div className="flex min-w-0 flex-col items-start gap-3">
      <p className="text-14 text-muted">{t("desk.document.recorded", { size })}</p>
      <Failure text={failure?.() ?? null} />
      {shown === null ? (
        <Button look="secondary" busy={busy} onClick={show}>
          {t("desk.document.show")}
        </Button>
      ) : (
        <>
          <div className="flex flex-wrap gap-2">
            <Button look="secondary" size="small" onClick={() => setShown(null)}>
              {t("desk.document.hide")}
            </Button>
            <a
              href={shown.url}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClasses({ look: "secondary", size: "small" })}
            >
              {t("desk.document.open")}
              <span className="sr-only"> {t("ui.newTab")}</span>
            </a>
          </div>
          {shown.type === "application/pdf" ? (
            <iframe
              src={shown.url}
              title={t("desk.document.title")}
              className="h-[70vh] w-full rounded-6 border border-line bg-white"
            />
          ) : (
            <img
              src={shown.url}
              alt={t("desk.document.title")}
              className="max-h-[80vh] max-w-full rounded-6 border border-line"
            />
          )}
        </>
      )}
    </div>
  );
}
