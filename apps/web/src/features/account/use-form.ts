import { type FormEvent, useEffect, useRef, useState } from "react";
import { failureText, type LazyText, type Meanings, namedFields } from "./failure.ts";

export type Problems<Name extends string> = Partial<Record<Name, LazyText>>;

interface FormOptions<Name extends string> {
  initial: Record<Name, string>;
  /** Validates before anything is sent. */
  check: (values: Record<Name, string>) => Problems<Name>;
  /** Sends the values. The form shows an error and preserves its values. */
  send: (values: Record<Name, string>) => Promise<void>;
  /** This form's own texts for error codes. */
  meanings?: Meanings;
  /** Maps an error to the fields it concerns. */
  problemsOf?: (error: unknown) => Problems<NoInfer<Name>>;
}

/**
 * A small form: values, problems beside their fields, one failure for the whole form, and focus on the first invalid
 * field.
 */
export function useForm<Name extends string>(options: FormOptions<Name>) {
  const [values, setValues] = useState(options.initial);
  const [problems, setProblems] = useState<Problems<Name>>({});
  const [failure, setFailure] = useState<LazyText | null>(null);
  const [busy, setBusy] = useState(false);
  /** Counts rejected attempts, so that the same field gets focus again at the next one. */
  const [refusals, setRefusals] = useState(0);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);

  function refuse(next: Problems<Name>, text: LazyText | null) {
    setProblems(next);
    setFailure(() => text);
    setRefusals((count) => count + 1);
  }

  async function submit(sent: Record<Name, string> = values) {
    if (busy) return;
    const wrong = options.check(sent);
    if (Object.keys(wrong).length > 0) return refuse(wrong, null);
    setProblems({});
    setFailure(null);
    setBusy(true);
    try {
      await options.send(sent);
    } catch (error) {
      const fieldProblems = { ...fieldsOf(error, sent), ...options.problemsOf?.(error) };
      refuse(fieldProblems, Object.keys(fieldProblems).length > 0 ? null : failureText(error, options.meanings));
    } finally {
      setBusy(false);
    }
  }

  function set(name: Name, value: string) {
    setValues((previous) => ({ ...previous, [name]: value }));
    // An edited field is no longer marked as invalid.
    check(name, null);
  }

  /** Sets or clears the problem of one field before the form is sent. */
  function check(name: Name, problem: LazyText | null) {
    setProblems(({ [name]: _, ...others }) => ({ ...others, ...(problem && { [name]: problem }) }) as Problems<Name>);
  }

  return {
    values,
    set,
    check,
    busy,
    submit,
    failure: failure?.() ?? null,
    form: {
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        const filled = withFilled(values, form.current);
        setValues(filled);
        void submit(filled);
      },
    },
    /** Props of a field. */
    field: (name: Name) => ({ name, value: values[name], error: problems[name]?.() ?? null }),
    /** Props of a text field, whose onChange receives an event. */
    text: (name: Name) => ({
      name,
      value: values[name],
      error: problems[name]?.() ?? null,
      onChange: (event: { target: { value: string } }) => set(name, event.target.value),
    }),
  };
}

/** The values, completed with those that a password manager or extension wrote into empty fields without an event. */
function withFilled<Name extends string>(values: Record<Name, string>, form: HTMLFormElement | null) {
  const filled = { ...values };
  for (const name of Object.keys(values) as Name[]) {
    const field = form?.elements.namedItem(name);
    if (values[name] !== "" || !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    if (field.type !== "checkbox") filled[name] = field.value;
  }
  return filled;
}

/** The fields of this form that the server's error names. */
function fieldsOf<Name extends string>(error: unknown, values: Record<Name, string>): Problems<Name> {
  const problems: Problems<Name> = {};
  for (const [path, problem] of namedFields(error)) if (path in values) problems[path as Name] = problem;
  return problems;
}
