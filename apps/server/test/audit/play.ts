import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { type Abi, type Address, encodeFunctionData, maxUint256, padHex } from "viem";
import { roleIds } from "../../../../contracts/deploy/roles.ts";
import { type DevnetRole, depositor, roleAccount } from "../../../../devnet/src/accounts.ts";
import type { Random } from "../../../../devnet/src/random.ts";
import { bindCall, recoveryCalls } from "../../../../devnet/src/seed/identity.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import { openPreciseVault, type StageVault } from "../indexer/preciseVault.ts";
import { openTermDeposit } from "../indexer/termWorld.ts";
import type { World } from "../indexer/world.ts";

const PEOPLE = 30;
const DOLLAR = 1_000_000n;
/** Smallest units of a share to one of the asset's. */
const SHARE_OFFSET = 10n ** 6n;
const WAD = 10n ** 18n;
const GAS = 1_500_000n;
const HOUR = 3_600;

type What = readonly [abi: Abi, functionName: string, ...args: unknown[]];
/** Actions with how often each is drawn. */
type Actions = readonly (readonly [weight: number, draw: () => Promise<Call[]> | Call[]])[];

/** Everybody who may call the contracts, calling them at random. */
export interface Play {
  /** Mines blocks of random calls. Calls that are not allowed at the time revert. */
  blocks(count: number): Promise<void>;
}

const call = (from: Call["from"], to: Address, [abi, functionName, ...args]: What): Call => ({
  ...{ from, to, what: functionName, gas: GAS },
  data: encodeFunctionData({ abi, functionName, args }),
});
const as = (role: DevnetRole, to: Address, what: What) => call(roleAccount(role), to, what);

/** Binds and funds many wallets, and adds a time deposit and another asset to a world of demand deposits. */
async function openStage(world: World) {
  const { addresses, queues } = world.deployed;
  const { testDollar, identityRegistry, accessManager } = addresses;
  const people = Array.from({ length: PEOPLE }, (_, index) => depositor(index));
  const vaults = world.shortIds.map((shortId, index): StageVault => {
    const [address, queue] = [world.vaults[index] as Address, queues.get(shortId) as Address];
    return { shortId, address, queue, asset: testDollar, unit: DOLLAR };
  });
  const precise = await openPreciseVault(world);
  vaults.push(precise);
  const terms = await openTermDeposit(world, { buffer: WAD / 10n });
  const newcomers = people.slice(terms.second + 1);
  const payers = [
    ...people,
    ...(["reporter", "custodian", "faucet", "treasurer"] as const).map((role) => roleAccount(role)),
  ];
  await world.chain.rpc.batch(
    payers.map(({ address }) => ({ method: "anvil_setBalance", params: [address, "0x56bc75e2d63100000"] })),
  );
  const { time } = await world.head();
  await world.mine(await Promise.all(newcomers.map((one) => bindCall(identityRegistry, one, { time }))));
  for (const payer of payers) {
    const approvals = [...vaults, { address: terms.address, asset: testDollar }].map(({ address, asset }) =>
      call(payer, asset, [testDollarAbi, "approve", address, maxUint256]),
    );
    const mints = [{ asset: testDollar, unit: DOLLAR }, precise].map(({ asset, unit }) =>
      as("faucet", asset, [testDollarAbi, "mint", payer.address, 10n ** 9n * unit]),
    );
    await world.mine([...mints, ...approvals]);
  }
  const announcer = roleAccount("editor").address;
  await world.mine([as("owner", accessManager, [accessManagerAbi as Abi, "grantRole", roleIds.owner, announcer, 60])]);
  // A term that ends within the play.
  await world.mine([terms.as("owner", "addTerm", [1, 0, WAD / 20n, WAD / 100n, WAD / 200n, 10n ** 12n, true])]);
  return { world, people, newcomers, vaults, terms };
}

/** What the actions draw and call. */
function toolsOf({ world, people, newcomers, vaults, terms }: Awaited<ReturnType<typeof openStage>>, random: Random) {
  const { identityRegistry, productRegistry, accessManager, telemetryAnchor } = world.deployed.addresses;
  const anyone = () => random.pick(people);
  const vault = () => random.pick(vaults);
  const amount = (most: number, { unit } = { unit: DOLLAR }) =>
    BigInt(random.between(1, most)) * unit + BigInt(random.between(0, 999_999));
  const shares = ({ unit }: StageVault) =>
    BigInt(random.between(1, 400)) * unit * SHARE_OFFSET + BigInt(random.between(0, 999_999));
  const byte = () => padHex(`0x${random.between(1, 255).toString(16)}`, { size: 32 });
  const now = async () => (await world.head()).time;
  /** A call of a role to a demand deposit. `args` draws its arguments for the deposit that was drawn. */
  const own = (functionName: string, args: (of: StageVault) => readonly unknown[] = () => []) => {
    const of = vault();
    return { by: (role: DevnetRole) => as(role, of.address, [demandVaultAbi as Abi, functionName, ...args(of)]) };
  };
  const ofTerm = (role: DevnetRole, functionName: string, ...args: unknown[]) =>
    as(role, terms.address, [termDepositAbi as Abi, functionName, ...args]);
  const ofIdentity = (role: DevnetRole, functionName: string, ...args: unknown[]) =>
    as(role, identityRegistry, [identityRegistryAbi as Abi, functionName, ...args]);
  const ofManager = (functionName: string, ...args: unknown[]) =>
    as("owner", accessManager, [accessManagerAbi as Abi, functionName, ...args]);
  const ofAnchor = (role: DevnetRole, functionName: string, ...args: unknown[]) =>
    as(role, telemetryAnchor, [telemetryAnchorAbi as Abi, functionName, ...args]);

  /** A call of the owner of a receipt, if the drawn one is live. */
  async function ofReceipt(functionName: string, ...args: unknown[]): Promise<Call[]> {
    const abi = termDepositAbi;
    const newest = await newestReceipt();
    if (newest === 0n) return [];
    const id = BigInt(random.between(1, Number(newest)));
    const owner = await world.client
      .readContract({ address: terms.address, abi, functionName: "ownerOf", args: [id] })
      .catch(() => null);
    const from = people.find(({ address }) => address === owner);
    return from ? [call(from, terms.address, [abi as Abi, functionName, id, ...args])] : [];
  }
  async function newestReceipt(): Promise<bigint> {
    const opened = await world.client.getContractEvents({
      ...{ address: terms.address, abi: termDepositAbi, eventName: "Opened", fromBlock: 0n, strict: true },
    });
    return opened.reduce((most, { args: { id } }) => (id > most ? id : most), 0n);
  }
  const termId = () => BigInt(random.pick([0, 1, 3, 3, 3]));

  /** A call that its caller must announce a minute before. */
  const delayed = () => [
    vault().address,
    encodeFunctionData({ abi: demandVaultAbi, functionName: "setMinDeposit", args: [BigInt(random.between(1, 3))] }),
  ];

  let listed = 0;
  async function listAnother(): Promise<Call[]> {
    listed += 1;
    const { call: create, address } = await world.createVault();
    return [create, { ...world.list(`late-${listed}-${random.between(0, 9_999)}`, address), gas: GAS }];
  }

  async function anchor(): Promise<Call[]> {
    const stream = nameHex(vault().shortId);
    const [, , to] = await world.client.readContract({
      ...{ address: telemetryAnchor, abi: telemetryAnchorAbi, functionName: "streamOf", args: [stream] },
    });
    return [
      ofAnchor("anchorer", "anchor", stream, byte(), to + 1n, BigInt(await now()), random.between(1, 50), byte()),
    ];
  }

  return {
    ...{ random, people, newcomers, vaults, terms, identityRegistry, productRegistry, accessManager },
    ...{ anyone, vault, amount, shares, byte, now, own, termId, delayed, listAnother, anchor },
    ...{ ofTerm, ofIdentity, ofManager, ofAnchor, ofReceipt },
  };
}
type Tools = ReturnType<typeof toolsOf>;

function demandActions({ random, anyone, vault, amount, shares, byte, now, own }: Tools): Actions {
  const part = () => WAD / BigInt(random.between(5, 50));
  /** A call of anyone to a demand deposit or its queue. */
  const any = (what: (one: Call["from"], of: StageVault) => What, to: "address" | "queue" = "address") => {
    const [one, of] = [anyone(), vault()];
    return [call(one, of[to], what(one, of))];
  };
  const ofVault = demandVaultAbi as Abi;
  const inQueue = redemptionQueueAbi as Abi;
  return [
    [34, () => any((one, of) => [ofVault, "deposit", amount(2_000, of), one.address])],
    [8, () => any((one, of) => [ofVault, "withdraw", amount(300, of), one.address, one.address])],
    [6, () => any((_, of) => [ofVault, "transfer", anyone().address, shares(of)])],
    [14, () => any((one, of) => [inQueue, "requestRedeem", shares(of), one.address, one.address], "queue")],
    [5, () => [as("keeper", vault().queue, [inQueue, "process"])]],
    [6, () => any((one) => [inQueue, "claim", one.address, one.address], "queue")],
    [
      8,
      async () => {
        const asOf = BigInt(await now());
        const gain = (of: StageVault) => (BigInt(random.between(0, 2_000)) * of.unit) / DOLLAR;
        return [own("report", (of) => [gain(of), asOf, byte()]).by("reporter")];
      },
    ],
    [
      4,
      async () => {
        const asOf = BigInt(await now());
        return [own("report", (of) => [-amount(60, of), asOf, byte()]).by("reporter")];
      },
    ],
    [2, () => [own(random.pick(["confirmLoss", "takeBackLoss"])).by("confirmer")]],
    [2, () => [own("restore", (of) => [amount(10, of)]).by("confirmer")]],
    [5, () => [own("deploy", (of) => [amount(1_000, of)]).by("treasurer")]],
    [4, () => [own("repay", (of) => [amount(300, of)]).by("custodian")]],
    [2, () => [own("skim").by("keeper")]],
    [1, () => [own("pause").by("guardian")]],
    [3, () => [own("unpause").by("owner")]],
    [
      2,
      () => [
        own("setCap", (of) => [amount(900_000, of) * 10n]).by("owner"),
        own("setMinDeposit", (of) => [amount(9, of)]).by("owner"),
      ],
    ],
    [1, () => [own("setTreasury", () => [roleAccount("treasury").address, part()]).by("owner")]],
    [1, () => [own("setCustodian", () => [roleAccount("custodian").address, part()]).by("owner")]],
    [1, () => [own("renewEvidence", () => [byte(), BigInt(2_000_000_000 + random.between(0, 99_999))]).by("reporter")]],
  ];
}

function termActions({ random, anyone, amount, byte, terms, termId, ofTerm, ofReceipt }: Tools): Actions {
  return [
    [12, () => [call(anyone(), terms.address, [termDepositAbi as Abi, "open", termId(), amount(2_000), maxUint256])]],
    [6, () => ofReceipt("exitEarly", amount(300), 0n)],
    [6, () => ofReceipt("close")],
    [3, () => ofReceipt("rollover", termId(), 0n, 1n)],
    [3, () => ofReceipt("setAutoRoll", termId(), 0n, 1n)],
    [2, () => ofReceipt("autoRoll")],
    [2, () => [ofTerm("owner", "setTerm", termId(), 10n ** 12n, random.chance(700))]],
    [1, () => [ofTerm("owner", "addTerm", random.between(1, 20), 0, WAD / 20n, WAD / 100n, 0n, 10n ** 12n, true)]],
    [1, () => [ofTerm("owner", "setLimits", 10n ** 13n, amount(20))]],
    [3, () => [ofTerm("treasurer", random.pick(["fundInterest", "withdrawInterest"]), amount(200))]],
    [3, () => [ofTerm("treasurer", "deploy", amount(500))]],
    [3, () => [ofTerm("faucet", "repay", amount(300))]],
    [2, () => [ofTerm("reporter", "bookLoss", amount(20), byte())]],
    [1, () => [ofTerm("confirmer", random.pick(["confirmLoss", "takeBackLoss"]))]],
    [1, () => [ofTerm("guardian", "pause")]],
    [3, () => [ofTerm("owner", "unpause")]],
  ];
}

/** Batches, keys, identities, roles and the list of products. */
function otherActions(tools: Tools): Actions {
  const { random, anyone, newcomers, vault, byte, now, delayed, listAnother, anchor } = tools;
  const { identityRegistry, productRegistry, accessManager, ofAnchor, ofIdentity, ofManager } = tools;
  return [
    [6, anchor],
    [2, () => [ofAnchor("keeper", "keepHead", nameHex(vault().shortId))]],
    [
      2,
      async () => [
        ofAnchor(
          "registrar",
          "registerSecp256k1Key",
          nameHex(`meter-${random.between(0, 5)}`),
          anyone().address,
          BigInt((await now()) + 400 + random.between(0, HOUR)),
        ),
      ],
    ],
    [1, () => [ofAnchor("registrar", "revokeKey", nameHex(`meter-${random.between(0, 5)}`))]],
    [1, () => [ofIdentity("guardian", "freeze", anyone().address)]],
    [3, () => [ofIdentity("owner", "unfreeze", anyone().address)]],
    [
      1,
      async () => [
        ofIdentity("attester", "renew", anyone().address, BigInt((await now()) + random.between(HOUR, 900 * HOUR))),
      ],
    ],
    [
      1,
      async () => {
        const one = random.pick(newcomers);
        return [
          ofIdentity("attester", "revoke", one.address),
          await bindCall(identityRegistry, one, { time: await now() }),
        ];
      },
    ],
    [
      1,
      async () =>
        recoveryCalls(identityRegistry, {
          wallet: random.pick(newcomers).address,
          successor: depositor(random.between(PEOPLE, 40)),
          time: await now(),
        }),
    ],
    [1, () => [ofIdentity("attester", "cancelRecovery", random.pick(newcomers).address)]],
    [1, () => [call(random.pick(newcomers), identityRegistry, [identityRegistryAbi as Abi, "vetoRecovery"])]],
    [1, () => [ofManager("grantRole", roleIds.anchorer, anyone().address, random.between(0, 90))]],
    [1, () => [ofManager("revokeRole", roleIds.anchorer, anyone().address)]],
    [2, () => [as("editor", accessManager, [accessManagerAbi as Abi, "schedule", ...delayed(), 0])]],
    [2, () => [as("editor", accessManager, [accessManagerAbi as Abi, "execute", ...delayed()])]],
    [
      1,
      () => [
        as("editor", accessManager, [accessManagerAbi as Abi, "cancel", roleAccount("editor").address, ...delayed()]),
      ],
    ],
    [1, () => [ofManager("labelRole", BigInt(random.between(200, 299)), `desk ${random.between(0, 99)}`)]],
    [1, () => [as("owner", productRegistry, [productRegistryAbi as Abi, "setMetadata", vault().shortId, byte()])]],
    [1, () => [as("guardian", productRegistry, [productRegistryAbi as Abi, "close", vault().shortId])]],
    [3, () => [as("owner", productRegistry, [productRegistryAbi as Abi, "open", vault().shortId])]],
    [1, listAnother],
  ];
}

/** Prepares a world of demand and time deposits with many wallets. */
export async function openPlay(world: World, random: Random): Promise<Play> {
  const tools = toolsOf(await openStage(world), random);
  const actions = [...demandActions(tools), ...termActions(tools), ...otherActions(tools)];
  const weights = actions.reduce((sum, [weight]) => sum + weight, 0);
  const draw = () => {
    let left = random.between(1, weights);
    for (const [weight, action] of actions) {
      left -= weight;
      if (left <= 0) return action();
    }
    throw new Error("the weights do not add up");
  };

  return {
    async blocks(count) {
      for (let block = 0; block < count; block += 1) {
        const calls: Call[] = [];
        for (let most = random.between(0, 5); most > 0; most -= 1) calls.push(...(await draw()));
        const at = (await tools.now()) + random.pick([1, 12, 12, 60, 300, 900]);
        await world.send(calls);
        await world.chain.rpc.call("evm_mine", [{ timestamp: at }]);
        await world.forgetNonces();
      }
    },
  };
}
