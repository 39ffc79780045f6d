import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import type { Wallet, WalletDetailsParams } from "@rainbow-me/rainbowkit";
import { UserRejectedRequestError } from "viem";
import type { CreateConnectorFn } from "wagmi";
import { getPairing, type PairingStage, pairingRefused, setPairing } from "./pairing.ts";

/** The kit's request timeout in milliseconds. A reachable relay returns a pairing code within this time. */
const pairingTimeout = 10_000;

type Connector = ReturnType<CreateConnectorFn>;

interface Provider {
  on(event: "display_uri", listener: (uri: string) => void): void;
  removeListener(event: "display_uri", listener: (uri: string) => void): void;
  signer: { client: { core: { verify: { register: () => Promise<string> } } } };
}

let sdk: Promise<unknown> | null = null;

/** Loads WalletConnect's code before wagmi does, since wagmi would cache a failure for the page's lifetime. */
function loadSdk(): Promise<unknown> {
  sdk ??= import("@walletconnect/ethereum-provider").catch((error: unknown) => {
    sdk = null;
    throw error;
  });
  return sdk;
}

/**
 * A wallet over WalletConnect whose connection attempt is published as a `Pairing`. Its connector loads the SDK only
 * when chosen, while wagmi's own connector loads it with the page. Other wallets are returned unchanged.
 * `isReconnecting` returns true while wagmi reconnects the wallet used last.
 */
export function withPairing(wallet: Wallet, isReconnecting: () => boolean): Wallet {
  const appLink = wallet.mobile?.getUri;
  // The kit opens an app with this return value, even for an attempt that was abandoned before its code arrived. An
  // empty text prevents that.
  const ownAppLink = (uri: string) => (getPairing()?.walletId === wallet.id ? (appLink?.(uri) ?? "") : "");
  return {
    ...wallet,
    ...(appLink === undefined ? {} : { mobile: { getUri: ownAppLink } }),
    createConnector: (details) => pairingConnector(wallet, details, isReconnecting),
  };
}

function pairingConnector(
  wallet: Wallet,
  details: WalletDetailsParams,
  isReconnecting: () => boolean,
): CreateConnectorFn {
  const create = wallet.createConnector(details);
  return (config) => {
    const connector = create(config);
    if (connector.type !== "walletConnect") return connector;
    let onLoaded: (provider: Provider) => void = () => {};
    const loaded = new Promise<Provider>((resolve) => {
      onLoaded = resolve;
    });
    let connected = false;

    async function provider(): Promise<Provider> {
      await loadSdk();
      const loadedProvider = (await connector.getProvider()) as Provider;
      // The attestation needs an iframe of another origin, which our CSP forbids. Every request would wait 5 s for it.
      loadedProvider.signer.client.core.verify.register = async () => "";
      onLoaded(loadedProvider);
      return loadedProvider;
    }

    async function connect(parameters: Parameters<Connector["connect"]>[0]) {
      const attempt = () => connector.connect(parameters);
      const result = parameters?.isReconnecting
        ? await provider().then(attempt)
        : await pair(wallet, { provider, connect: attempt, disconnect: () => connector.disconnect() });
      connected = true;
      return result;
    }

    const wrapped = {
      ...connector,
      setup: async () => undefined,
      connect,
      // The kit calls this while it waits for the code. The pairing reports a failed load and retries it.
      getProvider: () =>
        provider().catch((error: unknown) => {
          if (isReconnecting()) throw error;
          return loaded;
        }),
      // Without a session there is no chain to query, and loading the SDK for it would delay the first feedback.
      getChainId: async () => (connected ? connector.getChainId() : config.chains[0].id),
      disconnect: async () => {
        connected = false;
        await connector.disconnect();
      },
    };
    return wrapped as Connector;
  };
}

interface Steps<Result> {
  provider(): Promise<Provider>;
  /** Resolves when the wallet's owner has agreed. */
  connect(): Promise<Result>;
  disconnect(): Promise<void>;
}

/**
 * Resolves once the session of an abandoned attempt has ended. All wallets share one provider, which mistakes a session
 * that it still has for the answer to the next attempt.
 */
let ended: Promise<void> = Promise.resolve();
/** Milliseconds after which an unresponsive relay no longer delays the next attempt. */
const endWithin = 5_000;

/** Connects one wallet. Rejects with the wallet's rejection, or if the visitor abandons the attempt. */
function pair<Result>(wallet: Wallet, steps: Steps<Result>): Promise<Result> {
  getPairing()?.abandon();
  return new Promise((resolve, reject) => {
    let over = false;
    let latest = 0;
    let code: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopListening = () => {};

    const publish = (stage: PairingStage) => {
      clearTimeout(timer);
      const appLink = code === null ? null : (wallet.mobile?.getUri?.(code) ?? code);
      setPairing({
        walletId: wallet.id,
        walletName: wallet.name,
        stage,
        uri: code,
        appLink,
        retry: () => void attempt(),
        abandon: () => {
          finish();
          reject(new UserRejectedRequestError(new Error("The connection attempt was abandoned")));
        },
      });
    };
    const finish = () => {
      over = true;
      clearTimeout(timer);
      stopListening();
      setPairing(null);
    };
    const listen = (provider: Provider) => {
      const onCode = (uri: string) => {
        code = uri;
        publish("waiting");
      };
      stopListening();
      stopListening = () => provider.removeListener("display_uri", onCode);
      provider.on("display_uri", onCode);
    };
    const attempt = async () => {
      latest += 1;
      const own = latest;
      code = null;
      publish("contacting");
      timer = setTimeout(() => publish("unreachable"), pairingTimeout);
      try {
        const provider = await steps.provider();
        if (over) return;
        await ended;
        if (over) return;
        listen(provider);
        const result = await steps.connect();
        if (over) {
          const late = new Promise<void>((resolve) => setTimeout(resolve, endWithin));
          const end = steps.disconnect().catch((error: unknown) => {
            console.warn("The session of an abandoned connection could not be ended", error);
          });
          ended = Promise.race([end, late]);
          return;
        }
        finish();
        resolve(result);
      } catch (error) {
        if (over || own !== latest) return;
        if (!isRefusal(error)) {
          console.warn("WalletConnect did not connect", error);
          publish(code === null ? "unreachable" : "expired");
          return;
        }
        finish();
        pairingRefused();
        reject(error);
      }
    };
    void attempt();
  });
}
