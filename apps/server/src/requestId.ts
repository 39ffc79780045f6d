import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<string | undefined>();

/** Id of the request whose work runs now, also in the jobs that the request created. Undefined in all other work. */
export const currentRequestId = (): string | undefined => storage.getStore();

/** Runs `work` as part of a request. `undefined` is for work that only happens to begin within one. */
export const withRequestId = <T>(id: string | undefined, work: () => T): T => storage.run(id, work);

/** Ids that callers may choose. In this form they are safe in a log, in a comment of SQL and in a header. */
export const isRequestId = (text: unknown): text is string =>
  typeof text === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(text);
