import type { AccountInfo } from "@aqua/sdk/api/auth";
import type { SecondFactor, Security } from "@aqua/sdk/api/security";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatDate, formatRelative } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Section } from "../../../ui/section.tsx";
import { TableSkeleton } from "../../../ui/table-skeleton.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { api } from "../../api.ts";
import { queryKeys } from "../../query-keys.ts";
import { withConfirmation } from "../confirm/with-confirmation.ts";
import { failureText, type LazyText } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";
import { useSecurity } from "../security.ts";
import { EmailDialog } from "./email-dialog.tsx";
import { Events } from "./events.tsx";
import { PasskeyDialog } from "./passkey-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { RecoveryDialog } from "./recovery-dialog.tsx";
import { TotpDialog } from "./totp-dialog.tsx";

type Open = "password" | "email" | "passkey" | "totp" | null;

/** Shows what protects the account, and what happened on it. */
export function SecuritySection({ account }: { account: AccountInfo }) {
  const security = useSecurity();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  /** Recovery codes that were just created. They are shown once. */
  const [codes, setCodes] = useState<readonly string[]>([]);
  const close = () => setOpen(null);

  async function showNewCodes(newCodes: readonly string[]) {
    setOpen(null);
    setCodes(newCodes);
    await queries.invalidateQueries({ queryKey: queryKeys.me });
  }

  return (
    <Section title={t("security.title")} anchor="security">
      <div className="panel divide-y divide-line">
        <Row title={t("security.email")} text={account.email}>
          <Button look="secondary" size="small" onClick={() => setOpen("email")}>
            {t("security.email.change")}
          </Button>
        </Row>
        <Row title={t("security.password")} text={t("security.password.text")}>
          <Button look="secondary" size="small" onClick={() => setOpen("password")}>
            {t("security.password.change")}
          </Button>
        </Row>
        {security.data ? (
          <Factors security={security.data} onOpen={setOpen} onCodes={setCodes} />
        ) : security.isError ? (
          <ErrorState
            title={t("security.failed")}
            error={security.error}
            busy={security.isFetching}
            onRetry={() => security.refetch()}
          />
        ) : (
          <TableSkeleton rows={2} />
        )}
        <Events />
      </div>
      {open === "password" && <PasswordDialog email={account.email} onClose={close} />}
      {open === "email" && <EmailDialog onClose={close} />}
      {open === "passkey" && <PasskeyDialog onClose={close} onAdded={showNewCodes} />}
      {open === "totp" && <TotpDialog onClose={close} onAdded={showNewCodes} />}
      {codes.length > 0 && <RecoveryDialog codes={codes} onClose={() => setCodes([])} />}
    </Section>
  );
}

function Factors({
  security,
  onOpen,
  onCodes,
}: {
  security: Security;
  onOpen: (open: Open) => void;
  onCodes: (codes: readonly string[]) => void;
}) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<LazyText | null>(null);

  async function run(which: string, work: () => Promise<unknown>) {
    setBusy(which);
    setFailure(null);
    try {
      await withConfirmation(work);
      await queries.invalidateQueries({ queryKey: queryKeys.me });
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
    } finally {
      setBusy(null);
    }
  }
  const remove = (id: string) => run(id, () => api.removeFactor({ id }));

  return (
    <>
      <Row
        title={t("security.passkeys")}
        text={t(security.passkeys_possible ? "security.passkeys.text" : "security.passkeys.impossible")}
        below={<FactorList factors={security.passkeys} busy={busy} onRemove={remove} />}
      >
        {security.passkeys_possible && (
          <Button look="secondary" size="small" onClick={() => onOpen("passkey")}>
            {t("security.passkeys.add")}
          </Button>
        )}
      </Row>
      <Row
        title={t("security.totp")}
        text={t("security.totp.text")}
        below={
          security.totp && (
            <FactorList factors={[{ ...security.totp, name: t("security.totp") }]} busy={busy} onRemove={remove} />
          )
        }
      >
        {security.totp === null && (
          <Button look="secondary" size="small" onClick={() => onOpen("totp")}>
            {t("security.totp.add")}
          </Button>
        )}
      </Row>
      {security.second_factor && (
        <Row title={t("security.recovery")} text={t("security.recovery.left", { count: security.recovery_codes })}>
          <Button
            look="secondary"
            size="small"
            busy={busy === "recovery"}
            onClick={() => run("recovery", async () => onCodes((await api.makeRecoveryCodes()).codes))}
          >
            {t("security.recovery.new")}
          </Button>
        </Row>
      )}
      {failure && (
        <div className="p-5">
          <Failure text={failure()} />
        </div>
      )}
    </>
  );
}

function FactorList({
  factors,
  busy,
  onRemove,
}: {
  factors: readonly SecondFactor[];
  busy: string | null;
  onRemove: (id: string) => void;
}) {
  const now = useNow(30_000);
  if (factors.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-col gap-2 border-l-2 border-line pl-4">
      {factors.map(({ id, name, create_time, last_use }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <div className="min-w-0">
            <p className="text-14 font-strong wrap-anywhere">{name}</p>
            <p className="text-12 text-muted">
              {t("security.added", { date: formatDate(create_time) })}
              {" · "}
              {last_use === null
                ? t("security.unused")
                : t("security.used", { used: formatRelative(Math.min(last_use, now), now) })}
            </p>
          </div>
          <Button
            look="quiet"
            size="small"
            busy={busy === id}
            aria-label={t("security.removeOne", { name })}
            onClick={() => onRemove(id)}
          >
            {t("security.remove")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  title: string;
  text: string;
  below?: ReactNode;
  children?: ReactNode;
}

function Row({ title, text, below, children }: RowProps) {
  return (
    <div className="px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="text-14 font-strong">{title}</h3>
          <p className="mt-0.5 text-14 text-muted wrap-anywhere">{text}</p>
        </div>
        {children}
      </div>
      {below}
    </div>
  );
}
