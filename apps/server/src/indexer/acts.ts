import type { ChainEvent, EventName } from "./decode.ts";
import { type PrivilegedAct, placeOf } from "./world.ts";

/**
 * Events of acts that only the holder of a role can do, and every event of a recovery. It also includes the rare acts
 * that anyone can do and that move money from a product to its operator.
 */
const privileged: ReadonlySet<EventName> = new Set([
  ...(["RoleGranted", "RoleRevoked", "RoleLabel"] as const),
  ...(["ProductListed", "ProductStatusChanged", "ProductMetadataChanged", "FrozenSet"] as const),
  ...(["OperationScheduled", "OperationExecuted", "OperationCanceled"] as const),
  ...(["RecoveryProposed", "RecoveryVetoed", "RecoveryCancelled", "Retired"] as const),
  ...(["CapChanged", "MinDepositChanged", "PausedUntil", "QueueSet", "CustodianChanged", "TreasuryChanged"] as const),
  ...(["LossReviewed", "LossConfirmed", "LossTakenBack", "LossRestored"] as const),
  ...(["EvidenceRenewed", "Deployed", "Skimmed"] as const),
  ...(["TermAdded", "TermChanged", "TermLimitsChanged", "TermPausedUntil", "TermEvidenceRenewed"] as const),
  ...(["KeyRegistered", "KeyDropped", "KeyRevoked"] as const),
  ...(["TermInterestFunded", "TermInterestWithdrawn", "TermDeployed", "TermWindingDown"] as const),
  ...(["TermLossReviewed", "TermLossConfirmed", "TermLossTakenBack", "TermLossBooked"] as const),
]);

/** Returns the row of a privileged act, or null for any other event. */
export function actOf(chainId: number, event: ChainEvent): PrivilegedAct | null {
  const { address, block: _block, logIndex: _logIndex, hash, time: _time, name, ...body } = event;
  if (!privileged.has(name)) return null;
  const args = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, String(value)]));
  return { ...placeOf(chainId, event), hash, contract: address, name, args };
}
