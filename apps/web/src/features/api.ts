import { callsOver, connection } from "../connection.ts";

/**
 * The client that pages and features share. A failed call throws the response's body, or null if there was no response.
 */
export const api = callsOver(connection);
