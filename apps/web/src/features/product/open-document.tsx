import { Download } from "lucide-react";
import { useId } from "react";
import { t } from "../../i18n/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { usePublishedDocument } from "../transparency/published-document.ts";

interface OpenDocumentProps {
  title: string;
  hash: string;
}

/** An opened document. A document that does not match its hash is not shown. */
export function OpenDocument({ title, hash }: OpenDocumentProps) {
  const id = useId();
  const { data, isError, error, isFetching, refetch } = usePublishedDocument(hash, true);
  if (!data)
    return isError ? (
      <ErrorState title={t("product.evidence.failed")} error={error} busy={isFetching} onRetry={() => refetch()} />
    ) : (
      <div aria-busy="true">
        <Skeleton className="h-40" />
      </div>
    );
  if (!data.genuine)
    return (
      <Notice look="error" live="alert" title={t("product.evidence.wrong")}>
        {t("product.evidence.wrong.text")}
      </Notice>
    );
  const { bytes, text, type } = data;
  const name = `${hash.slice(0, 10)}.${text === null ? "pdf" : "txt"}`;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="sr-only">
        {title}
      </h3>
      <div className="flex flex-wrap items-center gap-3">
        <span role="status">
          <Badge look="positive">{t("product.evidence.checked")}</Badge>
        </span>
        <Button
          size="small"
          look="secondary"
          onClick={() => saveFile(new Blob([bytes], { type }), name)}
          icon={<Download aria-hidden="true" className="size-4" strokeWidth={1.75} />}
        >
          {t("product.evidence.download")}
        </Button>
      </div>
      {text !== null && (
        <pre className="max-h-120 overflow-auto rounded-6 border border-line bg-ground p-4 font-mono text-12 whitespace-pre-wrap">
          {text}
        </pre>
      )}
    </section>
  );
}
