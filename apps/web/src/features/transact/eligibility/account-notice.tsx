import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { t } from "../../../i18n/i18n.ts";
import { paths } from "../../../paths.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { bindingReason, rejectionReason } from "../../account/reasons.ts";
import { linkWallet } from "../../wallet-dialog/link.ts";
import { openWalletDialog } from "../../wallet-dialog/open.ts";
import type { AccountNeed } from "./account-need.ts";

/** Explains why a wallet without a verified record cannot deposit yet, and offers the next step. */
export function AccountNotice({ need, onRefresh }: { need: AccountNeed; onRefresh: () => void }) {
  switch (need.code) {
    case "visitor":
      return (
        <Need
          code="visitor"
          actions={
            <>
              <Way to={paths.signUp}>{t("transact.account.register")}</Way>
              <Way to={paths.signIn} second>
                {t("shell.logIn")}
              </Way>
            </>
          }
        />
      );
    case "loading":
      return (
        <Button wide size="large" busy>
          {t("transact.account.reading")}
        </Button>
      );
    case "unavailable":
      return (
        <Notice
          look="error"
          title={t("transact.account.unavailable")}
          actions={
            <Button size="small" look="secondary" onClick={onRefresh}>
              {t("ui.retry")}
            </Button>
          }
        />
      );
    case "verify":
      return (
        <Need
          code={need.status}
          reason={need.reason && rejectionReason(need.reason)}
          actions={<Way to={paths.account}>{t("transact.account.verify")}</Way>}
        />
      );
    case "checking":
      return <Waiting code="checking" seconds={15} onRefresh={onRefresh} />;
    case "link":
      return (
        <Need
          code="link"
          actions={
            <Button size="small" onClick={() => void linkWallet()}>
              {t("transact.account.linkWallet")}
            </Button>
          }
        />
      );
    case "switch":
      return (
        <Need
          code="switch"
          actions={
            <Button size="small" onClick={openWalletDialog}>
              {t("transact.account.switchWallet")}
            </Button>
          }
        />
      );
    case "recording":
      return <Waiting code="recording" seconds={5} onRefresh={onRefresh} />;
    case "signAgain":
      return (
        <Need
          code="signAgain"
          actions={
            <Button size="small" onClick={() => void linkWallet()}>
              {t("transact.account.sign")}
            </Button>
          }
        />
      );
    case "recordFailed":
      return (
        <Need
          code="recordFailed"
          reason={need.reason && bindingReason(need.reason)}
          actions={<Way to={paths.account}>{t("transact.account.open")}</Way>}
        />
      );
  }
}

type NeedText = "visitor" | "unverified" | "rejected" | "expired" | "link" | "switch" | "signAgain" | "recordFailed";

interface NeedProps {
  code: NeedText;
  reason?: string | null;
  actions?: ReactNode;
}

function Need({ code, reason = null, actions }: NeedProps) {
  return (
    <Notice
      look={code === "recordFailed" || code === "rejected" ? "caution" : "info"}
      title={t(`transact.account.${code}.title`)}
      actions={actions}
    >
      <p>{t(`transact.account.${code}.text`)}</p>
      {reason !== null && <p className="mt-1 text-ink">{reason}</p>}
    </Notice>
  );
}

interface WaitingProps {
  code: "checking" | "recording";
  seconds: number;
  onRefresh: () => void;
}

/** This state ends without action from the visitor. Events report the end at once; polling covers lost events. */
function Waiting({ code, seconds, onRefresh }: WaitingProps) {
  const refresh = useRef(onRefresh);
  refresh.current = onRefresh;
  useEffect(() => {
    const timer = setInterval(() => refresh.current(), seconds * 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return (
    <Notice
      live="status"
      title={
        <span className="flex items-center gap-2">
          <Spinner className="size-4 shrink-0 text-accent" />
          {t(`transact.account.${code}.title`)}
        </span>
      }
    >
      {t(`transact.account.${code}.text`)}
    </Notice>
  );
}

function Way({ to, second = false, children }: { to: string; second?: boolean; children: ReactNode }) {
  return (
    <Link to={to} className={buttonClasses({ size: "small", look: second ? "secondary" : "primary" })}>
      {children}
    </Link>
  );
}
