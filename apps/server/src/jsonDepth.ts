import { ApiError } from "./errors.ts";

/** The maximum depth of nested arrays and objects in a JSON body. The deepest body of any call has seven levels. */
export const JSON_DEPTH_MAX = 32;

/**
 * True if a JSON text is nested more deeply than a body may be. Check it before parsing: the functions that check, copy
 * and serialise the value recurse at each level and would exhaust the stack.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) return true;
    } else if (character === "]" || character === "}") depth -= 1;
  }
  return false;
}

/** The position of the closing quote, or the end of a text without one, which no parser accepts. */
function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

/** The error for a body that is nested too deeply. */
export function tooDeep(): ApiError {
  const message = `The body has more than ${JSON_DEPTH_MAX} arrays and objects within each other`;
  return new ApiError("validation_error", message);
}
