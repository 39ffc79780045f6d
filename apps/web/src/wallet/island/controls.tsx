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

/** Functions of the mounted island for the shell. They are available once the island's providers are mounted. */
export interface IslandControls {
  /** Opens the kit's connect dialog if `isWanted` still returns true at that moment. Resolves after that. */
  openConnect(isWanted: () => boolean): Promise<void>;
  openAccount(): void;
  openNetwork(): void;
  disconnect(): Promise<void>;
  switchChain(chainId: number): Promise<void>;
  /**
   * Opens the kit's sign-in dialog, or first its connect dialog if no wallet is connected. Resolves to false if the
   * visitor cancels.
   */
  signIn(task: ProofTask): Promise<boolean>;
  /** Reconnects the wallet used last. Resolves when it is connected or turns out to be unavailable. */
  reconnect(): Promise<void>;
  /** Adds a transaction to the kit's recent ones, unless its wallet has been disconnected or changed meanwhile. */
  addRecentTransaction(
    transaction: Pick<TrackedTransaction, "address" | "chainId" | "description"> & { hash: `0x${string}` },
  ): void;
}

/** The kit closes a dialog that is opened in its first effects, and needs a render after a change of status. */
const nextTick = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

interface ControlsProps {
  authentication: Pick<Authentication, "askForProof" | "endProof" | "restored">;
  onReady: (controls: IslandControls) => void;
}

/** Gives the shell the kit's functions that open dialogs. The kit offers them only as hooks. */
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

  // After the dialog is closed, in any way, the visitor is no longer signing or pairing. On a network that this app
  // does not serve, the dialog's button has no effect.
  const wasOpen = useRef(false);
  const reopening = useRef(false);
  const stranded = isConnected && chain === undefined;
  useEffect(() => {
    const closed = wasOpen.current && !connectModalOpen && !reopening.current;
    if (closed || stranded) endProof(false);
    if (closed) getPairing()?.abandon();
    wasOpen.current = connectModalOpen;
  }, [connectModalOpen, stranded, endProof]);

  // The kit disables the row of the chosen wallet until the dialog closes, so the dialog is reopened.
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
      // Synchronous, so that the browser paints nothing between the closing placeholder and the dialog.
      flushSync(() => {
        if (isWanted()) latest.current[name]?.();
      });
    };
    onReady({
      openConnect: (isWanted) => open("openConnectModal", isWanted),
      // On a network that it does not serve, the kit has no account dialog. Its network dialog explains why.
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
        // The kit stores the transaction for the connected wallet and throws if there is none.
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
