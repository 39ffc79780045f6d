import { callsOver, connection } from "../connection.ts";

/** The one client of pages and features. Failed calls throw the response's body, or null when nothing answered. */
export const api = callsOver(connection);
