import type { catalog } from "./en-US.ts";

/** Every key of the English catalog, the one the others are measured against. */
export type MessageKey = keyof typeof catalog;
