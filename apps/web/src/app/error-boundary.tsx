import type { ClientPart } from "@aqua/sdk/api/client-error";
import type { ReactNode } from "react";
import { t } from "../i18n/i18n.ts";
import { reportError } from "../report-error.ts";
import { Boundary, isMissingChunk } from "../ui/boundary.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { useWallet } from "../wallet/store.ts";
import { useTransactions } from "../wallet/transactions.ts";

interface PageProps {
  children: ReactNode;
  /** Clears state that may have broken the page before it renders again. */
  onRetry?: () => void;
}

/** Contains an error of a page, so that header and footer remain. The layout gives it a new key at every navigation. */
export function PageErrorBoundary({ children, onRetry }: PageProps) {
  return (
    <Boundary
      onError={(error) => reportError("page", error)}
      fallback={(error, retry) => (
        <BrokenPage
          missing={isMissingChunk(error)}
          onRetry={() => {
            onRetry?.();
            retry();
          }}
        />
      )}
    >
      {children}
    </Boundary>
  );
}

function BrokenPage({ missing, onRetry }: { missing: boolean; onRetry: () => void }) {
  const { address } = useWallet();
  const pending = useTransactions(address).some(({ stage }) => stage === "pending");
  return (
    <div className="page py-16">
      <Notice
        look={missing ? "info" : "error"}
        live="alert"
        title={t(missing ? "shell.broken.newVersionTitle" : "shell.broken.title")}
        className="mx-auto max-w-[640px]"
        actions={
          <>
            {!missing && (
              <Button size="small" onClick={onRetry}>
                {t("ui.retry")}
              </Button>
            )}
            <Button size="small" look={missing ? "primary" : "secondary"} onClick={() => location.reload()}>
              {t("shell.broken.reload")}
            </Button>
          </>
        }
      >
        {t(missing ? "shell.broken.newVersion" : pending ? "shell.broken.pending" : "shell.broken.text")}
      </Notice>
    </div>
  );
}

interface PartProps {
  children: ReactNode;
  part: Exclude<ClientPart, "page" | "wallet">;
}

/** Contains an error of an optional part of a page. A line in its place reports the failure and offers a retry. */
export function PartBoundary({ children, part }: PartProps) {
  return (
    <Boundary
      onError={(error) => reportError(part, error)}
      fallback={(error, retry) => (
        <p role="alert" className="flex flex-wrap items-center justify-end gap-x-3 px-4 py-2 text-14 text-muted">
          {t(part === "live" || part === "menu" ? `shell.part.${part}` : "shell.part.other")}
          {/* A browser does not refetch a module that failed to load, so the page is reloaded. */}
          <Button size="small" look="secondary" onClick={isMissingChunk(error) ? () => location.reload() : retry}>
            {t(isMissingChunk(error) ? "shell.broken.reload" : "ui.retry")}
          </Button>
        </p>
      )}
    >
      {children}
    </Boundary>
  );
}
