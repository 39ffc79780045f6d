import { readFileSync } from "node:fs";

/** Values of Grafana's variables. */
const variables = { $__rate_interval: "5m", $job: "aqua" };

/** The expressions of a Grafana dashboard as a rule file, because `promtool` checks expressions only there. */
export function rulesOf(dashboard: string): string {
  const exprs = [...readFileSync(dashboard, "utf8").matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
    Object.entries(variables).reduce((expr: string, [name, value]) => expr.replaceAll(name, value), JSON.parse(text)),
  );
  const rules = exprs.map((expr, index) => ({ record: `panel:${index}`, expr }));
  // JSON is YAML.
  return JSON.stringify({ groups: [{ name: "dashboard", rules }] });
}
