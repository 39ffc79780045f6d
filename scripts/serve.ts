/**
 * `npm run serve`: runs the server alone from its sources, with the chains of RPC_URL_<chainId> and the database of
 * DATABASE_URL. In production `node dist/server.js` runs what `npm run build` made.
 */
import "../apps/server/src/main.ts";
