import type { DeskState } from "@aqua/sdk/api/desk";
import type { IdentityCaseDetail, IdentityCaseLine, OperatorStatus } from "@aqua/sdk/api/operator";
import type { IncomeNext } from "@aqua/sdk/api/telemetry";
import type { AuditSummary } from "@aqua/sdk/api/transparency";
import { demandLiquidity, now, summary, timeLiquidity } from "../figures/fixtures.ts";
import { aFleet } from "../figures/fleet.ts";
import { list } from "../page-harness.tsx";
import { aDevice } from "../readings/fixtures.ts";

/** A text that a person or an operator wrote to break the page. */
export const hostile = `<img src=x onerror=alert(1)> \u202Egnp.exe '; rm -rf / #`;

export const state = (parts: Partial<DeskState> = {}): DeskState => ({
  name: "ada",
  scopes: ["identity", "operations", "read"],
  expires_at: now + 36_000_000,
  signs: false,
  four_eyes: [],
  ...parts,
});

export const line = (parts: Partial<IdentityCaseLine> = {}): IdentityCaseLine => ({
  id: "case-1",
  status: "pending",
  provider: "manual",
  email: "eve@example.com",
  country: "SN",
  document_kind: "passport",
  submitted_at: now,
  decided_at: null,
  valid_until: null,
  reason: null,
  ...parts,
});

export const detail = (parts: Partial<IdentityCaseDetail> = {}): IdentityCaseDetail => ({
  ...line(),
  name: "Eve Adams",
  birth_date: "1990-02-03",
  document: { type: "image/png", size: 70_000 },
  wallets: [],
  ...parts,
});

export const status = (parts: Partial<OperatorStatus> = {}): OperatorStatus => ({
  time: now,
  instances: [],
  leaders: [],
  chains: [],
  degraded: [],
  jobs: [],
  troubled_jobs: [],
  anchoring: [],
  keys: [],
  ...parts,
});

export const troubledJob = {
  id: 7,
  kind: "mail.send",
  state: "abandoned",
  tries: 12,
  reason: "550 mailbox full",
  request_id: null,
  created_at: now,
  at: now,
} as const satisfies OperatorStatus["troubled_jobs"][number];

export const income = (parts: Partial<IncomeNext> = {}): IncomeNext => ({
  short_id: "solar",
  from: now - 1_000,
  to: now,
  metric: null,
  devices: [],
  counted: null,
  proceeds: null,
  expected: "12.500000",
  assets: "100.000000",
  most: "20.000000",
  anchor: null,
  verdict: "ready",
  ...parts,
});

export const audit = (parts: Partial<AuditSummary> = {}): AuditSummary => ({
  chains: [{ chain_id: 31337, block: 5, time: now, whole: null, open: 0 }],
  log: null,
  findings: [],
  ...parts,
});

const body = (value: unknown) => ({ body: { data: value } });

/** The answers of a site at work; each can be replaced. Longer paths come first, because a prefix is enough. */
export const answers = () => ({
  "operator/desk/login/options": body({ challenge: "c-1" }),
  "operator/desk/login": body({ token: "desk_1", expires_at: now, name: "ada", scopes: [] }),
  "operator/desk/logout": body({ ended: true }),
  "operator/desk": body(state()),
  "operator/identity/case-1/approve": body(detail({ status: "verified" })),
  "operator/identity/case-1/reject": body(detail({ status: "rejected" })),
  "operator/identity/case-1": body(detail()),
  "operator/identity": list([line()]),
  "operator/jobs/retry": body({ retried: 1 }),
  "operator/status": body(status()),
  "transparency/summary": body(summary()),
  "transparency/devices": body(aFleet({ feeds: aFleet().feeds.slice(0, 1) })),
  "transparency/audit": body(audit()),
  "product/solar/income/next": body(income()),
  "product/solar/liquidity": body(demandLiquidity()),
  "product/term/liquidity": body(timeLiquidity()),
  "product/": body([aDevice(), aDevice({ name: "meter-2", status: "offline" })]),
});
