import type { DocumentKind, Identity } from "@aqua/sdk/api/identity";
import { adultAge, documentSize, documentTypes } from "@aqua/sdk/api/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { formatBytes } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { now as serverNow } from "../../server-clock.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { queryKeys } from "../query-keys.ts";
import { CountryField } from "./country-field.tsx";
import { hasCode, type LazyText, namedFields } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { problems } from "./field-problems.ts";
import { identityOptions, submitIdentity } from "./identity.ts";
import { createOnce } from "./once.ts";
import { useForm } from "./use-form.ts";

const kinds: readonly DocumentKind[] = ["passport", "identity_card", "residence_permit", "driving_licence"];
/** The earliest accepted year of birth. */
const firstYear = 1900;

/** The latest date of birth of an adult, in the format of date inputs. UTC, as on the server. */
function lastBirthDate(now: number = serverNow()): string {
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() - adultAge);
  return date.toISOString().slice(0, 10);
}

function birthDateProblem(date: string): LazyText | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number(date.slice(0, 4)) < firstYear)
    return () => t("profile.form.birthDate.missing");
  return date > lastBirthDate() ? () => t("profile.form.birthDate.young", { age: adultAge }) : null;
}

/** The problem with a document before it is sent. Null if there is none. The server checks its content. */
function documentProblem(file: File | null): LazyText | null {
  if (file === null) return () => t("profile.form.document.missing");
  if (file.size === 0) return () => t("profile.form.document.empty");
  if (file.size > documentSize)
    return () => t("profile.form.document.large", { size: formatBytes(file.size), most: formatBytes(documentSize) });
  // The type is empty if the system does not know it.
  const isAccepted = file.type === "" || (documentTypes as readonly string[]).includes(file.type);
  return isAccepted ? null : () => t("profile.form.document.type");
}

/**
 * Texts for fields that the server rejects although the form accepted them. Only the server checks a document's
 * content.
 */
const refused: Record<string, LazyText> = {
  name: () => t("profile.form.name.missing"),
  birth_date: () => t("profile.form.birthDate.missing"),
  document_kind: () => t("profile.form.kind.missing"),
  document: () => t("profile.form.document.content"),
};

function refusedFields(error: unknown) {
  return Object.fromEntries(namedFields(error).flatMap(([name]) => (refused[name] ? [[name, refused[name]]] : [])));
}

/** The form for name, date of birth, country and a document. */
export function IdentityForm({ country, sandbox }: { country: string; sandbox: Identity["sandbox_names"] }) {
  const queries = useQueryClient();
  const once = useRef(createOnce());
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const { form, field, text, set, check, failure, busy } = useForm({
    initial: { name: "", birth_date: "", country, document_kind: "", document: "" },
    check: (values) =>
      problems({
        name: values.name.trim().length >= 2 ? null : () => t("profile.form.name.missing"),
        birth_date: birthDateProblem(values.birth_date),
        country: values.country === "" ? () => t("register.country.missing") : null,
        document_kind: values.document_kind === "" ? () => t("profile.form.kind.missing") : null,
        document: documentProblem(file),
      }),
    send: async ({ name, birth_date, country: of, document_kind }) => {
      if (file === null) return;
      const fields = { name: name.trim(), birth_date, country: of, document_kind: document_kind as DocumentKind };
      const key = once.current([fields, file.name, file.size, file.lastModified]);
      setProgress(0);
      try {
        const identity = await submitIdentity({ fields, document: file, once: key, onProgress: setProgress });
        queries.setQueryData(identityOptions().queryKey, identity);
        queries.invalidateQueries({ queryKey: queryKeys.me });
      } catch (error) {
        // Another tab has already submitted the form. Reloading shows the new state.
        if (hasCode(error, "conflict")) queries.invalidateQueries({ queryKey: queryKeys.me });
        throw error;
      } finally {
        setProgress(null);
      }
    },
    problemsOf: refusedFields,
    meanings: { conflict: () => t("profile.form.conflict") },
  });

  return (
    <form {...form} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t("profile.form.name")}
          hint={t("profile.form.name.hint")}
          autoComplete="name"
          readOnly={busy}
          {...text("name")}
        />
        <TextField
          label={t("profile.form.birthDate")}
          type="date"
          autoComplete="bday"
          min={`${firstYear}-01-01`}
          max={lastBirthDate()}
          readOnly={busy}
          {...text("birth_date")}
        />
        <CountryField
          label={t("register.country")}
          disabled={busy}
          {...field("country")}
          onChange={(code) => set("country", code)}
        />
        <SelectField
          large
          label={t("profile.form.kind")}
          disabled={busy}
          {...field("document_kind")}
          onChange={(kind) => set("document_kind", kind)}
          options={[
            { value: "", label: t("profile.form.kind.choose") },
            ...kinds.map((value) => ({ value: value as string, label: t(`profile.form.kind.${value}`) })),
          ]}
        />
      </div>
      <FileField
        label={t("profile.form.document")}
        hint={t("profile.form.document.hint", { most: formatBytes(documentSize) })}
        accept={documentTypes.join()}
        file={file}
        size={file ? formatBytes(file.size) : ""}
        error={field("document").error}
        progress={progress}
        onFile={(chosen) => {
          setFile(chosen);
          // Validates the document at once, before the rest of the form is filled in.
          check("document", chosen === null ? null : documentProblem(chosen));
        }}
      />
      {sandbox.length > 0 && <SandboxNames names={sandbox} onName={(name) => set("name", name)} />}
      <Failure text={failure} />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button type="submit" busy={busy}>
          {t("profile.form.submit")}
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-12 text-muted">{t("profile.form.privacy")}</p>
      </div>
    </form>
  );
}

/** In a demo nobody checks documents. The name decides the outcome. */
function SandboxNames({ names, onName }: { names: Identity["sandbox_names"]; onName: (name: string) => void }) {
  return (
    <div className="rounded-6 border border-line bg-ground p-4 text-14">
      <p className="text-muted">{t("profile.sandbox")}</p>
      <ul className="mt-2 flex flex-col gap-1">
        {names.map(({ name, outcome }) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-3">
            <button type="button" className="link min-h-6 text-left" onClick={() => onName(name)}>
              {name}
            </button>
            <span className="text-muted">{sandboxOutcome(outcome)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function sandboxOutcome(outcome: string): string {
  switch (outcome) {
    case "verified":
    case "rejected":
    case "pending":
    case "expired":
      return t(`profile.sandbox.${outcome}`);
    default:
      return outcome;
  }
}
