import type { CreateConnectorFn } from "wagmi";
import { t } from "../../i18n/i18n.ts";
import { toast } from "../../ui/toast.tsx";

/** The kit's request timeout: by then a reachable relay has answered with a pairing code. */
const pairingTimeout = 10_000;

/**
 * A WalletConnect connector that sleeps until it is chosen. wagmi's own starts its SDK in `setup`, that is at page load,
 * and calls its relay; `connect` initialises it just as well. When the relay cannot be reached the kit shows nothing, so
 * a missing pairing code is told after ten seconds. Other connectors pass through unchanged.
 */
export function quietWalletConnect(create: CreateConnectorFn): CreateConnectorFn {
  return (config) => {
    const connector = create(config);
    if (connector.type !== "walletConnect") return connector;
    const connect = connector.connect.bind(connector) as typeof connector.connect;
    const quiet = {
      ...connector,
      setup: async () => undefined,
      connect: function (this: typeof connector, parameters: Parameters<typeof connect>[0]) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const onMessage = (message: { type: string }) => {
          if (message.type === "display_uri") clearTimeout(timer);
        };
        config.emitter.on("message", onMessage);
        // Rejected, or wagmi would count as connecting for ever.
        const unreachable = new Promise<never>((_, reject) => {
          timer = setTimeout(() => {
            toast({ title: t("wallet.walletConnectUnreachable"), look: "error" });
            reject(new Error("WalletConnect gave no pairing code"));
          }, pairingTimeout);
        });
        return Promise.race([connector.connect.call(this, parameters), unreachable]).finally(() => {
          clearTimeout(timer);
          config.emitter.off("message", onMessage);
        });
      },
    };
    return quiet as typeof connector;
  };
}
