import { afterEach, expect, it, vi } from "vitest";
import { createConfig, http } from "wagmi";
import { mainnet } from "wagmi/chains";
import { filterAnnouncements } from "../../src/wallet/connect/announcements.ts";
import { inPageWallet } from "../../src/wallet/connect/in-page.ts";
import { withStandardErrors } from "../../src/wallet/connect/provider-errors.ts";

const announced = "eip6963:announceProvider";
const icon = "data:image/svg+xml;base64,PHN2Zy8+";
const wallet = (rdns: string) => ({
  info: { uuid: rdns, name: rdns, icon, rdns },
  provider: { request: vi.fn(async () => null), on() {}, removeListener() {} },
});

const listeners: (() => void)[] = [];
function announceAll(details: unknown[]) {
  for (const detail of details) {
    const announce = () => window.dispatchEvent(new CustomEvent(announced, { detail }));
    window.addEventListener("eip6963:requestProvider", announce);
    listeners.push(() => window.removeEventListener("eip6963:requestProvider", announce));
  }
}
afterEach(() => {
  for (const stop of listeners.splice(0)) stop();
});

it("a broken extension leaves the wallets of the others usable", () => {
  const broken = [
    null,
    {},
    { info: null },
    { info: {}, provider: {} },
    { info: wallet("x").info },
    undefined,
    "wallet",
  ];
  announceAll([...broken, wallet("io.metamask"), ...broken, wallet("com.okex.wallet")]);
  filterAnnouncements();
  const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http("/rpc/1") }, storage: null });
  expect(config.connectors.map(({ id }) => id)).toEqual(["io.metamask", "com.okex.wallet"]);
});

it.each([
  { code: -32603, message: 'Unrecognized chain ID "0x85". Try adding the chain using wallet_addEthereumChain first.' },
  { code: -32602, message: "Unknown chain 133" },
  { message: "This chain has not been added" },
])("withStandardErrors adds to $message the code on which a chain is added", async (thrown) => {
  const request = vi.fn(async (_call: { method: string }) => {
    throw Object.assign(new Error(thrown.message), thrown);
  });
  const standard = withStandardErrors({ request });
  await expect(standard.request({ method: "wallet_switchEthereumChain" })).rejects.toMatchObject({ code: 4902 });
  await expect(standard.request({ method: "eth_chainId" })).rejects.not.toMatchObject({ code: 4902 });
});

it("withStandardErrors passes on a rejection and a wallet's own methods", async () => {
  class Wallet {
    #chain = "0x1";
    async request(_call: { method: string }) {
      throw Object.assign(new Error("User rejected: chain not added"), { code: 4001 });
    }
    chain() {
      return this.#chain;
    }
  }
  const standard = withStandardErrors(new Wallet());
  await expect(standard.request({ method: "wallet_switchEthereumChain" })).rejects.toMatchObject({ code: 4001 });
  expect(standard.chain()).toBe("0x1");
});

it("a wallet of this page offers its extension and no app that could not connect", () => {
  const downloadUrls = { qrCode: "https://wallet.example/app", chrome: "https://wallet.example/chrome" };
  const row = { id: "w", name: "W", iconUrl: icon, iconBackground: "#fff", downloadUrls };
  expect(inPageWallet(row, null).downloadUrls).toEqual({ chrome: "https://wallet.example/chrome" });
});
