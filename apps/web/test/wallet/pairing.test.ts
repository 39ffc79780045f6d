import type { Wallet } from "@rainbow-me/rainbowkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getPairing } from "../../src/wallet/connect/pairing.ts";
import { withPairing } from "../../src/wallet/connect/walletconnect.ts";

vi.mock("@walletconnect/ethereum-provider", () => ({}));

/** WalletConnect as wrapped by wagmi, controlled by the test. */
function relay() {
  const listeners = new Set<(uri: string) => void>();
  const attempts: { resolve: (result: object) => void; reject: (error: unknown) => void }[] = [];
  const provider = {
    on: (_event: string, listener: (uri: string) => void) => listeners.add(listener),
    removeListener: (_event: string, listener: (uri: string) => void) => listeners.delete(listener),
    signer: { client: { core: { verify: { register: () => new Promise<string>(() => undefined) } } } },
  };
  const connector = {
    id: "walletConnect",
    name: "WalletConnect",
    type: "walletConnect",
    getProvider: vi.fn(async () => provider as unknown),
    connect: vi.fn(() => new Promise((resolve, reject) => attempts.push({ resolve, reject }))),
    disconnect: vi.fn(async () => undefined),
    getChainId: vi.fn(async () => 1),
  };
  return {
    provider,
    connector,
    attempts,
    code: (uri: string) => {
      for (const listener of listeners) listener(uri);
    },
  };
}

let isReconnecting = false;
const config = { chains: [{ id: 31337 }] } as never;

function walletOver(connector: object, id = "trust"): Wallet {
  const wallet: Wallet = {
    id,
    name: "Trust Wallet",
    iconUrl: "",
    iconBackground: "#fff",
    mobile: { getUri: (uri) => `trust://wc?uri=${uri}` },
    createConnector: () => () => connector as never,
  };
  return withPairing(wallet, () => isReconnecting);
}
const connectorOf = (wallet: Wallet) => wallet.createConnector({} as never)(config);
const settle = () => vi.advanceTimersByTimeAsync(0);
const result = { accounts: ["0x1"], chainId: 31337 };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  getPairing()?.abandon();
  vi.useRealTimers();
});

describe("a wallet chosen over WalletConnect", () => {
  it('is "contacting" from the first moment, before any code is loaded', async () => {
    const { connector } = relay();
    const wallet = connectorOf(walletOver(connector));
    expect(await wallet.getChainId()).toBe(31337);
    expect(connector.getProvider).not.toHaveBeenCalled();
    wallet.connect().catch(() => undefined);
    expect(getPairing()).toMatchObject({ walletId: "trust", stage: "contacting", uri: null });
  });

  it("waits for its owner once there is a code, with a link to its app, and connects", async () => {
    const { connector, code, attempts } = relay();
    const connecting = connectorOf(walletOver(connector)).connect();
    await settle();
    code("wc:1");
    expect(getPairing()).toMatchObject({ stage: "waiting", uri: "wc:1", appLink: "trust://wc?uri=wc:1" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(getPairing()?.stage).toBe("waiting");
    attempts[0]?.resolve(result);
    await expect(connecting).resolves.toBe(result);
    expect(getPairing()).toBeNull();
  });

  it("is unreachable after 10 000 ms without a code, not before, and can be retried", async () => {
    const { connector, code, attempts } = relay();
    const connecting = connectorOf(walletOver(connector)).connect();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(getPairing()?.stage).toBe("contacting");
    await vi.advanceTimersByTimeAsync(1);
    expect(getPairing()?.stage).toBe("unreachable");
    getPairing()?.retry();
    expect(getPairing()?.stage).toBe("contacting");
    await settle();
    code("wc:2");
    expect(getPairing()).toMatchObject({ stage: "waiting", uri: "wc:2" });
    attempts[1]?.resolve(result);
    await expect(connecting).resolves.toBe(result);
  });

  it("is unreachable at once when its code cannot be loaded, and a retry loads it again", async () => {
    const { connector } = relay();
    connector.getProvider.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    connectorOf(walletOver(connector))
      .connect()
      .catch(() => undefined);
    await settle();
    expect(getPairing()?.stage).toBe("unreachable");
    getPairing()?.retry();
    await settle();
    expect(connector.connect).toHaveBeenCalledOnce();
  });

  it("shows that the code has expired when the wallet did not answer", async () => {
    const { connector, code, attempts } = relay();
    connectorOf(walletOver(connector))
      .connect()
      .catch(() => undefined);
    await settle();
    code("wc:1");
    attempts[0]?.reject(new Error("Proposal expired"));
    await settle();
    expect(getPairing()?.stage).toBe("expired");
  });

  it("ends without a message when its owner rejects", async () => {
    const { connector, code, attempts } = relay();
    const connecting = connectorOf(walletOver(connector)).connect();
    const ended = expect(connecting).rejects.toMatchObject({ code: 4001 });
    await settle();
    code("wc:1");
    attempts[0]?.reject(Object.assign(new Error("User rejected"), { code: 4001 }));
    await ended;
    expect(getPairing()).toBeNull();
  });

  it("that was abandoned ends as a rejection, opens no app, and rejects a late approval", async () => {
    const { connector, code, attempts } = relay();
    const wallet = walletOver(connector);
    const ended = expect(connectorOf(wallet).connect()).rejects.toMatchObject({ code: 4001 });
    await settle();
    getPairing()?.abandon();
    await ended;
    code("wc:late");
    expect(wallet.mobile?.getUri?.("wc:late")).toBe("");
    expect(getPairing()).toBeNull();
    attempts[0]?.resolve(result);
    await settle();
    expect(connector.disconnect).toHaveBeenCalledOnce();
  });

  it("begins only once the session of the one before, approved too late, is ended", async () => {
    const { connector, attempts } = relay();
    let end = () => {};
    connector.disconnect.mockImplementation(
      () => new Promise<undefined>((resolve) => (end = () => resolve(undefined))),
    );
    const given = expect(connectorOf(walletOver(connector)).connect()).rejects.toMatchObject({ code: 4001 });
    await settle();
    getPairing()?.abandon();
    await given;
    attempts[0]?.resolve(result);
    await settle();
    const next = connectorOf(walletOver(connector, "imToken")).connect();
    await settle();
    expect(connector.connect).toHaveBeenCalledOnce();
    end();
    await settle();
    attempts[1]?.resolve(result);
    expect(await next).toBe(result);
  });

  it("replaces another attempt", async () => {
    const { connector } = relay();
    const ended = expect(connectorOf(walletOver(connector, "trust")).connect()).rejects.toMatchObject({ code: 4001 });
    connectorOf(walletOver(connector, "imToken"))
      .connect()
      .catch(() => undefined);
    await ended;
    expect(getPairing()).toMatchObject({ walletId: "imToken", stage: "contacting" });
  });

  it("does not wait for an attestation, whose iframe the CSP forbids", async () => {
    const { connector, provider } = relay();
    await connectorOf(walletOver(connector)).getProvider();
    await expect(provider.signer.client.core.verify.register()).resolves.toBe("");
  });

  it("lets the kit wait for a code that cannot be loaded, as the pairing retries it, and not a restored wallet", async () => {
    const { connector } = relay();
    const wallet = connectorOf(walletOver(connector));
    const failure = new TypeError("Failed to fetch");
    connector.getProvider.mockRejectedValueOnce(failure);
    const answer = vi.fn();
    wallet.getProvider().then(answer, answer);
    await settle();
    expect(answer).not.toHaveBeenCalled();
    isReconnecting = true;
    connector.getProvider.mockRejectedValueOnce(failure);
    await expect(wallet.getProvider()).rejects.toBe(failure);
    isReconnecting = false;
  });

  it("prompts nobody when it is restored", async () => {
    const { connector, attempts } = relay();
    const restored = connectorOf(walletOver(connector)).connect({ isReconnecting: true });
    await settle();
    expect(getPairing()).toBeNull();
    attempts[0]?.resolve(result);
    await expect(restored).resolves.toBe(result);
  });
});

it("an injected wallet is unchanged", () => {
  const { connector } = relay();
  const injected = { ...connector, type: "injected" };
  expect(connectorOf(walletOver(injected))).toBe(injected);
});
