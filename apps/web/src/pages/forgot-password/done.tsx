import { useRef } from "react";
import { Link } from "react-router";
import { useStepFocus } from "../../features/account/use-step-focus.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/button.tsx";

/** The new password is set: a link to log in with it. */
export default function Done({ email }: { email: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useStepFocus(title);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h2 ref={title} tabIndex={-1} className="text-20 outline-none">
          {t("register.reset.done")}
        </h2>
        <p className="mt-1 text-14 text-muted">{t("register.reset.done.text")}</p>
      </div>
      <Link to={paths.signIn} state={{ email }} className={buttonClasses({ wide: true })}>
        {t("account.signIn")}
      </Link>
    </div>
  );
}
