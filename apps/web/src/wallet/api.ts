import { callsOver, connection } from "../connection.ts";

/** This instance's API for the wallet code: what it needs first, and storing transactions. */
export const walletApi = callsOver(connection);
