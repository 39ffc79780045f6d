export const httpPort = Number(process.env.AQUA_E2E_PORT ?? 28080);
export const chainPort = Number(process.env.AQUA_E2E_CHAIN_PORT ?? 28545);
export const origin = `http://localhost:${httpPort}`;
export const chainUrl = `http://127.0.0.1:${chainPort}`;
