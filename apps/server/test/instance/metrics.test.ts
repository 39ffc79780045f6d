import { readFileSync } from "node:fs";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { roleKey } from "../../../../devnet/src/accounts.ts";
import { readConfig } from "../../src/config.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { createServerDatabase } from "../support/databases.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");

let local: LocalChain;
let instance: Instance;
let scraped: string;

beforeAll(async () => {
  local = await openLocalChain();
  const settings = { ...local.environment, ANCHORER_PRIVATE_KEY: roleKey("anchorer"), MQTT_PORT: "0" };
  const config = readConfig({ ...settings, DATABASE_URL: await createServerDatabase(), SECRET_KEY: "5e".repeat(32) });
  instance = await startInstance(config, pino({ level: "silent" }));
  await vi.waitFor(
    async () => {
      scraped = await (await fetch(`${instance.url}/metrics`)).text();
      expect(scraped).toContain('aqua_indexer_live{chain_id="31337"} 1\n');
      // The first scrape asks the node for the keys' figures.
      expect(scraped).toContain('aqua_key_transactions_left{chain_id="31337",key="anchorer"}');
      expect(scraped).toContain('aqua_instances{role="jobs"} 1\n');
    },
    { timeout: 20_000, interval: 200 },
  );
});
afterAll(async () => {
  await instance?.stop();
  await local?.remove();
});

/** The types of all metrics of the scrape by name. */
const typesIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
/** Names in an expression, without the suffixes of the series of a histogram. */
const namesIn = (text: string) =>
  [...text.matchAll(/\b(?:aqua|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ""));

describe("the metrics of an instance", () => {
  it("are those of docs/operators/observing.md, with their types", () => {
    const ofDocs = [...read("docs/operators/observing.md").matchAll(/^\| `(aqua_\w+)[^|]*\| (\w+) \|/gm)];
    const ours = Object.entries(typesIn(scraped)).filter(([name]) => name.startsWith("aqua_"));
    expect(Object.fromEntries(ofDocs.map(([, name, type]) => [name, type]))).toEqual(Object.fromEntries(ours));
  });

  it.each(["dashboard.json", "alerts.yml"])("include every metric that %s names", (file) => {
    const names = new Set(namesIn(read(`deploy/observability/${file}`)));
    expect(names.size).toBeGreaterThan(10);
    expect([...names].filter((name) => !(name in typesIn(scraped)))).toEqual([]);
  });

  it("have an alert only with a test in which it is raised and two in which it is not", () => {
    const names = (file: string, pattern: RegExp) =>
      [...read(`deploy/observability/${file}`).matchAll(pattern)].map(([, name]) => name);
    const alerts = names("alerts.yml", /- alert: (\w+)/g);
    expect(names("alerts.test.yml", /alertname: (\w+), exp_alerts/g)).toEqual(alerts);
    expect(names("alerts.test.yml", /alertname: (\w+) \}/g)).toEqual([...alerts, ...alerts]);
  });

  it("have the figures of a working instance", () => {
    for (const line of [
      "aqua_database_answers 1",
      'aqua_leader{work="chain 31337"} 1',
      'aqua_indexer_lag_blocks{chain_id="31337"} 0',
      "aqua_mqtt_connected 1",
      'aqua_jobs{kind="sweep",state="failing"} 0',
      "aqua_event_streams 0",
      `aqua_rpc_errors_total{chain_id="31337",host="${new URL(local.chain.url).host}",caller="server"} 0`,
    ])
      expect(scraped).toContain(`${line}\n`);
  });
});
