import { lazy, Suspense, useEffect, useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { shortenAddress } from "../../../i18n/format.ts";
import { loadTexts, t } from "../../../i18n/i18n.ts";
import { usePageTitle } from "../../../page-title.ts";
import { paths } from "../../../paths.ts";
import { reportError, reportFault } from "../../../report-error.ts";
import { Button } from "../../../ui/button.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useWallet } from "../../../wallet/store.ts";
import { api } from "../../api.ts";
import { logIn, useLoggedIn } from "../../session.ts";
import { EntryFrame } from "../entry-frame.tsx";
import { hasCode } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";
import { emailProblem, problems } from "../field-problems.ts";
import { nextPath } from "../redirect-path.ts";
import { useForm } from "../use-form.ts";

const SecondFactor = lazy(() =>
  Promise.all([import("../second-factor.tsx"), loadTexts("security")]).then(([module]) => module),
);
const AlreadyLoggedIn = lazy(() => import("../already-logged-in.tsx"));

export default function SignInPage() {
  usePageTitle(t("account.signIn"));
  const next = nextPath(useSearchParams()[0].get("next"));
  const navigate = useNavigate();
  const loggedIn = useLoggedIn();
  const [cameLoggedIn] = useState(loggedIn);
  // The visitor logged in on this page, with the wallet or in another tab, and continues to the target.
  const leaves = loggedIn && !cameLoggedIn;
  useEffect(() => {
    if (leaves) navigate(next, { replace: true });
  }, [leaves, navigate, next]);
  return (
    <EntryFrame title={t("account.signIn")} lead={t("account.signIn.lead")}>
      {loggedIn && cameLoggedIn ? <AlreadyLoggedIn /> : <SignInForm />}
    </EntryFrame>
  );
}

function SignInForm() {
  const { search, state } = useLocation();
  /** The accepted e-mail and password while the second factor is missing. */
  const [proved, setProved] = useState<{ email: string; password: string } | null>(null);
  const initialEmail = typeof state?.email === "string" ? state.email : "";
  const { form, text, values, failure, busy } = useForm({
    initial: { email: initialEmail, password: "" },
    check: ({ email, password }) =>
      problems({
        email: emailProblem(email),
        password: password === "" ? () => t("forms.password.missing") : null,
      }),
    send: async ({ email, password }) => {
      try {
        logIn(await api.login({ email: email.trim(), password }));
      } catch (error) {
        if (!hasCode(error, "second_factor_required")) throw error;
        setProved({ email: email.trim(), password });
      }
    },
    meanings: { login_failed: () => t("account.signIn.failed") },
  });
  useOfferedPasskeys(proved === null);
  if (proved !== null)
    return (
      <Suspense fallback={<Loading />}>
        <SecondFactor
          send={async (factor) => logIn(await api.login({ ...proved, factor }))}
          onBack={() => setProved(null)}
        />
      </Suspense>
    );
  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField
        label={t("forms.email")}
        type="email"
        autoComplete="username webauthn"
        readOnly={busy}
        {...text("email")}
      />
      <PasswordField
        label={t("forms.password")}
        labelEnd={
          <Link to={paths.forgotPassword} state={{ email: values.email.trim() }} className="link text-14">
            {t("account.forgotPassword")}
          </Link>
        }
        autoComplete="current-password"
        readOnly={busy}
        {...text("password")}
      />
      <Failure text={failure} />
      <Button type="submit" busy={busy} wide>
        {t("account.signIn")}
      </Button>
      <PasskeySignIn />
      <WalletSignIn />
      <p className="border-t border-line pt-5 text-14 text-muted">
        {t("account.signIn.noAccount")}{" "}
        <Link to={{ pathname: paths.signUp, search }} state={{ email: values.email.trim() }} className="link">
          {t("shell.signUp")}
        </Link>
      </p>
    </form>
  );
}

/** Offers passkeys among the suggestions of the e-mail field while `wanted` is true. */
function useOfferedPasskeys(wanted: boolean) {
  useEffect(() => {
    if (!wanted || !("PublicKeyCredential" in window)) return;
    let isUnmounted = false;
    const loaded = Promise.all([import("../passkey.ts"), loadTexts("security")]);
    async function offer() {
      const [{ offerPasskeys, hasNoPasskey, passkeyFailure }] = await loaded;
      while (!isUnmounted) {
        const passkey = await offerPasskeys().catch((error: unknown) => {
          if (hasNoPasskey(error)) return null;
          throw error;
        });
        if (passkey === null || isUnmounted) return;
        try {
          const session = await api.passkeyLogIn({ passkey });
          if (!isUnmounted) logIn(session);
          return;
        } catch (error) {
          if (!isUnmounted) toast({ title: passkeyFailure(error)(), look: "error" });
        }
      }
    }
    // The visitor did not ask for this offer, and the button and the password work without it. The error is only
    // logged. A server that does not answer (null) is not logged.
    offer().catch((error: unknown) => {
      if (error !== null) reportError("page", error);
    });
    return () => {
      isUnmounted = true;
      // A failure to load the code is reported above.
      loaded.then(
        ([{ cancelPasskeys }]) => cancelPasskeys(),
        () => undefined,
      );
    };
  }, [wanted]);
}

/** Logs in with a passkey instead of e-mail and password. */
function PasskeySignIn() {
  const [module, setModule] = useState<typeof import("../passkey.ts") | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!("PublicKeyCredential" in window)) return;
    let isUnmounted = false;
    Promise.all([import("../passkey.ts"), loadTexts("security")]).then(
      ([loaded]) => {
        if (!isUnmounted && loaded.passkeysPossible()) setModule(loaded);
      },
      // The password works without this button, and `useOfferedPasskeys` reports the error.
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  if (module === null) return null;

  async function signIn(of: NonNullable<typeof module>) {
    setBusy(true);
    try {
      logIn(await of.logInWithPasskey());
    } catch (error) {
      toast({ title: of.passkeyFailure(error)(), look: "error" });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button look="secondary" busy={busy} wide onClick={() => void signIn(module)}>
      {t("security.signIn.passkey")}
    </Button>
  );
}

/** Logs in with one signature instead of the password. Shown for a connected wallet that is linked to an account. */
function WalletSignIn() {
  const { address } = useWallet();
  const [busy, setBusy] = useState(false);
  if (address === null) return null;

  async function signIn() {
    setBusy(true);
    try {
      const { signInWithWallet } = await import("../../wallet-dialog/sign-in.ts");
      await signInWithWallet();
    } catch (error) {
      // Only loading the code can fail here, since the sign-in itself never throws.
      reportFault("wallet", error);
      toast({ title: t("shell.wallet.unreachable"), look: "error" });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button look="secondary" busy={busy} wide onClick={signIn}>
      {t("account.signIn.wallet", { address: shortenAddress(address) })}
    </Button>
  );
}
