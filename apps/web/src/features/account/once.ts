/**
 * Creates idempotency keys. The same body gets the same Idempotency-Key, so a retry after a lost response repeats the
 * first call. Another body gets another key.
 */
export function createOnce(): (body: unknown) => string {
  let last = { body: "", key: "" };
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.body) last = { body: text, key: randomKey() };
    return last.key;
  };
}

/** 128 random bits; crypto.randomUUID exists only in secure contexts. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
