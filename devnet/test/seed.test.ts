import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { type LanguageCode, languageCodes } from "@aqua/sdk/languages";
import { afterReport, firstMark } from "@aqua/sdk/maths/report";
import { timeUnits } from "@aqua/sdk/maths/term";
import { readBatchFile } from "@aqua/sdk/proofs/batch";
import { encodeReading, fromHex, nameHex, noReading, readingHash, toHex, typedDigest } from "@aqua/sdk/proofs/reading";
import {
  type Address,
  createPublicClient,
  decodeFunctionData,
  type Hex,
  http,
  keccak256,
  type PublicClient,
  sha256,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_DEPOSITOR, DEPOSITOR_COUNT, depositor, roleAccount, successorWallet } from "../src/accounts.ts";
import { type Chain, startChain } from "../src/chain.ts";
import { type DeployedWorld, deployContracts } from "../src/deploy.ts";
import { documentHash } from "../src/documents.ts";
import { type SealedBatches, sealBatches } from "../src/fleet/batches.ts";
import { devicesOf, fleet } from "../src/fleet/devices.ts";
import { signerFor } from "../src/fleet/keys.ts";
import { gainFor, otherIncome } from "../src/income.ts";
import { announcedFee, devnetProducts, performanceFee, shortIds, timeProducts, vaultLimits } from "../src/products.ts";
import { OWNER_DELAY } from "../src/roles.ts";
import { lapsed } from "../src/seed/evidence.ts";
import { flood, mistake } from "../src/seed/intents.ts";
import { type Plan, planWorld } from "../src/seed/plan.ts";
import { frozen, recovered } from "../src/seed/records.ts";
import { runPlan } from "../src/seed/run.ts";
import { Sender } from "../src/sender.ts";
import { reportsOf } from "./support/books.ts";
import { freePort } from "./support/port.ts";
import { assetFiguresIn, demandTexts, lateText, textOf, timeTexts } from "./support/texts.ts";
import { walletAtEnd } from "./support/wallets.ts";

const DAY = 86_400;
const END = Date.UTC(2026, 10, 22, 1) / 1_000;

/** Figures of the invented assets in the English texts. All other figures come from the chain or the metric. */
const assetFigures: Readonly<Record<string, readonly string[]>> = {
  "sahel-solar": ["3,400", "5.2", "40,000"],
  "aegean-water": ["6,200", "40", "2041", "1.85", "3", "72"],
  "alps-hydro": ["4.6", "17", "3,800", "0.112", "2038", "31"],
  "lofoten-tidal": ["0.6", "1.35"],
  "amman-mains": ["14", "75"],
  "jutland-biogas": ["60", "310,000", "14", "2033"],
  "atlantic-forest": ["2,800", "84", "2044"],
};

/** Seconds over which a report that covers a year is streamed. */
const longestStream = (() => {
  const stream = { settled: 1n, streaming: 0n, start: 0n, end: 0n };
  const books = { stream, supply: 0n, deployed: 0n, mark: firstMark, fee: 0n };
  const { vestingTime } = vaultLimits;
  const { start, end } = afterReport({ books, delta: 1n, at: 0n, covered: 365n * BigInt(DAY), vestingTime }).books
    .stream;
  return end - start;
})();

describe.each([
  { name: "year", days: 365, depositors: DEPOSITOR_COUNT },
  { name: "month", days: 30, depositors: 8 },
])("after a $name, the chain equals the plan to the last unit", ({ days, depositors }) => {
  let chain: Chain;
  let client: PublicClient;
  let world: DeployedWorld;
  let plan: Plan;
  let batches: SealedBatches;
  /** Time of the chain's last block. */
  let now: number;

  beforeAll(async () => {
    const genesisTime = END - days * DAY;
    chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
    client = createPublicClient({ transport: http(chain.url, { retryCount: 0, batch: true }), cacheTime: 0 });
    const sender = await Sender.on(chain.rpc);
    plan = planWorld({ start: genesisTime + 12, end: END - 60, depositors });
    world = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence: plan.evidence });
    ({ batches } = await sealBatches(plan, world.addresses.telemetryAnchor));
    await runPlan({ sender, world, plan, batches, end: END });
    now = Number((await client.getBlock()).timestamp);
  });
  afterAll(() => chain?.stop());

  it.each(devnetProducts.map(({ shortId }) => shortId))(
    "in the pool, holders, queue and claims of %s",
    async (shortId) => {
      const model = plan.vaults.get(shortId);
      const [vault, queue] = [world.vaults.get(shortId) as Address, world.queues.get(shortId) as Address];
      if (model === undefined) throw new Error("no model");
      const ofVault = { address: vault, abi: demandVaultAbi } as const;
      const ofQueue = { address: queue, abi: redemptionQueueAbi } as const;
      expect(await client.readContract({ ...ofVault, functionName: "totalAssets" })).toBe(model.totalAssets(now));
      expect(await client.readContract({ ...ofVault, functionName: "totalSupply" })).toBe(model.supply);
      expect(await client.readContract({ ...ofVault, functionName: "instantLiquidity" })).toBe(model.instant(now));
      const desk = await client.readContract({ ...ofVault, functionName: "desk" });
      expect({ deployed: desk.deployed, mark: desk.mark }).toEqual({ deployed: model.deployed, mark: model.mark });
      const { shares, assets } = model.processed;
      const totals = await client.readContract({ ...ofQueue, functionName: "totals" });
      expect(totals).toEqual([model.requested, model.due(now), shares, assets]);
      const inside = await client.readContract({
        address: world.addresses.testDollar,
        abi: demandVaultAbi,
        functionName: "balanceOf",
        args: [vault],
      });
      const setAside = await client.readContract({ ...ofVault, functionName: "setAside" });
      expect(inside).toBe(model.idle + model.surplus + setAside);
      const everyone = [...Array.from({ length: depositors }, (_, index) => index), DEMO_DEPOSITOR];
      const held = await Promise.all(
        everyone.map(async (index) => {
          const args = [walletAtEnd(index)] as const;
          return Promise.all([
            client.readContract({ ...ofVault, functionName: "balanceOf", args }),
            client.readContract({ ...ofQueue, functionName: "maxRedeem", args }),
            client.readContract({ ...ofQueue, functionName: "maxWithdraw", args }),
            client.readContract({ ...ofQueue, functionName: "pendingRedeemRequest", args: [0n, ...args] }),
          ]);
        }),
      );
      const planned = everyone.map((index) => {
        const claimable = model.claimable(index);
        return [model.sharesOf(index), claimable.shares, claimable.assets, model.pending(index)];
      });
      expect(held).toEqual(planned);
      expect(setAside).toBe(planned.reduce((sum, [, , assets]) => sum + (assets as bigint), 0n));
    },
  );

  it.each(timeProducts.map(({ shortId }) => shortId))("in the accounts and every receipt of %s", async (shortId) => {
    const model = plan.termDeposits.get(shortId);
    if (model === undefined) throw new Error("no model");
    const contract = { address: world.termDeposits.get(shortId) as Address, abi: termDepositAbi } as const;
    const { buffer: _, ...accounts } = model.accounts;
    expect(await client.readContract({ ...contract, functionName: "books" })).toEqual(accounts);
    const coverage = await client.readContract({ ...contract, functionName: "coverage" });
    expect(coverage).toBeGreaterThanOrEqual(10n ** 18n);
    for (const [id, planned] of model.receipts) {
      const args = [BigInt(id)] as const;
      const [receipt, paid] = await client.readContract({ ...contract, functionName: "receiptOf", args });
      const { principal, openedAt, maturity, termId, status, roll, rollTermId } = planned;
      const matured = status === 1 && BigInt(now) >= maturity;
      expect({ id, ...receipt, paid }).toEqual({
        id,
        principal,
        openedAt,
        maturity,
        termId: BigInt(termId),
        status: matured ? 2n : BigInt(status),
        roll: BigInt(roll),
        rollTermId: BigInt(rollTermId),
        paid: 0n,
      });
      if (status === 1) {
        const owner = await client.readContract({ ...contract, functionName: "ownerOf", args });
        expect(owner).toBe(walletAtEnd(planned.holder));
      }
    }
    const next = [BigInt(model.receipts.size + 1)] as const;
    const [none] = await client.readContract({ ...contract, functionName: "receiptOf", args: next });
    expect(none.status).toBe(0n);
  });

  it.each(shortIds)("in the batches of %s, and each file is the one whose hash is anchored", async (shortId) => {
    const events = await client.getContractEvents({
      address: world.addresses.telemetryAnchor,
      abi: telemetryAnchorAbi,
      eventName: "Anchored",
      strict: true,
      args: { stream: nameHex(shortId) },
      fromBlock: 0n,
    });
    const sealed = batches.get(shortId) ?? [];
    expect(sealed.length).toBeGreaterThan(3);
    const said = events.map(({ args: { stream: _, ...args } }) => args);
    expect(said).toEqual(
      sealed.map(({ header: { number, root, from, to, count }, head, file }) => ({
        batch: BigInt(number),
        root,
        from: BigInt(from),
        to: BigInt(to),
        count,
        head,
        dataHash: keccak256(file),
      })),
    );
    const held = sealed.flatMap(({ file }) => readBatchFile(file).readings);
    expect(held).toHaveLength(devicesOf(shortId).reduce((all, one) => all + plan.history.readingsOf(one).length, 0));
  });

  it("in the keys of every device: each reading is signed by the current key of the device and of its co-signer", async () => {
    const anchor = { address: world.addresses.telemetryAnchor, abi: telemetryAnchorAbi } as const;
    const changed = fleet.filter((device) => plan.history.keyAt(device, END) === 1);
    expect(changed).toHaveLength(2);
    for (const device of fleet) {
      const readings = [...batches.values()]
        .flat()
        .flatMap(({ file }) => (changed.includes(device) || device.co_signer ? readBatchFile(file).readings : []))
        .filter((reading) => reading.device === device.name);
      const some = readings.filter((_, index) => index % 60 === 0 || index === readings.length - 1);
      for (const { signature, co_signature: co, value, prev, ...reading } of some) {
        expect(co?.by).toBe(device.co_signer);
        const encoding = encodeReading({ ...reading, value: BigInt(value), prev: toHex(fromHex(prev)) });
        const digest = device.key === "p256" ? sha256(encoding) : toHex(typedDigest(readingHash(encoding)));
        const second = BigInt(Math.floor(reading.time / 1_000));
        for (const one of [{ by: device.name, signature }, ...(co ? [co] : [])]) {
          const args = [nameHex(one.by), second, digest, one.signature as Hex] as const;
          expect(await client.readContract({ ...anchor, functionName: "isSignedBy", args })).toBe(true);
        }
      }
      const used = new Set(readings.map(({ time }) => plan.history.keyAt(device, Math.floor(time / 1_000))));
      if (changed.includes(device)) expect(used).toEqual(new Set([0, 1]));
      const [kind, x, y] = await client.readContract({
        ...anchor,
        functionName: "keyAt",
        args: [nameHex(device.name), BigInt(now)],
      });
      const signer = signerFor(device, changed.includes(device) ? 1 : 0);
      expect({ name: device.name, kind, x, y }).toEqual({
        name: device.name,
        kind: signer.kind === "p256" ? 1 : 2,
        x: signer.x,
        y: signer.y,
      });
    }
  });

  it.each(devnetProducts.map(({ shortId }) => shortId))(
    "in the income of %s, which follows from the readings under the head that each report names",
    async (shortId) => {
      const reports = await reportsOf(client, world.vaults.get(shortId) as Address);
      const sealed = batches.get(shortId) ?? [];
      const readings = sealed.flatMap(({ file, header }) =>
        readBatchFile(file).readings.map((reading) => ({ ...reading, batch: header.number })),
      );
      const registers = devicesOf(shortId)
        .filter(({ kind }) => kind === "register")
        .map(({ name }) => readings.filter(({ device }) => device === name));
      /** Income in reports beyond the income of their readings. */
      const other: bigint[] = [];
      let earned = 0;
      for (const { delta, asOf, evidence, from, assets } of reports) {
        const named = evidence === noReading ? 0 : sealed.findIndex(({ head }) => head === evidence) + 1;
        expect(named > 0 || evidence === noReading).toBe(true);
        if (delta < 0n) continue;
        let counted = 0n;
        for (const dial of registers) {
          const lastBy = (at: number) =>
            dial.findLast(({ time, batch }) => Math.floor(time / 1_000) <= at && batch <= named);
          const [first, last] = [lastBy(from) ?? dial[0], lastBy(asOf)];
          if (first && last) counted += (BigInt(last.value) - BigInt(first.value)) * 10n ** BigInt(18 + last.exponent);
        }
        const expected = gainFor(shortId, counted, assets);
        if (expected > 0n) earned += 1;
        if (delta !== expected) other.push(delta - expected);
      }
      expect(earned).toBeGreaterThan(reports.length / 3);
      // Exactly one report of all products has such income: the insurer's advance for the flood, which the document names.
      expect(other).toEqual(shortId === flood.shortId ? [otherIncome(shortId)] : []);
      expect(otherIncome(shortId) > 0n).toBe(shortId === flood.shortId);
    },
  );

  it("after the mistaken loss: the price is the same as without it", async () => {
    const address = world.vaults.get(mistake.shortId) as Address;
    const of = { address, abi: demandVaultAbi, fromBlock: 0n, strict: true } as const;
    const [reports, reviewed, takenBack] = await Promise.all([
      client.getContractEvents({ ...of, eventName: "Reported" }),
      client.getContractEvents({ ...of, eventName: "LossReviewed" }),
      client.getContractEvents({ ...of, eventName: "LossTakenBack" }),
    ]);
    const losses = reports.filter(({ args }) => args.delta < 0n);
    expect([losses.length, reviewed.length, takenBack.length]).toEqual([1, 1, 1]);
    expect(takenBack[0]?.args.assets).toBe(-(losses[0]?.args.delta ?? 0n));
  });

  it("in the records of the wallet that is frozen and of the one that was recovered", async () => {
    const registry = { address: world.addresses.identityRegistry, abi: identityRegistryAbi } as const;
    const statusOf = (wallet: Address) =>
      client.readContract({ ...registry, functionName: "statusOf", args: [wallet] });
    const old = depositor(recovered.depositor).address;
    const args = [old] as const;
    expect(await client.readContract({ ...registry, functionName: "successorOf", args })).toBe(
      successorWallet().address,
    );
    expect(await client.readContract({ ...registry, functionName: "canSend", args })).toBe(false);
    expect(await statusOf(depositor(frozen.depositor).address)).not.toBe(await statusOf(depositor(0).address));
    expect(await statusOf(successorWallet().address)).toBe(await statusOf(depositor(0).address));
  });

  it("in evidence that lapsed and was renewed, for a demand and a time deposit", async () => {
    const lapses = [...plan.evidence].filter(([, term]) => lapsed(term));
    expect(lapses.map(([shortId]) => world.vaults.has(shortId))).toEqual([true, false]);
    expect(plan.evidence.size).toBe(shortIds.length);
    for (const [shortId, { until, renewedUntil }] of lapses) {
      const address = (world.vaults.get(shortId) ?? world.termDeposits.get(shortId)) as Address;
      // Both types of product emit this event.
      const of = { address, abi: demandVaultAbi, fromBlock: 0n, strict: true } as const;
      const [first, renewal, ...more] = await client.getContractEvents({ ...of, eventName: "EvidenceRenewed" });
      expect([first?.args.until, renewal?.args.until, more]).toEqual([BigInt(until), BigInt(renewedUntil), []]);
      expect(renewal?.args.document).toBe(await documentHash(shortId));
      const { timestamp } = await client.getBlock({ blockNumber: renewal?.blockNumber ?? 0n });
      expect(Number(timestamp)).toBeGreaterThan(until);
      expect(renewedUntil).toBeGreaterThan(END + 20 * DAY);
      const began = world.vaults.has(shortId)
        ? await client.getContractEvents({ ...of, eventName: "Deposit" })
        : await client.getContractEvents({ ...of, abi: termDepositAbi, eventName: "Opened" });
      const times = await Promise.all(
        began.map(async ({ blockNumber }) => Number((await client.getBlock({ blockNumber })).timestamp)),
      );
      expect(times.filter((time) => time >= until && time < Number(timestamp))).toEqual([]);
      expect(times.some((time) => time < until) && times.some((time) => time > Number(timestamp))).toBe(true);
    }
  });

  it("in the owner's delay, which a scheduled fee rise awaits", async () => {
    const manager = { address: world.addresses.accessManager, abi: accessManagerAbi } as const;
    const scheduled = await client.getContractEvents({
      ...manager,
      eventName: "OperationScheduled",
      fromBlock: 0n,
      strict: true,
    });
    expect(scheduled).toHaveLength(1);
    const { caller, target, schedule, data, operationId } = scheduled[0]?.args ?? {};
    expect({ caller, target }).toEqual({
      caller: roleAccount("owner").address,
      target: world.vaults.get(announcedFee.shortId),
    });
    expect(decodeFunctionData({ abi: demandVaultAbi, data: data as Hex })).toEqual({
      functionName: "setTreasury",
      args: [roleAccount("treasury").address, announcedFee.fee],
    });
    expect(announcedFee.fee).toBeGreaterThan(performanceFee);
    expect(Number(schedule) - now).toBeGreaterThan(DAY);
    const pending = await client.readContract({
      ...manager,
      functionName: "getSchedule",
      args: [operationId as Hex],
    });
    expect(pending).toBe(schedule);
  });

  it.each(devnetProducts)(
    "in the sentences about the vault in the document of $shortId, in each language",
    async (product) => {
      const { shortId, closedAfter } = product;
      const of = { address: world.vaults.get(shortId) as Address, abi: demandVaultAbi } as const;
      const { buffer, fee } = await client.readContract({ ...of, functionName: "desk" });
      const vestingTime = await client.readContract({ ...of, functionName: "vestingTime" });
      const maxReportAge = await client.readContract({ ...of, functionName: "maxReportAge" });
      const settings = {
        buffer,
        fee,
        vestingTime: BigInt(vestingTime),
        maxReportAge: BigInt(maxReportAge),
        longestStream,
      };
      for (const language of languageCodes) {
        const text = textOf(shortId, language);
        const wanted = demandTexts(settings, { language, closed: closedAfter !== undefined });
        for (const words of wanted) expect(text, language).toMatch(words);
      }
      expect(
        assetFiguresIn(shortId, demandTexts(settings, { language: "en-US", closed: closedAfter !== undefined })),
      ).toEqual(assetFigures[shortId]);
    },
  );

  it.each(timeProducts)(
    "in the sentences about the contract in the document of $shortId, in each language",
    async ({ shortId }) => {
      const of = { address: world.termDeposits.get(shortId) as Address, abi: termDepositAbi } as const;
      const buffer = await client.readContract({ ...of, functionName: "buffer" });
      const grace = await client.readContract({ ...of, functionName: "DEMAND_GRACE" });
      const terms = await Promise.all(
        [0n, 1n, 2n].map((id) => client.readContract({ ...of, functionName: "termOf", args: [id] })),
      );
      const settings = {
        buffer,
        terms: terms.map(({ count, unit, rate, breakRate, penalty }) => {
          const name = timeUnits[Number(unit)];
          if (name === undefined || name === "day") throw new Error("The texts have no term of days.");
          return { count: Number(count), unit: name, rate, breakRate, penalty };
        }),
      };
      const late = (language: LanguageCode) => (shortId === "amman-mains" ? [lateText(BigInt(grace), language)] : []);
      for (const language of languageCodes) {
        const text = textOf(shortId, language);
        for (const words of [...timeTexts(settings, language), ...late(language)])
          expect(text, language).toMatch(words);
      }
      const said = [...timeTexts(settings, "en-US"), ...late("en-US")];
      expect(assetFiguresIn(shortId, said)).toEqual(assetFigures[shortId]);
    },
  );

  it("in the closed product", async () => {
    for (const { shortId, closedAfter } of devnetProducts) {
      const [, , , status] = await client.readContract({
        address: world.addresses.productRegistry as Hex,
        abi: productRegistryAbi,
        functionName: "productOf",
        args: [shortId],
      });
      expect({ shortId, status }).toEqual({ shortId, status: closedAfter === undefined ? 0 : 1 });
    }
  });
});
