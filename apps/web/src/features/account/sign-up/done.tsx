import { useId, useRef } from "react";
import { Link, useSearchParams } from "react-router";
import { t } from "../../../i18n/i18n.ts";
import { paths } from "../../../paths.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { useWallet } from "../../../wallet/store.ts";
import { connectWallet, prefetchWallet } from "../../open-wallet.ts";
import { nextPath } from "../redirect-path.ts";
import { useStepFocus } from "../use-step-focus.ts";

/** Shown after the account was created, with the next steps. */
export default function Done() {
  const [search] = useSearchParams();
  const id = useId();
  const { address } = useWallet();
  const title = useRef<HTMLHeadingElement>(null);
  useStepFocus(title);
  const named = search.get("next");
  const next = nextPath(named);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h2 ref={title} tabIndex={-1} id={id} className="text-20 outline-none">
          {t("register.done")}
        </h2>
        <p className="mt-1 text-14 text-muted">{t("register.done.text")}</p>
      </div>
      <ol aria-labelledby={id} className="flex flex-col divide-y divide-line border-y border-line">
        {(["identity", "wallet", "deposit"] as const).map((step, index) => (
          <li key={step} className="flex gap-4 py-3">
            <span aria-hidden="true" className="font-mono text-14 text-accent">
              {index + 1}
            </span>
            <span className="min-w-0">
              <span className="block text-14 font-strong">{t(`register.next.${step}`)}</span>
              <span className="block text-14 text-muted">{t(`register.next.${step}.text`)}</span>
            </span>
          </li>
        ))}
      </ol>
      <div className="flex flex-col gap-3">
        <Link to={paths.account} className={buttonClasses({ wide: true })}>
          {t("register.next.identity")}
        </Link>
        {address === null && (
          <Button
            look="secondary"
            wide
            onPointerEnter={prefetchWallet}
            onFocus={prefetchWallet}
            onClick={connectWallet}
          >
            {t("shell.wallet.connect")}
          </Button>
        )}
        {named !== null && next !== paths.account && (
          <Link to={next} className={buttonClasses({ look: "quiet", wide: true })}>
            {t("register.next.back")}
          </Link>
        )}
      </div>
    </div>
  );
}
