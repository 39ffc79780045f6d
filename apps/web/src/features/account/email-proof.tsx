import type { AskedPurpose, LinkedWallet } from "@aqua/sdk/api/auth";
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { useLocation } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Steps } from "../../ui/steps.tsx";
import { useDraft } from "./draft.ts";
import { EmailStep } from "./email-step.tsx";
import { EntryFrame } from "./entry-frame.tsx";
import type { LazyText } from "./failure.ts";
import { later } from "./later.ts";

/** A skeleton with the height of a step with one field. */
function StepSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{t("ui.loading")}</span>
      <Skeleton className="h-5 w-28" />
      <Skeleton className="h-14" />
      <Skeleton className="mt-3 h-11" />
    </div>
  );
}

const loadCode = later(() => import("./code-step.tsx"));
const CodeStep = lazy(loadCode);
const order = ["email", "code", "password"] as const;

export interface AfterProof {
  email: string;
  /** Proves that the reader owns the e-mail. Valid once, for ten minutes. */
  ticket: string;
  /** `wallets` are the wallets of the account whose password was set. */
  onDone: (wallets?: readonly LinkedWallet[]) => void;
  /** Called if the ticket is no longer valid. */
  onTicketDead: (why: LazyText) => void;
}

interface EmailProofProps {
  purpose: AskedPurpose;
  title: string;
  lead: string;
  hint: string;
  /** Shown beside every step. */
  notice?: ReactNode;
  /** Shown under the first form. */
  below: (email: string) => ReactNode;
  PasswordStep: ComponentType<AfterProof>;
  Done: ComponentType<{ email: string; wallets: readonly LinkedWallet[] }>;
  /** Loads the code of later steps while the reader fills in the first one. Never throws. */
  preload: () => void;
}

/** The steps of registration and of a password reset: e-mail, code, then a password. */
export function EmailProof({
  purpose,
  title,
  lead,
  hint,
  notice,
  below,
  PasswordStep,
  Done,
  preload,
}: EmailProofProps) {
  const { state } = useLocation();
  const initialEmail = typeof state?.email === "string" ? state.email : "";
  const { draft, change, forget } = useDraft(`aqua-${purpose}`, initialEmail);
  const [done, setDone] = useState<readonly LinkedWallet[] | null>(null);
  /** The reason why an earlier step is shown again. */
  const [reason, setReason] = useState<LazyText | null>(null);

  function step() {
    if (done) return <Done email={draft.email} wallets={done} />;
    switch (draft.step) {
      case "email":
        return (
          <EmailStep
            purpose={purpose}
            email={draft.email}
            hint={hint}
            onReach={() => {
              loadCode().catch(() => undefined);
              preload();
            }}
            onSent={(email, resendAt) => {
              setReason(null);
              change({ email, resendAt, step: "code" });
            }}
          >
            {below(draft.email)}
          </EmailStep>
        );
      case "code":
        return (
          <CodeStep
            purpose={purpose}
            email={draft.email}
            resendAt={draft.resendAt}
            reason={reason}
            onTicket={(ticket) => change({ step: "password", ticket })}
            onResent={(resendAt) => {
              setReason(null);
              change({ resendAt });
            }}
            onOtherEmail={() => change({ step: "email" })}
          />
        );
      case "password":
        return (
          <PasswordStep
            email={draft.email}
            ticket={draft.ticket}
            onDone={(wallets = []) => {
              forget();
              setDone(wallets);
            }}
            onTicketDead={(why) => {
              setReason(() => why);
              change({ step: "code", ticket: "" });
            }}
          />
        );
    }
  }

  return (
    <EntryFrame
      title={title}
      lead={lead}
      aside={
        <>
          <Steps
            label={t("account.steps")}
            steps={[t("forms.email"), t("account.steps.code"), t("forms.password")]}
            current={done ? order.length : order.indexOf(draft.step)}
          />
          {notice && <div className="mt-6 max-w-[52ch]">{notice}</div>}
        </>
      }
    >
      <Suspense fallback={<StepSkeleton />}>{step()}</Suspense>
    </EntryFrame>
  );
}
