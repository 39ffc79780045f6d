import type { Notifications } from "@aqua/sdk/api/notices";
import type { Security } from "@aqua/sdk/api/security";
import { fireEvent, screen } from "@testing-library/react";
import { vi } from "vitest";

export interface Call {
  path: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

type Answer = { status?: number; body: unknown } | "unreachable";

/** Replaces fetch: answers API calls by path and records them. The entries of an array answer one call each. */
export function answerCalls(answers: Record<string, Answer | Answer[] | (() => Promise<Answer>)>): Call[] {
  const calls: Call[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const path = String(input).replace("/api/v2/", "").replace(/\?.*/, "");
    const body = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    calls.push({ path, body, headers: Object.fromEntries(new Headers(init?.headers)) });
    const found = answers[path] ?? (path === "network" ? data({ demo: false, chains: [] }) : undefined);
    const answer = typeof found === "function" ? await found() : Array.isArray(found) ? found.shift() : found;
    if (!answer) throw new Error(`No answer for ${path}`);
    if (answer === "unreachable") throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: { "content-type": "application/json" },
    });
  });
  return calls;
}

export const data = (value: unknown): { status?: number; body: unknown } => ({ body: { data: value } });

export function refusal(status: number, error_code: string, more: object = {}) {
  return { status, body: { error_code, message: "In English only", request_id: "r-1", ...more } };
}

export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

export function type(label: string, value: string) {
  fireEvent.change(field(label), { target: { value } });
}

/** Submits the form like Enter in a field. */
export function enter(label: string) {
  const { form } = field(label);
  if (!form) throw new Error(`${label} stands in no form`);
  fireEvent.submit(form);
}

/** A field's accessible description. */
export function note(label: string): string {
  const id = field(label).getAttribute("aria-describedby");
  return (id && document.getElementById(id)?.textContent) || "";
}

export const sent = (calls: Call[], path: string) => calls.filter((call) => call.path === path);

/** GET account/security of an account without a second factor, with the fields of `more`. */
export function security(more: Partial<Security> = {}): Security {
  return {
    confirmed_until: null,
    second_factor: false,
    passkeys_possible: true,
    passkeys: [],
    totp: null,
    recovery_codes: 0,
    pending_switch: null,
    ...more,
  };
}

/** GET account/notifications of an account that has only switched off the notices in `off`. */
export function notifications({ off = [], language = "fr-FR" }: Partial<{ off: string[]; language: string }> = {}) {
  const required = ["recoveries", "owner_acts", "losses"] as const;
  const optional = ["withdrawals", "maturities", "verification", "evidence", "income"] as const;
  return {
    language: language as Notifications["language"],
    kinds: [
      ...required.map((kind) => ({ kind, on: true, optional: false })),
      ...optional.map((kind) => ({ kind, on: kind !== "income" && !off.includes(kind), optional: true })),
    ],
  } satisfies Notifications;
}
