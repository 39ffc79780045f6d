import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { statement } from "../db/statement.ts";
import { ApiError } from "../errors.ts";

/** A stored row that the audit found to differ and that is not right again. Null: the finding names none. */
interface OpenFinding {
  table: string;
  /** Short id of the product. */
  product: string | null;
  /** In lower case. */
  wallet: string | null;
  device: string | null;
}

/** What an answer is about. Findings about other products, wallets and devices do not concern it. */
interface Subject {
  /** Short id. */
  product?: string | undefined;
  wallets?: readonly string[];
  device?: string | undefined;
  /** True: only findings that name one of `wallets`. */
  isNamed?: boolean;
}

/**
 * The tables that figures are computed from. A finding in one of them withholds the figures: a row that differs makes
 * every sum, price and estimate over it wrong.
 */
export const figuresFrom = {
  /** The state of a product: its amounts, its price and what they were at any time. */
  accounts: ["product", "product_state", "vault_state", "term_state", "term"],
  /** Live receipts are a part of a time deposit's total assets. */
  receipts: ["receipt"],
  reports: ["report", "privileged_act"],
  /** Deposits, withdrawals and the queue of a product. */
  flows: ["movement", "queue_place", "queue_batch", "receipt"],
  movements: ["movement"],
  /** What one wallet has, and what it did. */
  wallet: ["position", "movement", "queue_place", "queue_batch", "receipt", "identity_record"],
  acts: ["privileged_act"],
  readings: ["reading", "reading_bucket", "device_head", "device", "device_interval", "declared_loss"],
  batches: ["anchor", "kept_head", "telemetry_batch", "telemetry_batch_part"],
  keys: ["device_key"],
} as const satisfies Record<string, readonly string[]>;
export type FigureSource = keyof typeof figuresFrom;

/** The open findings at one moment. */
export interface Withheld {
  /** Whether a finding concerns figures of the subject that are computed from these sources. */
  concerns(sources: readonly FigureSource[], subject: Subject): boolean;
  /** @throws ApiError `figures_withheld` if a finding concerns them. `what` names the answer: "The statement" */
  demand(what: string, sources: readonly FigureSource[], subject: Subject): void;
}

export interface OpenFindings {
  /** Returns the findings as they were at most a second ago. */
  read(): Promise<Withheld>;
  /** Changes whenever the open findings do. It is part of the version of cached answers of this process. */
  version(): Promise<string>;
}

/** The findings as they were read last. */
interface Known {
  text: string;
  /** Milliseconds of the process's clock. */
  at: number;
  changes: number;
  withheld: Withheld;
}

/** A finding is found up to a minute after the change, so a second adds little, and one query a second costs little. */
const MAX_AGE_MS = 1_000;

/**
 * The short id is read from the product's row. If that row is missing or differs, no product has the address, and the
 * finding concerns all products.
 */
const openFindings = statement<Record<string, never>, OpenFinding>(
  "open_findings",
  sql`select f."table", f.wallet, f.device,
        (select p.short_id from product p where p.chain_id = f.chain_id and lower(p.address) = lower(f.product) limit 1) as product
      from audit_finding f where f.healed is null order by f.id`,
);

/** Reads the open findings of the audit for the features whose figures depend on the rows. */
export function createOpenFindings(
  { orm }: Pick<Database, "orm">,
  { maxAgeMs = MAX_AGE_MS }: { maxAgeMs?: number } = {},
): OpenFindings {
  let known: Known | null = null;
  let reading: Promise<Known> | null = null;

  async function refresh(): Promise<Known> {
    const at = performance.now();
    const found = await openFindings(orm, {});
    const text = JSON.stringify(found);
    const next: Known =
      known?.text === text
        ? { ...known, at }
        : { text, at, changes: (known?.changes ?? 0) + 1, withheld: withheldBy(found) };
    known = next;
    return next;
  }

  async function current(): Promise<Known> {
    if (known !== null && performance.now() - known.at < maxAgeMs) return known;
    reading ??= refresh().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    read: async () => (await current()).withheld,
    // Counted, so that an answer from between two equal states has another version.
    version: async () => String((await current()).changes),
  };
}

function withheldBy(findings: readonly OpenFinding[]): Withheld {
  function concerns(sources: readonly FigureSource[], { product, wallets, device, isNamed }: Subject): boolean {
    if (findings.length === 0) return false;
    const tables = new Set<string>(sources.flatMap((source) => figuresFrom[source]));
    const of = wallets?.map((wallet) => wallet.toLowerCase());
    const is = (named: string | null, asked: readonly string[] | undefined) =>
      named === null || asked === undefined || asked.includes(named.toLowerCase());
    return findings.some(
      (finding) =>
        tables.has(finding.table) &&
        !(isNamed && finding.wallet === null) &&
        is(finding.product, product === undefined ? undefined : [product]) &&
        is(finding.wallet, of) &&
        is(finding.device, device === undefined ? undefined : [device]),
    );
  }
  return {
    concerns,
    demand(what, sources, subject) {
      if (!concerns(sources, subject)) return;
      const message = `${what} is withheld: the audit found a stored row that differs from its source. GET /api/v2/transparency/audit lists it. Withdrawing, collecting and vetoing read the chain and work as always.`;
      throw new ApiError("figures_withheld", message);
    },
  };
}
