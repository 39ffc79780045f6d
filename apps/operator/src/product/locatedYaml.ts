import { isMap, isPair, isScalar, isSeq, type Node, visit } from "yaml";
import { parseYaml } from "../yamlDocument.ts";

export interface LocatedYaml {
  value: unknown;
  /** The line (from 1) of the field at a path. For a missing field, the line of the field that should have it. */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * Parses YAML 1.2 and records the lines of its fields.
 * @param decimals fields whose number is read as it is written, because a number of JavaScript would round it
 * @throws CommandError that names the file and the line of the first fault
 */
export function parseLocatedYaml(path: string, text: string, decimals: ReadonlySet<string>): LocatedYaml {
  const { document, lineAt } = parseYaml(path, text);
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isScalar(value) || !decimals.has(String(key.value))) return;
      if (typeof value.value === "number" && value.source !== undefined) value.value = value.source;
    },
  });

  function startOf(path: readonly PropertyKey[]): number {
    let node: unknown = document.contents;
    let start = document.contents?.range?.[0] ?? 0;
    for (const part of path) {
      const item = isMap(node)
        ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
        : isSeq(node)
          ? node.items[Number(part)]
          : undefined;
      if (item === undefined || item === null) break;
      const [place, content] = isPair(item) ? [item.key as Node, item.value] : [item as Node, item];
      start = place.range?.[0] ?? start;
      node = content;
    }
    return start;
  }
  return { value: document.toJS(), lineOf: (path) => lineAt(startOf(path)) };
}
