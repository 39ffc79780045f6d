import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createConfig, http, mock } from "wagmi";
import { getAccount } from "wagmi/actions";
import { mainnet } from "wagmi/chains";
import { reportError } from "../../src/report-error.ts";
import { reconnectRecent } from "../../src/wallet/island/sync.ts";
import { getWallet, setWallet } from "../../src/wallet/store.ts";

vi.mock("../../src/report-error.ts");

beforeEach(() => {
  localStorage.setItem("wagmi.recentConnectorId", JSON.stringify("mock"));
  setWallet({ status: "reconnecting", address: null, chainId: null });
});
afterEach(() => localStorage.clear());

it("reports a wallet that cannot be restored, and leaves the visitor disconnected", async () => {
  const config = createConfig({
    chains: [mainnet],
    transports: { [mainnet.id]: http("http://localhost/rpc/1") },
    connectors: [mock({ accounts: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"] })],
  });
  const failure = new Error("the wallet is out of order");
  for (const connector of config.connectors) vi.spyOn(connector, "isAuthorized").mockRejectedValue(failure);
  await reconnectRecent(config);
  expect(reportError).toHaveBeenCalledWith("wallet", failure);
  expect(getAccount(config).status).toBe("disconnected");
  expect(getWallet()).toMatchObject({ status: "disconnected", address: null });
});
