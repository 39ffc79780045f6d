import { BaseError, HttpRequestError, TimeoutError } from "viem";

/** A node that refuses so few blocks refuses all. */
const MIN_BLOCKS = 100n;
/** Words with which nodes refuse so many blocks at a time, or what would be found in them: they have no code in common. */
const tooMuchPattern =
  /\branges?\b|\btoo (large|big|many|wide|much)\b|\bmore than\b|\bexceed|\blimited to\b|\bmax(imum)?\b/i;
/** Matches refusals with similar words for which fewer blocks would not help. */
const tooOftenPattern = /\brate\b|\bquota\b|\brequests?\b.*\b(count|limit|per|second)|too many requests|\bcredits?\b/i;
const CONTENT_TOO_LARGE = 413;
const BAD_REQUEST = 400;

/** Many nodes answer for some thousand blocks at a time only: as many are asked for as they give. Else throws at once. */
export async function inSpans<One>(from: bigint, to: bigint, ask: (from: bigint, to: bigint) => Promise<One[]>) {
  const found: One[] = [];
  let span = to - from + 1n;
  for (let start = from; start <= to; ) {
    const end = start + span - 1n < to ? start + span - 1n : to;
    try {
      found.push(...(await ask(start, end)));
      start = end + 1n;
    } catch (error) {
      if (!isTooMuch(error) || span < 2n * MIN_BLOCKS) throw error;
      span /= 2n;
    }
  }
  return found;
}

/** Whether a node has answered that it was asked for too much at once, and not that it is away or in trouble. */
function isTooMuch(error: unknown): boolean {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof TimeoutError)) return false;
  const refused = error.walk((cause) => cause instanceof HttpRequestError) as HttpRequestError | null;
  if (refused?.status === CONTENT_TOO_LARGE) return true;
  if (refused !== null && refused.status !== BAD_REQUEST) return false;
  return tooMuchPattern.test(error.details) && !tooOftenPattern.test(error.details);
}
