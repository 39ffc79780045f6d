import { useAccountModal, useAddRecentTransaction, useChainModal, useConnectModal } from "@rainbow-me/rainbowkit";
import { useEffect, useRef } from "react";
import { useAccount } from "wagmi";
import { disconnect, getAccount, switchChain } from "wagmi/actions";
import { islandReady, type ProofTask } from "../handover.ts";
import { askForProof, endProof, restored } from "./authentication.ts";
import { islandSetup } from "./config.ts";
import { reconnectRecent } from "./sync.ts";

/** The kit undoes an opening made in its first effects, and needs a render after a change of status. */
const nextTick = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Hands the kit's openers, which exist only as hooks, to the shell. */
export function Controls() {
  const { openConnectModal, connectModalOpen } = useConnectModal();
  const { openAccountModal } = useAccountModal();
  const { openChainModal } = useChainModal();
  const addRecentTransaction = useAddRecentTransaction();
  const { isConnected, address, chain } = useAccount();
  const now = { openConnectModal, openAccountModal, openChainModal, addRecentTransaction, address, chain };
  const latest = useRef(now);
  latest.current = now;
  const restoring = useRef<Promise<void> | null>(null);

  // Whichever way the dialog was closed, nobody is there to sign. On a network this app does not know, the dialog's
  // button does nothing at all.
  const wasOpen = useRef(false);
  const stranded = isConnected && chain === undefined;
  useEffect(() => {
    if ((wasOpen.current && !connectModalOpen) || stranded) endProof(false);
    wasOpen.current = connectModalOpen;
  }, [connectModalOpen, stranded]);

  useEffect(() => {
    const { config } = islandSetup();
    const open = async (name: "openConnectModal" | "openAccountModal" | "openChainModal") => {
      await restoring.current;
      restored();
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
      signIn: async (task: ProofTask) => {
        await restoring.current;
        const account = getAccount(config);
        if (account.isConnected && account.chain === undefined)
          await switchChain(config, { chainId: config.chains[0].id });
        const verified = askForProof(task);
        await open("openConnectModal");
        return verified;
      },
      reconnect: () => {
        restoring.current ??= reconnectRecent(config);
        return restoring.current;
      },
      addRecentTransaction: ({ address, chainId, ...transaction }) => {
        // The kit files it under whoever is connected by now, and throws when nobody is.
        const { current } = latest;
        if (current.address === address && current.chain?.id === chainId) current.addRecentTransaction(transaction);
      },
    });
  }, []);
  return null;
}
