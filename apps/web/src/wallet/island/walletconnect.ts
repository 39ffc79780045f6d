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
        let paired = false;
        const onMessage = (message: { type: string }) => {
          if (message.type === "display_uri") paired = true;
        };
        config.emitter.on("message", onMessage);
        const timer = setTimeout(() => {
          if (!paired) toast({ title: t("wallet.walletConnectUnreachable"), look: "error" });
        }, pairingTimeout);
        return connector.connect.call(this, parameters).finally(() => {
          clearTimeout(timer);
          config.emitter.off("message", onMessage);
        });
      },
    };
    return quiet as typeof connector;
  };
}
