import { ApiError } from "./errors.ts";

/** Arrays and objects within each other in a JSON body. The deepest that any call takes has seven. */
export const JSON_DEPTH_MAX = 32;

/**
 * Whether a JSON text has more arrays and objects within each other than a body may have. To be asked before the text is
 * parsed: what checks, copies and writes the value calls itself at each level and would run out of stack.
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

/** The place of the closing quote, or the end of a text without one, which no parser takes. */
function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

/** The refusal of a body that is too deep. */
export function tooDeep(): ApiError {
  const message = `The body has more than ${JSON_DEPTH_MAX} arrays and objects within each other`;
  return new ApiError("validation_error", message);
}
