import { bigint, customType } from "drizzle-orm/pg-core";

/** `0x…`, lower case. */
export const hex = customType<{ data: `0x${string}`; driverData: string }>({ dataType: () => "text" });

/** Bytes. The embedded database returns a Uint8Array, the server a Buffer. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** Unix milliseconds. */
export const millis = (name: string) => bigint(name, { mode: "number" });
