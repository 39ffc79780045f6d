import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { Address, Hex } from "viem";
import { Random } from "../../../../devnet/src/random.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import { DAY, DOLLAR, offered, type TermWorld } from "./termWorld.ts";
import { WALLETS, type World } from "./world.ts";

/** The contract's figures of a live receipt. */
export interface ContractReceipt {
  owner: Address;
  deposit: {
    principal: bigint;
    openedAt: bigint;
    maturity: bigint;
    termId: bigint;
    status: bigint;
    roll: bigint;
    rollTermId: bigint;
  };
  paid: bigint;
  claimable: bigint;
  quoteExit: bigint;
}

/** The contract's figures at the end of a block. */
export interface ContractState {
  block: number;
  time: number;
  books: { cash: bigint; deployed: bigint; liabilities: bigint; reserved: bigint; claims: bigint };
  limits: readonly [bigint, bigint, bigint];
  coverage: bigint;
  terms: { cap: bigint; open: boolean; principal: bigint; rate: bigint; count: number; unit: number }[];
  /** Live receipts by id. */
  receipts: Map<bigint, ContractReceipt>;
}

const ROOT: Hex = `0x${"ab".repeat(32)}`;

/** Reads all figures of the contract at the head. `ids`: receipts that may be live. */
export async function readContract(world: World, deposits: TermWorld, ids: Iterable<bigint>): Promise<ContractState> {
  const { number, time } = await world.head();
  const [books, limits, coverage, ...terms] = await Promise.all([
    deposits.read("books"),
    deposits.read("limits"),
    deposits.read("coverage"),
    ...offered.map((_, index) => deposits.read("termOf", [BigInt(index)])),
  ]);
  const receipts = new Map<bigint, ContractReceipt>();
  for (const id of ids) {
    const owner = await deposits.read("ownerOf", [id]).catch(() => null);
    if (owner === null) continue;
    const [of, claimable, quoteExit] = await Promise.all([
      deposits.read("receiptOf", [id]),
      deposits.read("claimable", [id]),
      deposits.read("quoteExit", [id, BigInt(time)]),
    ]);
    const [deposit, paid] = of as [ContractReceipt["deposit"], bigint];
    receipts.set(id, { owner, deposit, paid, claimable, quoteExit } as ContractReceipt);
  }
  return { block: number, time, books, limits, coverage, terms, receipts } as unknown as ContractState;
}

export interface Simulation {
  seen: ContractState[];
  /** Dollars of each wallet before and after the block. */
  before: Map<Hex, bigint>;
  after: Map<Hex, bigint>;
}

/**
 * Plays random actions of all kinds, one or more per block, then winds the product down by `end` and pays the claims.
 * Actions that the contract rejects are mined too.
 */
export async function runSimulation(
  world: World,
  deposits: TermWorld,
  seed: string,
  { moves, end }: { moves: number; end: "loss" | "demand" },
): Promise<Simulation> {
  const random = new Random(seed);
  const wallets = Array.from({ length: WALLETS + 1 }, (_, index) => deposits.wallet(index));
  const dollars = async () => {
    const balances = await Promise.all(
      wallets.map((wallet) =>
        world.client.readContract({
          address: world.deployed.addresses.testDollar,
          abi: testDollarAbi,
          functionName: "balanceOf",
          args: [wallet],
        }),
      ),
    );
    return new Map(wallets.map((wallet, index) => [wallet.toLowerCase() as Hex, balances[index] ?? 0n]));
  };
  const before = await dollars();
  const seen: ContractState[] = [];
  let newest = 0n;
  /** Mines the actions, including rejected ones, and reads the contract. */
  const step = async (calls: readonly Call[], seconds: number) => {
    await world.mine(calls, seconds).catch(() => {});
    const last = seen.at(-1);
    const ids = [
      ...(last?.receipts.keys() ?? []),
      ...Array.from({ length: 4 }, (_, index) => newest + BigInt(index) + 1n),
    ];
    const now = await readContract(world, deposits, ids);
    for (const id of now.receipts.keys()) if (id > newest) newest = id;
    seen.push(now);
    return now;
  };
  const amount = () => BigInt(random.between(10, 3_000)) * DOLLAR + BigInt(random.between(0, 999_999));
  const walletOf = (owner: Address) => wallets.findIndex((wallet) => wallet.toLowerCase() === owner.toLowerCase());
  const open = () => deposits.open(random.between(0, WALLETS - 1), random.between(0, 1), amount());

  let now = await step([open(), open(), open()], 12);
  const one = (wanted: (receipt: ContractReceipt) => boolean = () => true) => {
    const ids = [...now.receipts].filter(([, receipt]) => wanted(receipt));
    return ids.length === 0 ? null : random.pick(ids);
  };
  const isMatured = ({ deposit }: ContractReceipt) => deposit.status === 2n;

  /** An action that the contract usually allows. */
  function move(): Call[] {
    const roll = random.between(0, 99);
    const matured = one(isMatured);
    if (matured && roll < 35) {
      const [id, { owner, deposit }] = matured;
      const what = BigInt(random.between(1, 2));
      if (deposit.roll > 0n) return [deposits.by(random.between(0, WALLETS - 1), "autoRoll", [id])];
      if (roll < 15)
        return [deposits.by(walletOf(owner), "rollover", [id, BigInt(random.between(0, 1)), 0n, what]), open()];
      return [deposits.by(walletOf(owner), "close", [id])];
    }
    const found = one((receipt) => !isMatured(receipt));
    if (!found || roll < 45) return random.chance(500) ? [open(), open()] : [open()];
    const [id, { owner, deposit }] = found;
    const from = walletOf(owner);
    if (roll < 55) {
      const part = random.chance(600) ? (deposit.principal * BigInt(random.between(1, 9))) / 10n : deposit.principal;
      return [deposits.by(from, "exitEarly", [id, part, 0n])];
    }
    if (roll < 65)
      return [deposits.by(from, "setAutoRoll", [id, BigInt(random.between(0, 1)), 0n, BigInt(random.between(0, 2))])];
    if (roll < 80) {
      const to = random.chance(300) ? deposits.second : random.between(0, WALLETS - 1);
      return [deposits.by(from, "transferFrom", [owner, deposits.wallet(to), id])];
    }
    if (roll < 86) return [deposits.as("treasurer", "deploy", [now.books.deployed / 5n + 300n * DOLLAR])];
    if (roll < 90) return [deposits.as("faucet", "repay", [now.books.deployed / 2n + 1n])];
    if (roll < 92) return [deposits.as("reporter", "bookLoss", [7n * DOLLAR + 1n, ROOT])];
    if (roll < 94) return [deposits.as("treasurer", "fundInterest", [amount()])];
    if (roll < 96) return [deposits.as("treasurer", "withdrawInterest", [3n * DOLLAR])];
    if (roll < 98) return [deposits.as("owner", "setTerm", [2n, amount(), random.chance(500)])];
    return [deposits.as("owner", "setLimits", [10n ** 13n - amount(), 10n * DOLLAR])];
  }

  for (let turn = 0; turn < moves; turn += 1) {
    const seconds = random.pick([12, 3_600, DAY, 5 * DAY, 11 * DAY]);
    now = await step(random.chance(300) ? [...move(), ...move()] : move(), seconds);
  }

  // Wallets 1 and 2 instruct a rollover, which anyone may execute. Wallet 3 is too late, and 4 has no instruction.
  const told = newest;
  now = await step(
    [1, 2, 3, 4].map((wallet) => deposits.open(wallet, 0, 700n * DOLLAR + BigInt(wallet))),
    12,
  );
  const word = (wallet: number, what: bigint) =>
    deposits.by(wallet, "setAutoRoll", [told + BigInt(wallet), 1n, 0n, what]);
  now = await step([word(1, 1n), word(2, 2n), word(3, 1n)], DAY);
  const carry = (wallet: number) => deposits.by(0, "autoRoll", [told + BigInt(wallet)]);
  now = await step([carry(1), carry(2), carry(4)], 30 * DAY);
  now = await step([carry(3), deposits.by(4, "rollover", [told + 4n, 0n, 0n, 2n])], 4 * DAY);

  // A wallet switches to its second wallet, and its receipts follow.
  now = await step([deposits.open(0, 1, 500n * DOLLAR), deposits.open(0, 0, 40n * DOLLAR), open(), open()], DAY);
  now = await step([await deposits.switchToSecond(0)], DAY);
  const left = [...now.receipts].filter(([, { owner }]) => walletOf(owner) === 0).map(([id]) => id);
  now = await step([deposits.by(1, "recover", [deposits.wallet(0), left])], DAY);

  now = await step([deposits.as("guardian", "pause", [])], DAY);
  now = await step([deposits.as("owner", "unpause", [])], DAY);
  const free = now.books.cash + now.books.deployed - now.books.liabilities;
  now = await step([deposits.as("treasurer", "withdrawInterest", [free - 5n * DOLLAR])], 12);
  const most = now.books.liabilities - now.books.reserved;
  const room = (most * 4n) / 5n - now.books.deployed - 1n;
  if (room > 0n) now = await step([deposits.as("treasurer", "deploy", [room])], DAY);
  if (end === "loss") {
    now = await step([deposits.as("reporter", "bookLoss", [(now.books.deployed * 2n) / 3n, ROOT])], DAY);
    now = await step([deposits.as("faucet", "settleLoss", [])], DAY);
  } else {
    now = await step([], 100 * DAY);
    const due = () => [...now.receipts].filter(([, receipt]) => isMatured(receipt));
    // Receipts are paid one after another until the cash does not suffice for the next one.
    now = await step(
      due().map(([id, { owner }]) => deposits.by(walletOf(owner), "close", [id])),
      12,
    );
    const demand = ([id]: [bigint, ContractReceipt]) => deposits.by(1, "demand", [id]);
    now = await step(due().map(demand), DAY);
    now = await step(due().map(demand), 3 * DAY);
  }
  const claim = ([id, { owner }]: [bigint, ContractReceipt]) => deposits.by(walletOf(owner), "claim", [id]);
  now = await step([...now.receipts].slice(0, 3).map(claim), 20 * DAY);
  const passed = one();
  if (passed) {
    const [id, { owner }] = passed;
    const to = deposits.wallet((walletOf(owner) % (WALLETS - 1)) + 1);
    now = await step([deposits.by(walletOf(owner), "transferFrom", [owner, to, id])], DAY);
  }
  now = await step([deposits.as("faucet", "repay", [now.books.deployed / 3n + 1n])], DAY);
  now = await step([...now.receipts].map(claim), DAY);
  now = await step([deposits.as("reporter", "bookLoss", [now.books.deployed / 4n + 1n, ROOT])], DAY);
  now = await step([deposits.as("faucet", "repay", [30_000n * DOLLAR])], 120 * DAY);
  now = await step([...now.receipts].slice(1).map(claim), DAY);
  await step([deposits.as("treasurer", "withdrawInterest", [5n * DOLLAR])], DAY);
  return { seen, before, after: await dollars() };
}
