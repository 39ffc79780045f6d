import { callsOver, connection } from "../connection.ts";

/** The API of this instance, for what the wallet needs before anything else and for remembering transactions. */
export const walletApi = callsOver(connection);
