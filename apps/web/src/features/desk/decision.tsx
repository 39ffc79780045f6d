import type { DeskState } from "@aqua/sdk/api/desk";
import type { IdentityCaseDetail, WaitingForSecond } from "@aqua/sdk/api/operator";
import { isRejectionCode, rejectionCodes } from "@aqua/sdk/api/rules";
import { DAY_MS } from "@aqua/sdk/durations";
import { useState } from "react";
import { formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { now } from "../../server-clock.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { failureText, type LazyText } from "../account/failure.ts";
import { Failure } from "../account/failure-notice.tsx";
import { problems } from "../account/field-problems.ts";
import { rejectionReason } from "../account/reasons.ts";
import { useForm } from "../account/use-form.ts";
import { desk } from "./calls.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";

/** Longest validity of a verification and longest reason, as the server accepts them. */
const mostDays = 3_650;
const longestReason = 500;
/** The choice of a reason in the operator's own words. */
const ownText = "own";

/** What became of a decision: made, or recorded until another operator decides the same. */
export type Outcome = { made: "approved" | "rejected" } | { waiting: WaitingForSecond };

interface DecisionProps {
  known: IdentityCaseDetail;
  state: DeskState;
  onDecided: (outcome: Outcome) => Promise<void>;
}
type Asked = { kind: "approve"; days: number } | { kind: "reject"; reason: string };

/** The decision on a pending case. Where each change needs a signature, the commands. */
export function Decision({ known, state, onDecided }: DecisionProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { id, status } = known;
  if (status === "verified")
    return <Command line={commands.revoke(id, rejectionCodes[0])} does={t("desk.decision.revoke")} />;
  if (status !== "pending") return null;
  return (
    <div className="flex flex-col gap-6">
      {state.four_eyes.includes("identity") && <Notice title={t("desk.fourEyes")}>{t("desk.fourEyes.text")}</Notice>}
      {state.signs ? (
        <div className="flex flex-col gap-3">
          <Command line={commands.approve(id, 365)} does={t("desk.decision.approve")} />
          <Command line={commands.reject(id, rejectionCodes[0])} does={t("desk.decision.reject")} />
          <p className="text-12 text-muted">{t("desk.decision.codes", { codes: rejectionCodes.join(", ") })}</p>
        </div>
      ) : (
        <>
          <Approve onAsk={setAsked} />
          <Reject onAsk={setAsked} />
        </>
      )}
      {asked && <Confirm known={known} asked={asked} onDecided={onDecided} onClose={() => setAsked(null)} />}
    </div>
  );
}

function Approve({ onAsk }: { onAsk: (asked: Asked) => void }) {
  const { form, text } = useForm({
    initial: { days: "365" },
    check: ({ days }) =>
      problems({
        days:
          /^[1-9]\d{0,3}$/.test(days.trim()) && Number(days) <= mostDays
            ? null
            : () => t("desk.decision.days.wrong", { most: mostDays }),
      }),
    send: async ({ days }) => onAsk({ kind: "approve", days: Number(days) }),
  });
  return (
    <form {...form} className="flex flex-col items-start gap-3">
      <TextField label={t("desk.decision.days")} inputMode="numeric" autoComplete="off" {...text("days")} />
      <Button type="submit">{t("desk.decision.approve")}</Button>
    </form>
  );
}

function Reject({ onAsk }: { onAsk: (asked: Asked) => void }) {
  const { form, text, field, set, values } = useForm({
    initial: { reason: rejectionCodes[0] as string, own: "" },
    check: ({ reason, own }) =>
      problems({
        reason: null,
        own: reason === ownText && own.trim() === "" ? () => t("desk.decision.own.missing") : null,
      }),
    send: async ({ reason, own }) => onAsk({ kind: "reject", reason: reason === ownText ? own.trim() : reason }),
  });
  const reasons = [
    ...rejectionCodes.map((code) => ({ value: code as string, label: rejectionReason(code) })),
    { value: ownText, label: t("desk.decision.own") },
  ];
  return (
    <form {...form} className="flex flex-col items-start gap-3 border-t border-line pt-6">
      <div className="w-full">
        <SelectField
          large
          label={t("desk.reason")}
          options={reasons}
          {...field("reason")}
          onChange={(value) => set("reason", value)}
        />
      </div>
      {values.reason === ownText && (
        <TextField
          label={t("desk.decision.own")}
          hint={t("desk.decision.own.hint")}
          autoComplete="off"
          maxLength={longestReason}
          className="w-full"
          {...text("own")}
        />
      )}
      <Button type="submit" look="danger">
        {t("desk.decision.reject")}
      </Button>
    </form>
  );
}

/** States what happens, before it happens. */
function Confirm({
  known: { id, email },
  asked,
  onDecided,
  onClose,
}: {
  known: IdentityCaseDetail;
  asked: Asked;
  onDecided: DecisionProps["onDecided"];
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);
  const isApproval = asked.kind === "approve";

  async function decide() {
    setBusy(true);
    setFailure(null);
    try {
      const { waiting } = isApproval
        ? await desk.approve(id, { valid_days: asked.days })
        : await desk.reject(id, { reason: asked.reason });
      onClose();
      await onDecided(waiting === null ? { made: isApproval ? "approved" : "rejected" } : { waiting });
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={t(isApproval ? "desk.decision.approve" : "desk.decision.reject")}>
      <div className="flex flex-col gap-5 p-5">
        <div className="flex flex-col gap-2 text-14 wrap-anywhere">
          {isApproval ? (
            <p>
              {t("desk.decision.approve.text", {
                email,
                days: asked.days,
                date: formatDate(now() + asked.days * DAY_MS),
              })}
            </p>
          ) : (
            <>
              <p>{t("desk.decision.reject.text", { email })}</p>
              <blockquote className="border-l-2 border-line pl-3">
                <bdi>{rejectionReason(asked.reason)}</bdi>
              </blockquote>
              {isRejectionCode(asked.reason) && <p className="text-muted">{t("desk.decision.reject.code")}</p>}
            </>
          )}
          <p className="text-muted">{t("desk.decision.recorded")}</p>
        </div>
        <Failure text={failure?.() ?? null} />
        <div className="flex flex-wrap gap-3">
          <Button look={isApproval ? "primary" : "danger"} busy={busy} onClick={decide}>
            {t(isApproval ? "desk.decision.approve" : "desk.decision.reject")}
          </Button>
          <Button look="secondary" onClick={onClose}>
            {t("profile.cancel")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
