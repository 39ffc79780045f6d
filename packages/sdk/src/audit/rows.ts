import type { Hex } from "viem";

/**
 * What the events of a chain say, one row for each fact or each version of a state. Amounts are in smallest units,
 * rates and prices have 18 decimals, times are Unix seconds of the block, addresses and hashes are lower case.
 */

/** The position of a row's event in the chain. */
export interface Place {
  chainId: number;
  block: number;
  logIndex: number;
  time: number;
}

export interface ProductRow extends Place {
  address: Hex;
  shortId: string;
  /** 0 demand deposit, 1 time deposit. */
  productType: number;
  asset: Hex;
  assetSymbol: string;
  assetDecimals: number;
  shareName: string;
  shareSymbol: string;
  shareDecimals: number;
}

export interface ProductStateRow extends Place {
  product: Hex;
  /** 0 open, 1 closed. */
  status: number;
  metadataHash: Hex;
}

/** A vault after each of its events. */
export interface VaultStateRow extends Place {
  product: Hex;
  supply: bigint;
  settled: bigint;
  streaming: bigint;
  streamStart: number;
  streamEnd: number;
  deployed: bigint;
  queue: Hex | null;
  queued: bigint;
  requested: bigint;
  eligible: bigint;
  processed: bigint;
  setAside: bigint;
  claimed: bigint;
  custodian: Hex | null;
  buffer: bigint;
  fee: bigint;
  feesTaken: bigint;
  maxRate: bigint;
  cap: bigint;
  minDeposit: bigint;
  pausedUntil: number;
  lossUntil: number;
  reviewUntil: number;
  evidenceUntil: number;
  vestingTime: number;
  maxReportAge: number;
  reportAsOf: number;
  reportTime: number | null;
  deposited: bigint;
  withdrawn: bigint;
  holders: number;
}

/** A wallet's position in a product after each event that changed it. */
export interface PositionRow extends Place {
  wallet: Hex;
  product: Hex;
  shares: bigint;
  pending: bigint;
  claimable: bigint;
  claimableShares: bigint;
  receipts: number;
  cost: bigint;
  realised: bigint;
  interest: bigint;
  totalIn: bigint;
  totalOut: bigint;
  costEstimated: boolean;
  since: number | null;
}

export interface MovementRow extends Place {
  wallet: Hex;
  product: Hex;
  hash: Hex;
  kind:
    | "deposit"
    | "withdraw"
    | "transfer_in"
    | "transfer_out"
    | "request"
    | "processed"
    | "claim"
    | "mature"
    | "rollover";
  assets: bigint;
  shares: bigint;
  price: bigint | null;
  receiptId: bigint | null;
  newReceiptId: bigint | null;
  fee: bigint;
}

export interface ReportRow extends Place {
  product: Hex;
  hash: Hex;
  delta: bigint;
  asOf: number;
  evidenceRoot: Hex;
}

/** A withdrawal request after each event that moved it or made it payable. */
export interface RequestRow extends Place {
  product: Hex;
  wallet: Hex;
  start: bigint;
  shares: bigint;
  requestedAt: number;
  payableFrom: number | null;
  hash: Hex;
}

export interface BatchRow extends Place {
  product: Hex;
  hash: Hex;
  number: number;
  shares: bigint;
  assets: bigint;
  end: bigint;
}

/** The accounts and limits of a time deposit product after each of its events. */
export interface TermStateRow extends Place {
  product: Hex;
  custodian: Hex;
  buffer: bigint;
  cap: bigint;
  minDeposit: bigint;
  pausedUntil: number;
  evidenceUntil: number;
  cash: bigint;
  deployed: bigint;
  principal: bigint;
  liabilities: bigint;
  reserved: bigint;
  claims: bigint;
  received: bigint;
  deposited: bigint;
  paidOut: bigint;
  losses: bigint;
  receipts: number;
  holders: number;
}

export interface TermRow extends Place {
  product: Hex;
  termId: number;
  count: number;
  unit: number;
  rate: bigint;
  breakRate: bigint;
  penalty: bigint;
  cap: bigint;
  open: boolean;
  principal: bigint;
}

export interface ReceiptRow extends Place {
  product: Hex;
  receiptId: bigint;
  owner: Hex;
  termId: number;
  principal: bigint;
  interest: bigint;
  openedAt: number;
  maturity: number;
  hash: Hex;
  /** 1 live, 3 closed, 4 exited early, 5 rolled over, 6 settled. */
  status: number;
  roll: number;
  rollTermId: number;
  paid: bigint;
  cost: bigint;
  costEstimated: boolean;
  rolledFrom: bigint | null;
  rolledTo: bigint | null;
  demandedAt: number | null;
}

export interface ActRow extends Place {
  hash: Hex;
  contract: Hex;
  name: string;
  args: Record<string, string>;
}

export interface IdentityRow extends Place {
  wallet: Hex;
  subject: Hex;
  validUntil: bigint;
  country: number;
  tier: number;
  revoked: boolean;
  frozen: boolean;
}

export interface AnchorRow extends Place {
  hash: Hex;
  stream: Hex;
  number: number;
  root: Hex;
  from: number;
  to: number;
  count: number;
  dataHash: Hex;
  head: Hex;
}

export interface StoredHeadRow extends Place {
  stream: Hex;
  number: number;
  head: Hex;
}

export interface DeviceKeyRow extends Place {
  device: Hex;
  what: "registered" | "dropped" | "revoked";
  kind: number;
  x: Hex | null;
  y: Hex | null;
  validFrom: number;
}

/** Every row, in chain order. */
export interface Rows {
  product: ProductRow[];
  productState: ProductStateRow[];
  vaultState: VaultStateRow[];
  position: PositionRow[];
  movement: MovementRow[];
  report: ReportRow[];
  withdrawalRequest: RequestRow[];
  queueBatch: BatchRow[];
  termState: TermStateRow[];
  term: TermRow[];
  receipt: ReceiptRow[];
  privilegedAct: ActRow[];
  identityRecord: IdentityRow[];
  anchor: AnchorRow[];
  storedHead: StoredHeadRow[];
  deviceKey: DeviceKeyRow[];
}
