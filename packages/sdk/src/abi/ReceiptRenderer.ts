// Generated from contracts/ by contracts/scripts/build.mjs. Do not edit.
export const receiptRendererAbi = [
  {"type":"function","name":"contractURI","inputs":[{"name":"product","type":"address"}],"outputs":[{"name":"","type":"string"}],"stateMutability":"view"},
  {"type":"function","name":"tokenURI","inputs":[{"name":"product","type":"address"},{"name":"id","type":"uint256"}],"outputs":[{"name":"","type":"string"}],"stateMutability":"view"},
  {"type":"error","name":"UnknownReceipt","inputs":[{"name":"id","type":"uint256"}]},
] as const;
