export const httpPort = 28080;
export const chainPort = 28545;
export const origin = `http://localhost:${httpPort}`;
export const chainUrl = `http://127.0.0.1:${chainPort}`;
