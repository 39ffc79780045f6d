import type { LinkedWallet } from "@aqua/sdk/api/auth";
import { useRef } from "react";
import { Link } from "react-router";
import { formatDate } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { paths } from "../../../paths.ts";
import { Address } from "../../../ui/address.tsx";
import { buttonClasses } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useStepFocus } from "../use-step-focus.ts";

/** Shown after the new password is set: a link to log in with it, and the wallet that can still log in without it. */
export default function Done({ email, wallets }: { email: string; wallets: readonly LinkedWallet[] }) {
  const title = useRef<HTMLHeadingElement>(null);
  useStepFocus(title);
  const current = wallets.find((wallet) => wallet.current);
  const next = current ? `?next=${encodeURIComponent(`${paths.account}#wallets`)}` : "";
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h2 ref={title} tabIndex={-1} className="text-20 outline-none">
          {t("register.reset.done")}
        </h2>
        <p className="mt-1 text-14 text-muted">{t("register.reset.done.text")}</p>
      </div>
      {current && (
        <Notice look="caution" title={t("register.reset.wallet")}>
          <p>
            <Address address={current.address} what={t("register.reset.wallet.address")} full />{" "}
            {t("register.reset.wallet.since", { date: formatDate(current.create_time) })}
          </p>
          <p>{t("register.reset.wallet.unlink")}</p>
        </Notice>
      )}
      <Link to={`${paths.signIn}${next}`} state={{ email }} className={buttonClasses({ wide: true })}>
        {t("account.signIn")}
      </Link>
    </div>
  );
}
