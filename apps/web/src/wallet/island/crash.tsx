import { type ReactNode, useEffect } from "react";
import { createPortal } from "react-dom";
import { t } from "../../i18n/i18n.ts";
import { reportError } from "../../report-error.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

interface CrashBoundaryProps {
  /** Called after a crash. `revive` renders the children again. */
  onCrash: (revive: () => void) => void;
  children: ReactNode;
}

/** Catches errors of the kit or the demo wallet. The connection is outside of it and continues. */
export function CrashBoundary({ onCrash, children }: CrashBoundaryProps) {
  return (
    <Boundary
      onError={(error) => reportError("wallet", error)}
      fallback={(_error, retry) => <Crash onCrash={onCrash} onRetry={retry} />}
    >
      {children}
    </Boundary>
  );
}

function Crash({ onCrash, onRetry }: { onCrash: CrashBoundaryProps["onCrash"]; onRetry: () => void }) {
  // A press on Connect Wallet retries, too.
  useEffect(() => onCrash(onRetry), [onCrash, onRetry]);
  return createPortal(
    <div className="fixed inset-x-3 bottom-3 z-60 mx-auto max-w-[480px] rounded-12 bg-surface shadow-float">
      <Notice
        look="error"
        live="alert"
        title={t("wallet.crash.title")}
        actions={
          <Button size="small" onClick={onRetry}>
            {t("ui.retry")}
          </Button>
        }
      >
        {t("wallet.crash.text")}
      </Notice>
    </div>,
    document.body,
  );
}
