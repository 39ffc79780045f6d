// What can be changed in a Solidity source so that a test should notice: one small change is a mutation. They are found
// in the compiler's own syntax tree, so that none lies in a comment, a type or a name.

const RELATIONAL = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "==": ["!="],
  "!=": ["=="],
};
const ARITHMETIC = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
};
const ASSIGNMENT = {
  "+=": ["-=", "="],
  "-=": ["+=", "="],
  "*=": ["/="],
  "/=": ["*="],
  "|=": ["&=", "="],
  "&=": ["|=", "="],
};
const LOGICAL = { "&&": "||", "||": "&&" };
/** Names of functions, and of OpenZeppelin's directions of rounding. */
const SWAPPED_NAMES = { min: "max", max: "min", Floor: "Ceil", Ceil: "Floor" };
const SWAPPED_YUL = {
  ...{ add: "sub", sub: "add", mul: "div", div: "mul", and: "or", or: "and" },
  ...{ shl: "shr", shr: "shl", lt: "gt", gt: "lt" },
};
/** Declarations without code, and types. */
const NO_CODE = new Set([
  ...["PragmaDirective", "ImportDirective", "UsingForDirective", "StructuredDocumentation", "InheritanceSpecifier"],
  ...["StructDefinition", "EnumDefinition", "EventDefinition", "ErrorDefinition", "OverrideSpecifier"],
  ...["ElementaryTypeName", "UserDefinedTypeName", "ArrayTypeName", "Mapping", "ParameterList"],
]);
const STATEMENTS = new Set(["ExpressionStatement", "EmitStatement", "RevertStatement", "Return", "Break", "Continue"]);

const isNode = (value) => value !== null && typeof value === "object" && typeof value.nodeType === "string";

/**
 * Every mutation of a source.
 * @param {{ file: string, text: string, ast: object }} source `ast` as the compiler gives it for `text`
 * @returns {{ id: string, file: string, line: number, operator: string, start: number, length: number, text: string }[]}
 *   `text` takes the place of `length` bytes from `start`; `id` names file, function and the lines before and after, so
 *   that it outlives changes elsewhere in the file
 */
export function mutationsOf({ file, text, ast }) {
  const bytes = Buffer.from(text);
  const found = [];
  walk(ast, { bytes, where: "", add: (mutation) => found.push({ file, ...mutation }) });
  const seen = new Map();
  return found.map(({ where, ...mutation }) => {
    const { was, is } = linesOf(bytes, mutation);
    const name = `${file} ${where}: ${was} → ${is || "(deleted)"}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const line = bytes.subarray(0, mutation.start).toString().split("\n").length;
    return { id: count === 1 ? name : `${name} #${count}`, line, ...mutation };
  });
}

/** The source with a mutation applied. */
export function mutated(text, { start, length, text: replacement }) {
  const bytes = Buffer.from(text);
  return `${bytes.subarray(0, start)}${replacement}${bytes.subarray(start + length)}`;
}

/** The whole lines a mutation touches, before and after it, without their indentation. */
function linesOf(bytes, { start, length, text }) {
  const from = bytes.lastIndexOf("\n", start - 1) + 1;
  const next = bytes.indexOf("\n", start + length);
  const to = next < 0 ? bytes.length : next;
  const tidy = (line) => line.replace(/\s+/g, " ").trim();
  return {
    was: tidy(bytes.toString("utf8", from, to)),
    is: tidy(`${bytes.subarray(from, start)}${text}${bytes.subarray(start + length, to)}`),
  };
}

function walk(node, context) {
  const { nodeType } = node;
  if (NO_CODE.has(nodeType)) return;
  const isFunction = nodeType === "FunctionDefinition" || nodeType === "ModifierDefinition";
  const inside = isFunction ? { ...context, where: node.name || node.kind } : context;
  const add = (part, operator, replacement) => {
    const [start, length] = Array.isArray(part) ? part : rangeOf(part);
    const changed = context.bytes.toString("utf8", start, start + length) !== replacement;
    if (changed) inside.add({ where: inside.where, operator, start, length, text: replacement });
  };
  mutate(node, { add, bytes: context.bytes });
  for (const [key, value] of Object.entries(node)) {
    // Without its step a loop does not end, which says nothing about the tests.
    if (nodeType === "ForStatement" && key === "loopExpression") continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, inside);
  }
}

/** Adds the mutations of one node; those of the nodes inside it are added with them. */
function mutate(node, { add, bytes }) {
  const textOf = (part) => bytes.toString("utf8", ...ends(part));
  const condition = (part) => {
    add(part, "condition", "true");
    add(part, "condition", "false");
  };
  if (STATEMENTS.has(node.nodeType)) add(withSemicolon(node, bytes), "statement deleted", "{}");
  switch (node.nodeType) {
    case "BinaryOperation": {
      const { operator, leftExpression: left, rightExpression: right } = node;
      const place = operatorBetween(bytes, node);
      for (const other of RELATIONAL[operator] ?? []) add(place, "relation", other);
      for (const other of ARITHMETIC[operator] ?? []) add(place, "arithmetic", other);
      if (Object.hasOwn(LOGICAL, operator)) {
        add(place, "logic", LOGICAL[operator]);
        add(node, "operand deleted", textOf(left));
        add(node, "operand deleted", textOf(right));
      }
      return;
    }
    case "Assignment": {
      const sides = { leftExpression: node.leftHandSide, rightExpression: node.rightHandSide, operator: node.operator };
      for (const other of ASSIGNMENT[node.operator] ?? []) add(operatorBetween(bytes, sides), "assignment", other);
      return;
    }
    case "UnaryOperation":
      if (node.operator === "++" || node.operator === "--") {
        const other = node.operator === "++" ? "--" : "++";
        add(
          node,
          "increment",
          node.prefix ? `${other}${textOf(node.subExpression)}` : `${textOf(node.subExpression)}${other}`,
        );
      } else if (node.operator !== "delete") add(node, "sign", textOf(node.subExpression));
      return;
    case "Literal":
      if (node.kind === "bool") add(node, "constant", node.value === "true" ? "false" : "true");
      if (node.kind === "number" && !/^0x[0-9a-f]{40}$/i.test(node.value)) {
        add(node, "constant", `(${textOf(node)} + 1)`);
        if (textOf(node) !== "0") add(node, "constant", `(${textOf(node)} - 1)`);
      }
      return;
    case "Conditional":
      condition(node.condition);
      add(
        node,
        "branches swapped",
        `${textOf(node.condition)} ? ${textOf(node.falseExpression)} : ${textOf(node.trueExpression)}`,
      );
      return;
    case "IfStatement":
      return condition(node.condition);
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForStatement":
      // A loop that never ends says nothing about the tests.
      if (node.condition) add(node.condition, "condition", "false");
      return;
    case "FunctionCall": {
      const name = node.expression.name;
      if (name === "require" || name === "assert") condition(node.arguments[0]);
      if (node.expression.nodeType === "Identifier" && Object.hasOwn(SWAPPED_NAMES, name)) {
        add(node.expression, "min and max", SWAPPED_NAMES[name]);
      }
      return;
    }
    case "MemberAccess":
      if (Object.hasOwn(SWAPPED_NAMES, node.memberName) && !isBoundOfType(node)) {
        const [, end] = ends(node);
        const { length } = node.memberName;
        add([end - length, length], length === 3 ? "min and max" : "rounding", SWAPPED_NAMES[node.memberName]);
      }
      return;
    case "FunctionDefinition":
      for (const modifier of node.modifiers) {
        if (modifier.kind !== "baseConstructorSpecifier") add(modifier, "modifier deleted", "");
      }
      return;
    case "InlineAssembly":
      mutateYul(node.AST, add);
      return;
  }
}

function mutateYul(node, add) {
  if (node.nodeType === "YulFunctionCall" && Object.hasOwn(SWAPPED_YUL, node.functionName.name)) {
    add(node.functionName, "assembly", SWAPPED_YUL[node.functionName.name]);
  }
  if (node.nodeType === "YulLiteral" && node.kind === "number") {
    add(node, "assembly", String(BigInt(node.value) + 1n));
    if (BigInt(node.value) > 0n) add(node, "assembly", String(BigInt(node.value) - 1n));
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) mutateYul(child, add);
  }
}

/** `type(uint256).max` and the like, which has no function of the other name. */
const isBoundOfType = ({ expression }) =>
  expression.nodeType === "FunctionCall" && expression.expression.name === "type";

function rangeOf({ src }) {
  const [start, length] = src.split(":").map(Number);
  return [start, length];
}

function ends(node) {
  const [start, length] = rangeOf(node);
  return [start, start + length];
}

/** A statement's range with the semicolon after it, which the compiler leaves out. */
function withSemicolon(node, bytes) {
  const [start, end] = ends(node);
  const rest = bytes.toString("utf8", end, end + 80);
  const after = /^\s*;/.exec(rest)?.[0].length ?? 0;
  return [start, end - start + after];
}

/** Where the operator stands between its two sides, outside of comments and brackets there. */
function operatorBetween(bytes, { leftExpression, rightExpression, operator }) {
  const [, from] = ends(leftExpression);
  const [to] = ends(rightExpression);
  const gap = bytes
    .toString("latin1", from, to)
    .replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, (comment) => " ".repeat(comment.length));
  return [from + gap.indexOf(operator), operator.length];
}

/**
 * The outcomes by id, in the order of `ids`. Of mutants with the same bytecode one was tested; its outcome is that of the
 * first of them, whichever a worker came to first, and the others are duplicates.
 * @param {Map<string, { outcome: string, hash?: string }>} results
 */
export function outcomesOf(ids, results) {
  const tested = [...results.values()].filter(({ hash, outcome }) => hash !== undefined && outcome !== "duplicate");
  const ofHash = new Map(tested.map(({ hash, outcome }) => [hash, outcome]));
  const seen = new Set();
  return new Map(
    ids.map((id) => {
      const { outcome, hash } = results.get(id);
      if (hash === undefined) return [id, outcome];
      if (seen.has(hash)) return [id, "duplicate"];
      seen.add(hash);
      return [id, ofHash.get(hash)];
    }),
  );
}

/**
 * What a run came to.
 * @param {{ outcomes: Map<string, string>, listed: { mutant: string, reason: string }[], complete: boolean }} run
 *   outcomes by id; `complete` when every mutant was run, so that a listed one which is not among them is out of date
 */
export function judge({ outcomes, listed, complete }) {
  const reasons = new Map(listed.map(({ mutant, reason }) => [mutant, reason]));
  const of = (wanted) => [...outcomes].filter(([, outcome]) => outcome === wanted).map(([id]) => id);
  const [killed, survivors] = [of("killed"), of("survived")];
  const unlisted = survivors.filter((id) => !reasons.has(id));
  const counts = {
    killed: killed.length,
    survived: unlisted.length,
    equivalent: survivors.length - unlisted.length + of("same bytecode").length,
    "does not compile": of("does not compile").length,
    duplicate: of("duplicate").length,
  };
  const score = killed.length / Math.max(1, killed.length + unlisted.length);
  const problems = [
    ...unlisted.map((id) => `survived: ${id}`),
    ...killed.filter((id) => reasons.has(id)).map((id) => `listed as equivalent, but killed: ${id}`),
    ...listed
      .filter(({ mutant }) => complete && !outcomes.has(mutant))
      .map(({ mutant }) => `listed, but not there: ${mutant}`),
    ...listed.filter(({ reason }) => !reason).map(({ mutant }) => `listed without a reason: ${mutant}`),
    ...(score < LEAST_SCORE ? [`${(score * 100).toFixed(1)} % killed, fewer than ${LEAST_SCORE * 100} %`] : []),
  ];
  return { counts, score, problems };
}

/** The part of the mutants that are not equivalent which tests must notice. */
const LEAST_SCORE = 0.98;

/** `count` of `items`, the same for the same seed. */
export function sampleOf(items, { count, seed }) {
  // mulberry32
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item);
}
