import type { Factor } from "@aqua/sdk/api/auth";
import type { AddedDeskPasskey } from "@aqua/sdk/api/desk";
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useStore } from "../../create-store.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { reportError } from "../../report-error.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Details } from "../../ui/details.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { EntryFrame } from "../account/entry-frame.tsx";
import { failureText, hasCode, type LazyText } from "../account/failure.ts";
import { Failure } from "../account/failure-notice.tsx";
import { problems } from "../account/field-problems.ts";
import { hasNoPasskey, newPasskeyFailure, passkeysPossible } from "../account/passkey.ts";
import { useForm } from "../account/use-form.ts";
import { desk } from "./calls.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";
import { deskLogInEnded, storeDeskToken } from "./session.ts";

type Answer = NonNullable<Factor["passkey"]>;

/** The log-in of a named operator. A site without operators' calls has no desk, and the page says so. */
export default function LogIn() {
  const ended = useStore(deskLogInEnded);
  const exists = useQuery({ queryKey: ["operator", "exists"], queryFn: desk.logInOptions, gcTime: 0, retry: false });
  if (hasCode(exists.error, "not_found"))
    return (
      <EntryFrame title={t("desk.title")}>
        <div className="flex flex-col gap-5">
          <h2 className="text-20">{t("desk.none")}</h2>
          <p className="text-14 text-muted">{t("desk.none.text")}</p>
          <Link to={paths.home} className={buttonClasses({ look: "secondary", wide: true })}>
            {t("desk.none.home")}
          </Link>
        </div>
      </EntryFrame>
    );
  return (
    <EntryFrame title={t("desk.title")} lead={t("desk.lead")}>
      <div className="flex flex-col gap-5">
        {ended && (
          <Notice live="status" title={t("desk.ended")}>
            {t("desk.ended.text")}
          </Notice>
        )}
        {passkeysPossible() ? (
          <>
            <WithPasskey />
            <div className="border-t border-line pt-3">
              <Details label={t("desk.add.first")}>
                <AddPasskey />
              </Details>
            </div>
          </>
        ) : (
          <Notice look="caution">{t("security.passkeys.impossible")}</Notice>
        )}
      </div>
    </EntryFrame>
  );
}

function WithPasskey() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);

  async function logIn() {
    setBusy(true);
    setFailure(null);
    try {
      const options = await desk.logInOptions();
      const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
      const passkey = (await startAuthentication({ optionsJSON })) as unknown as Answer;
      storeDeskToken((await desk.logIn({ passkey })).token);
    } catch (error) {
      const text = logInFailure(error);
      setFailure(() => text);
      setBusy(false);
    }
  }

  return (
    <>
      <p className="text-14 text-muted">{t("desk.logIn.text")}</p>
      <Failure text={failure?.() ?? null} />
      <Button wide busy={busy} onClick={logIn}>
        {t("security.signIn.passkey")}
      </Button>
    </>
  );
}

function logInFailure(error: unknown): LazyText {
  if (!(error instanceof Error)) return failureText(error, { login_failed: () => t("desk.logIn.refused") });
  if (!hasNoPasskey(error)) reportError("page", error);
  return () => t("desk.logIn.noPasskey");
}

/** Adds a passkey of this browser with the operator's own token, which is used once and not stored. */
function AddPasskey() {
  const [added, setAdded] = useState<AddedDeskPasskey | null>(null);
  const [only, setOnly] = useState(false);
  const { form, text, set, failure, busy } = useForm({
    initial: { token: "" },
    check: ({ token }) => problems({ token: token.trim() === "" ? () => t("desk.add.missing") : null }),
    send: async ({ token }) => {
      setAdded(null);
      try {
        const options = await desk.newPasskey(token.trim());
        const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
        const passkey = (await startRegistration({ optionsJSON })) as unknown as Answer;
        setAdded(await desk.addPasskey(token.trim(), { passkey, only }));
      } finally {
        set("token", "");
      }
    },
    meanings: { not_allowed: () => t("desk.add.notNamed") },
    problemsOf: (error): { token?: LazyText } => {
      if (hasCode(error, "token_error")) return { token: () => t("desk.add.wrong") };
      // An `Error` means that the browser created no passkey. A failed call throws none.
      return error instanceof Error ? { token: newPasskeyFailure(error) } : {};
    },
  });
  return (
    <form {...form} className="flex flex-col gap-5 pt-2">
      <p className="text-14 text-muted">{t("desk.add.text")}</p>
      <Command line={commands.addOperator()} />
      <TextField
        type="password"
        label={t("desk.add.token")}
        hint={t("desk.add.hint")}
        autoComplete="off"
        spellCheck={false}
        readOnly={busy}
        {...text("token")}
      />
      <Switch label={t("desk.add.only")} note={t("desk.add.only.note")} checked={only} onChange={setOnly} />
      <Failure text={failure} />
      <Button type="submit" look="secondary" busy={busy} wide>
        {t("security.passkeys.add")}
      </Button>
      <div role="status" className="contents">
        {added && (
          <Notice look="success" title={t("security.passkeys.added")}>
            {t("desk.add.done", { name: added.name, count: added.passkeys })}
          </Notice>
        )}
      </div>
    </form>
  );
}
