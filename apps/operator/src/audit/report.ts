import { type Figure, type Finding, withoutPlaces } from "@aqua/sdk/audit/compare";
import { uncomparedBy } from "@aqua/sdk/audit/uncompared";
import type { Terminal } from "../terminal.ts";
import type { BlockFinding, Checked } from "./check.ts";

/** Prints the parts of an audit while it runs. */
export interface Reporter {
  /** The chain was read up to this block. */
  read(chainId: number, block: number): void;
  part(name: string, checked: Checked): void;
  /** Prints the sum and returns the number of findings. */
  end(): number;
}

const plain = (figure: Figure | undefined) => (figure === undefined ? "nothing" : String(figure));
/** A finding on one line. */
export const findingText = ({ path, expected, found }: Finding) =>
  `${path}: expected ${plain(expected)}, found ${plain(found)}`;
const inWords = (finding: BlockFinding) => `  ${findingText(finding)}, block ${finding.block}`;
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export function createReporter({ out }: Pick<Terminal, "out">, json: boolean): Reporter {
  let [figures, findings] = [0, 0];
  const unknown = new Set<string>();
  const line = (value: object) => out(`${JSON.stringify(value)}\n`);

  return {
    read(chainId, block) {
      if (json) line({ chain_id: chainId, block });
      else out(`chain ${chainId}: read up to block ${block}\n`);
    },
    part(name, checked) {
      figures += checked.count;
      findings += checked.findings.length;
      for (const path of checked.rest) {
        if (uncomparedBy(path) === null) unknown.add(path);
      }
      if (json) {
        line({ part: name, figures: checked.count, findings: checked.findings });
        return;
      }
      const { length } = checked.findings;
      const result = length === 0 ? "equal" : `compared, ${counted(length, "finding", "findings")}`;
      out(`${name}: ${counted(checked.count, "figure", "figures")} ${result}\n`);
      out(findingsInWords(checked.findings));
    },
    end() {
      if (json) {
        line({ figures, findings, unknown: [...unknown] });
        return findings;
      }
      if (unknown.size > 0) out(`Not compared, because this version does not know them: ${[...unknown].join(", ")}\n`);
      out(`${counted(figures, "figure", "figures")} compared, ${counted(findings, "finding", "findings")}\n`);
      return findings;
    },
  };
}

/** For each field its first finding, and in how many places it differs. */
function findingsInWords(findings: readonly BlockFinding[]): string {
  const fields = new Map<string, { first: BlockFinding; count: number }>();
  for (const finding of findings) {
    const field = withoutPlaces(finding.path);
    const { first, count } = fields.get(field) ?? { first: finding, count: 0 };
    fields.set(field, { first, count: count + 1 });
  }
  return [...fields.values()]
    .map(({ first, count }) => `${inWords(first)}${count === 1 ? "" : `, and ${count - 1} more of this field`}\n`)
    .join("");
}
