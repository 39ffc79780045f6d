import { lazy } from "react";
import { Link } from "react-router";
import { t } from "../../../i18n/i18n.ts";
import { usePageTitle } from "../../../page-title.ts";
import { paths } from "../../../paths.ts";
import { EmailProof } from "../email-proof.tsx";
import { later } from "../later.ts";

const loadPassword = later(() => import("./password-step.tsx"));
const loadDone = later(() => import("./done.tsx"));
const PasswordStep = lazy(loadPassword);
const Done = lazy(loadDone);

export default function ForgotPasswordPage() {
  usePageTitle(t("account.forgotPassword"));
  return (
    <EmailProof
      purpose="reset_password"
      title={t("account.forgotPassword")}
      lead={t("account.forgotPassword.lead")}
      hint={t("account.forgotPassword.emailHint")}
      preload={() => void Promise.allSettled([loadPassword(), loadDone()])}
      below={(email) => (
        <p className="border-t border-line pt-5 text-14 text-muted">
          <Link to={paths.signIn} state={{ email }} className="link">
            {t("account.forgotPassword.back")}
          </Link>
        </p>
      )}
      PasswordStep={PasswordStep}
      Done={Done}
    />
  );
}
