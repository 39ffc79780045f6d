import { useAccountModal, useAddRecentTransaction, useChainModal, useConnectModal } from "@rainbow-me/rainbowkit";
import { useEffect, useRef } from "react";
import { disconnect, switchChain } from "wagmi/actions";
import { islandReady } from "../handover.ts";
import { islandSetup } from "./config.ts";
import { reconnectRecent } from "./sync.ts";

/** The kit undoes an opening made in its first effects, and needs a render after a change of status. */
const nextTick = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Hands the kit's openers, which exist only as hooks, to the shell. */
export function Controls() {
  const { openConnectModal } = useConnectModal();
  const { openAccountModal } = useAccountModal();
  const { openChainModal } = useChainModal();
  const addRecentTransaction = useAddRecentTransaction();
  const latest = useRef({ openConnectModal, openAccountModal, openChainModal, addRecentTransaction });
  latest.current = { openConnectModal, openAccountModal, openChainModal, addRecentTransaction };
  const restoring = useRef<Promise<void> | null>(null);

  useEffect(() => {
    const { config } = islandSetup();
    const open = async (name: "openConnectModal" | "openAccountModal" | "openChainModal") => {
      await restoring.current;
      await nextTick();
      latest.current[name]?.();
    };
    islandReady({
      openConnect: () => open("openConnectModal"),
      openAccount: () => open("openAccountModal"),
      openNetwork: () => open("openChainModal"),
      disconnect: () => disconnect(config),
      switchChain: async (chainId) => {
        await switchChain(config, { chainId });
      },
      reconnect: () => {
        restoring.current ??= reconnectRecent(config);
        return restoring.current;
      },
      addRecentTransaction: (transaction) => latest.current.addRecentTransaction(transaction),
    });
  }, []);
  return null;
}
