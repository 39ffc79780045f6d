import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

/** The places where the code shows a text whose key is written out. */
export interface Usage {
  /** Keys of the texts on buttons and on links that look like one. */
  buttons: ReadonlySet<string>;
  /** Keys of the names of fields and figures. */
  labels: ReadonlySet<string>;
  /** Placeholders that are filled with an amount without its unit, as `key name`. */
  bareAmounts: ReadonlySet<string>;
}

/** A node of the syntax tree, of which only a few fields are read. */
type Node = { type: string } & Record<string, unknown>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

/** The name of an identifier, of an element or of a property. */
function nameOf(node: unknown): unknown {
  return isNode(node) ? node.name : undefined;
}

/** Key and values of a call of `t` whose key is written out. */
function textOf(node: unknown): { key: string; values: unknown } | undefined {
  if (!isNode(node) || node.type !== "CallExpression" || nameOf(node.callee) !== "t") return undefined;
  const [key, values] = node.arguments as [Node | undefined, unknown];
  return typeof key?.value === "string" ? { key: key.value, values } : undefined;
}

/** The keys in an expression or in the branches of its condition, but not inside a nested element. */
function shown(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === "JSXExpressionContainer") return shown(node.expression);
  if (node.type === "ConditionalExpression") return [...shown(node.consequent), ...shown(node.alternate)];
  const text = textOf(node);
  return text === undefined ? [] : [text.key];
}

function contains(node: Node, name: string): boolean {
  return nameOf(node) === name || children(node).some((child) => contains(child, name));
}

function onButton(node: Node): string[] {
  if (node.type !== "JSXElement") return [];
  const { name, attributes } = node.openingElement as Node & { attributes: Node[] };
  const isButton =
    nameOf(name) === "Button" ||
    attributes.some((attribute) => nameOf(attribute.name) === "className" && contains(attribute, "buttonClasses"));
  return isButton ? (node.children as Node[]).flatMap(shown) : [];
}

function onLabel(node: Node): string[] {
  const name = node.type === "JSXAttribute" ? node.name : node.type === "Property" ? node.key : undefined;
  return nameOf(name) === "label" ? shown(node.value) : [];
}

function bareAmountsOf(node: Node): string[] {
  const text = textOf(node);
  const values = text?.values;
  if (text === undefined || !isNode(values) || values.type !== "ObjectExpression") return [];
  return (values.properties as Node[])
    .filter(({ value }) => isNode(value) && nameOf(value.callee) === "formatAmount")
    .map(({ key }) => `${text.key} ${nameOf(key)}`);
}

/** How each file below a folder uses its texts. */
export function usageIn(folder: string): Usage {
  const usage = { buttons: new Set<string>(), labels: new Set<string>(), bareAmounts: new Set<string>() };
  const visit = (node: Node) => {
    for (const key of onButton(node)) usage.buttons.add(key);
    for (const key of onLabel(node)) usage.labels.add(key);
    for (const amount of bareAmountsOf(node)) usage.bareAmounts.add(amount);
    children(node).forEach(visit);
  };
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name)))
    visit(parseSync(name, readFileSync(join(folder, name), "utf8")).program as unknown as Node);
  return usage;
}
