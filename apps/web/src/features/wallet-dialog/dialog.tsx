import type { ReactNode } from "react";
import { Link } from "react-router";
import { shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { MessageKey } from "../../i18n/keys.ts";
import { paths } from "../../paths.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { useAccountInfo } from "../account/info.ts";
import { useLoggedIn } from "../session.ts";
import { linkWallet } from "./link.ts";
import { switchWallet } from "./switch.ts";
import { truncateEmail, type Variant, variantFor } from "./variant.ts";

interface WalletDialogProps {
  /** The connected wallet. */
  address: string;
  /** Called after the visitor chose an option. */
  onClose: () => void;
  /** Called when the visitor dismisses the dialog. */
  onDismiss: () => void;
}

/** The options for a connected wallet that is not linked to the visitor's account. */
export default function WalletDialog({ address, onClose, onDismiss }: WalletDialogProps) {
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn);
  const info = loggedIn ? account.data : null;
  if (info === undefined)
    return (
      <Dialog open onClose={onDismiss} title={t("dialog.visitor.title")}>
        {account.isError ? <ErrorState error={account.error} onRetry={() => account.refetch()} /> : <Loading />}
      </Dialog>
    );
  const variant = variantFor(info, address);
  return variant && <Offer variant={variant} address={address} onClose={onClose} onDismiss={onDismiss} />;
}

function Offer({ variant, address, onClose, onDismiss }: WalletDialogProps & { variant: Variant }) {
  const { kind } = variant;
  return (
    <Dialog open onClose={onDismiss} title={t(`dialog.${kind}.title`)}>
      <div className="flex flex-col gap-4 p-5">
        <p>{t(`dialog.${kind}.text`)}</p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 rounded-6 bg-ground p-3 text-14">
          {"email" in variant && (
            <Row label="dialog.account">
              <span title={variant.email}>{truncateEmail(variant.email)}</span>
            </Row>
          )}
          {kind === "switch" && <Row label="dialog.linkedWallet">{wallet(variant.linked)}</Row>}
          <Row label="dialog.thisWallet">{wallet(address)}</Row>
        </dl>
        {kind === "switch" && <p className="text-14 text-muted">{t("dialog.switch.consequence")}</p>}
        <div className="flex flex-wrap gap-2 *:flex-1">
          <Actions variant={variant} address={address} onClose={onClose} onDismiss={onDismiss} />
        </div>
      </div>
    </Dialog>
  );
}

function wallet(address: string) {
  return (
    <span title={address} className="font-mono">
      {shortenAddress(address)}
    </span>
  );
}

function Row({ label, children }: { label: MessageKey; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{t(label)}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </>
  );
}

function Actions({ variant, address, onClose, onDismiss }: WalletDialogProps & { variant: Variant }) {
  const { kind } = variant;
  if (kind === "visitor")
    return (
      <>
        <Way to={paths.signUp} onClose={onClose} label="dialog.visitor.register" main />
        <Way to={paths.signIn} onClose={onClose} label="dialog.visitor.logIn" />
      </>
    );
  if (kind === "verify")
    return (
      <>
        <Way to={paths.account} onClose={onClose} label="dialog.verify.go" main />
        <Cancel onDismiss={onDismiss} />
      </>
    );
  // The kit's sign-in dialog replaces this one.
  const confirm = () => {
    onClose();
    void (variant.kind === "switch" ? switchWallet(address, variant.linked) : linkWallet());
  };
  return (
    <>
      <Button onClick={confirm}>{t(`dialog.${kind}.confirm`)}</Button>
      <Cancel onDismiss={onDismiss} />
    </>
  );
}

function Cancel({ onDismiss }: { onDismiss: () => void }) {
  return (
    <Button look="secondary" onClick={onDismiss}>
      {t("dialog.cancel")}
    </Button>
  );
}

interface WayProps {
  to: string;
  onClose: () => void;
  label: MessageKey;
  main?: boolean;
}

function Way({ to, onClose, label, main = false }: WayProps) {
  return (
    <Link to={to} onClick={onClose} className={buttonClasses({ look: main ? "primary" : "secondary" })}>
      {t(label)}
    </Link>
  );
}
