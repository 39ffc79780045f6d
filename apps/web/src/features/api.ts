import { callsOver, connection } from "../connection.ts";

/**
 * The client shared by pages and features. Failed calls throw the response's body, or null when there was no response.
 */
export const api = callsOver(connection);
