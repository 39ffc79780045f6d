import { useAccountModal, useAddRecentTransaction, useChainModal, useConnectModal } from "@rainbow-me/rainbowkit";
import { useCallback, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useAccount, useConfig } from "wagmi";
import { disconnect, getAccount, switchChain } from "wagmi/actions";
import { getPairing } from "../connect/pairing.ts";
import type { TrackedTransaction } from "../transactions.ts";
import { reconnectRecent } from "./account.ts";
import type { Authentication, ProofTask } from "./authentication.ts";
import { closeKitDialog, kitDialogs } from "./kit-dialog.ts";
import { PairingPanel } from "./pairing-panel.tsx";
import { SwitchFailure } from "./switch-failure.tsx";

/** What the mounted island offers the shell, available once its providers are mounted. */
export interface IslandControls {
  /** Asks `isWanted` just before the dialog opens; false leaves it closed. Resolves once that is done. */
  openConnect(isWanted: () => boolean): Promise<void>;
  openAccount(): void;
  openNetwork(): void;
  disconnect(): Promise<void>;
  switchChain(chainId: number): Promise<void>;
  /**
   * Opens the kit's sign-in dialog, or its connect dialog first when there is no wallet. False when the visitor
   * cancelled.
   */
  signIn(task: ProofTask): Promise<boolean>;
  /** Reconnects the wallet used last; resolves when it is connected or known to be unavailable. */
  reconnect(): Promise<void>;
  /** Adds it to the kit's recent transactions, unless its wallet has been disconnected or changed meanwhile. */
  addRecentTransaction(
    transaction: Pick<TrackedTransaction, "address" | "chainId" | "description"> & { hash: `0x${string}` },
  ): void;
}

/** The kit reverts an opening made in its first effects, and needs a render after a change of status. */
const nextTick = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

interface ControlsProps {
  authentication: Pick<Authentication, "askForProof" | "endProof" | "restored">;
  onReady: (controls: IslandControls) => void;
}

/** Hands the kit's openers, which exist only as hooks, to the shell. */
export function Controls({ authentication: { askForProof, endProof, restored }, onReady }: ControlsProps) {
  const config = useConfig();
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
  }, [connectModalOpen, stranded, endProof]);

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
    onReady({
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
        restoring.current ??= reconnectRecent(config).then(restored);
        return restoring.current;
      },
      addRecentTransaction: ({ address, chainId, ...transaction }) => {
        // The kit stores it for the currently connected wallet, and throws when there is none.
        const { current } = latest;
        if (current.address === address && current.chain?.id === chainId) current.addRecentTransaction(transaction);
      },
    });
  }, [config, askForProof, restored, onReady]);
  return (
    <>
      <PairingPanel onBack={chooseAgain} />
      <SwitchFailure open={chainModalOpen} reopen={reopenNetwork} />
    </>
  );
}
