import { useAccountModal, useAddRecentTransaction, useChainModal, useConnectModal } from "@rainbow-me/rainbowkit";
import { useCallback, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useAccount } from "wagmi";
import { disconnect, getAccount, switchChain } from "wagmi/actions";
import { islandSetup } from "../connect/config.ts";
import { getPairing } from "../connect/pairing.ts";
import { islandReady, type ProofTask } from "../handover.ts";
import { askForProof, endProof, restored } from "./authentication.ts";
import { closeKitDialog, kitDialogs } from "./kit-dialog.ts";
import { PairingPanel } from "./pairing-panel.tsx";
import { SwitchFailure } from "./switch-failure.tsx";
import { reconnectRecent } from "./sync.ts";

/** The kit reverts an opening made in its first effects, and needs a render after a change of status. */
const nextTick = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Exposes the kit's openers, which exist only as hooks, to the shell. */
export function Controls() {
  const { openConnectModal, connectModalOpen } = useConnectModal();
  const { openAccountModal } = useAccountModal();
  const { openChainModal, chainModalOpen } = useChainModal();
  const addRecentTransaction = useAddRecentTransaction();
  const { isConnected, address, chain } = useAccount();
  const now = { openConnectModal, openAccountModal, openChainModal, addRecentTransaction, address, chain };
  const latest = useRef(now);
  latest.current = now;
  const restoring = useRef<Promise<void> | null>(null);

  // However the dialog was closed, the visitor is no longer signing or pairing. On a network this app does not serve,
  // the dialog's button does nothing at all.
  const wasOpen = useRef(false);
  const reopening = useRef(false);
  const stranded = isConnected && chain === undefined;
  useEffect(() => {
    const closed = wasOpen.current && !connectModalOpen && !reopening.current;
    if (closed || stranded) endProof(false);
    if (closed) getPairing()?.abandon();
    wasOpen.current = connectModalOpen;
  }, [connectModalOpen, stranded]);

  // The kit keeps the chosen wallet's row disabled for as long as the dialog is open, so it is reopened.
  const chooseAgain = useCallback(async () => {
    reopening.current = true;
    closeKitDialog(kitDialogs.connect);
    await nextTick();
    latest.current.openConnectModal?.();
    await nextTick();
    reopening.current = false;
  }, []);
  const reopenNetwork = useCallback(() => latest.current.openChainModal?.(), []);

  useEffect(() => {
    const { config } = islandSetup();
    const open = async (
      name: "openConnectModal" | "openAccountModal" | "openChainModal",
      isWanted: () => boolean = () => true,
    ) => {
      await restoring.current;
      restored();
      await nextTick();
      // At once, so that nothing is painted between a frame that makes way and the dialog.
      flushSync(() => {
        if (isWanted()) latest.current[name]?.();
      });
    };
    islandReady({
      openConnect: (isWanted) => open("openConnectModal", isWanted),
      // The kit shows no account on a network it does not serve; its network dialog says why.
      openAccount: () => open(latest.current.openAccountModal === undefined ? "openChainModal" : "openAccountModal"),
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
        // The kit stores it for the currently connected wallet, and throws when there is none.
        const { current } = latest;
        if (current.address === address && current.chain?.id === chainId) current.addRecentTransaction(transaction);
      },
    });
  }, []);
  return (
    <>
      <PairingPanel onBack={chooseAgain} />
      <SwitchFailure open={chainModalOpen} reopen={reopenNetwork} />
    </>
  );
}
