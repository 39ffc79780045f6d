import { lazy, Suspense, useState } from "react";
import { Link, useLocation } from "react-router";
import { t } from "../../../i18n/i18n.ts";
import { usePageTitle } from "../../../page-title.ts";
import { paths } from "../../../paths.ts";
import { useLoggedIn } from "../../session.ts";
import { EmailProof } from "../email-proof.tsx";
import { EntryFrame } from "../entry-frame.tsx";
import { later } from "../later.ts";

const loadPassword = later(() => import("./password-step.tsx"));
const loadDone = later(() => import("./done.tsx"));
const PasswordStep = lazy(loadPassword);
const Done = lazy(loadDone);
const ClosedProducts = lazy(later(() => import("./closed-products.tsx")));
const AlreadyLoggedIn = lazy(() => import("../already-logged-in.tsx"));

export default function SignUpPage() {
  usePageTitle(t("account.signUp"));
  const { search } = useLocation();
  const loggedIn = useLoggedIn();
  const [cameLoggedIn] = useState(loggedIn);
  if (loggedIn && cameLoggedIn)
    return (
      <EntryFrame title={t("account.signUp")} lead={t("account.signUp.lead")}>
        <AlreadyLoggedIn />
      </EntryFrame>
    );
  return (
    <EmailProof
      purpose="register"
      title={t("account.signUp")}
      lead={t("account.signUp.lead")}
      hint={t("account.signUp.emailHint")}
      notice={
        <Suspense fallback={null}>
          <ClosedProducts />
        </Suspense>
      }
      preload={() => void Promise.allSettled([loadPassword(), loadDone()])}
      below={(email) => (
        <p className="border-t border-line pt-5 text-14 text-muted">
          {t("account.signUp.known")}{" "}
          <Link to={{ pathname: paths.signIn, search }} state={{ email }} className="link">
            {t("account.signIn")}
          </Link>
        </p>
      )}
      PasswordStep={PasswordStep}
      Done={Done}
    />
  );
}
