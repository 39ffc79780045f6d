import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import {
  type Address,
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  parseAbiParameters,
  stringToHex,
  toHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Anvil, passTime, putToken, sendAs, startAnvil, through } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { account, demandProduct, TOKEN, timeProduct, validConfig } from "./support/config.ts";
import { deployed } from "./support/deployed.ts";
import { keystoreOf, PASSPHRASE, secretFile } from "./support/keystore.ts";

const CHAIN = 4244;
const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const of = (key: Hex) => privateKeyToAccount(key).address;
const keys = {
  REPORTER_PRIVATE_KEY: keyOf("81"),
  TREASURER_PRIVATE_KEY: keyOf("82"),
  CUSTODIAN_PRIVATE_KEY: keyOf("83"),
  KEEPER_PRIVATE_KEY: keyOf("84"),
  CONFIRMER_PRIVATE_KEY: keyOf("86"),
};
const [reporter, treasurer, custodian, keeper, confirmer] = Object.values(keys).map(of) as [
  ...[Address, Address, Address, Address, Address],
];
const deployer = privateKeyToAccount(keyOf("42"));
const attester = account(4);
const saver = privateKeyToAccount(keyOf("85"));
const DAY = 86_400;
const dollars = (whole: number) => BigInt(whole) * 1_000_000n;

let chain: Anvil;
let server: Server;
let folder: string;
let [vault, term, queue]: [Address, Address, Address] = ["0x", "0x", "0x"];
let ready: Hex;
/** The server's answers about the income that may be reported, and about liquidity. */
let next: object;
let liquidity: object;

const clientOf = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });
const pass = (seconds: number) => passTime(chain, seconds);
const now = async () => Number((await clientOf().getBlock()).timestamp);

async function mint(holder: Address, units: bigint) {
  const slot = keccak256(encodeAbiParameters(parseAbiParameters("address, uint256"), [holder, 0n]));
  await chain.rpc("anvil_setStorageAt", [TOKEN, slot, toHex(units, { size: 32 })]);
}
const balanceOf = (holder: Address) =>
  clientOf().readContract({ address: TOKEN, abi: erc20Abi, functionName: "balanceOf", args: [holder] });
const approve = (from: Address, product: Address) =>
  sendAs(
    chain,
    from,
    TOKEN,
    encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [product, 2n ** 200n] }),
  );

beforeAll(async () => {
  chain = await startAnvil(CHAIN);
  folder = await mkdtemp(join(tmpdir(), "aqua-money-"));
  await putToken(chain, TOKEN, "USDC");
  for (const holder of [deployer.address, reporter, treasurer, custodian, keeper, confirmer])
    await chain.rpc("anvil_setBalance", [holder, "0x8ac7230489e80000"]);
  const valid = validConfig(CHAIN);
  const content = {
    ...valid,
    roles: { ...valid.roles, reporter, treasurer, confirmer },
    products: [
      { ...demandProduct, custodian },
      { ...timeProduct, custodian },
    ],
  };
  const deployment = await deployed(chain, { folder, deployer, content });
  const registry = { address: deployment.product_registry as Address, abi: productRegistryAbi } as const;
  const addressOf = async (shortId: string) =>
    (await clientOf().readContract({ ...registry, functionName: "productOf", args: [shortId] }))[0];
  [vault, term] = [await addressOf("sahel-solar"), await addressOf("delta-wind")];
  ({ queue } = await clientOf().readContract({ address: vault, abi: demandVaultAbi, functionName: "desk" }));
  const line = `\nRequest ID: 0x${"ab".repeat(16)}`;
  const signature = await saver.signMessage({ message: `Link.${line}` });
  const subject = BigInt(`0x${"ab".repeat(16)}`);
  const bound = [saver.address, subject, 4_000_000_000n, 250, 1, stringToHex("Link."), signature] as const;
  const bind = encodeFunctionData({ abi: identityRegistryAbi, functionName: "bind", args: bound });
  await sendAs(chain, attester, deployment.identity_registry, bind);
  await mint(saver.address, dollars(200_000));
  await approve(saver.address, vault);
  const deposit = [dollars(100_000), saver.address] as const;
  await sendAs(
    chain,
    saver.address,
    vault,
    encodeFunctionData({ abi: demandVaultAbi, functionName: "deposit", args: deposit }),
  );
  server = createServer((request, response) => {
    const [, shortId, what] = /^\/api\/v2\/product\/(.+?)\/(income\/next|liquidity)$/.exec(request.url ?? "") ?? [];
    expect(shortId).toMatch(/^(sahel-solar|delta-wind)$/);
    const data = what === "liquidity" ? liquidity : next;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ready = await chain.rpc("evm_snapshot");
});
afterAll(async () => {
  server?.close();
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await chain.rpc("evm_revert", [ready]);
  ready = await chain.rpc("evm_snapshot");
});

const money = (args: readonly string[], { rpc = chain.url, change = {} }: { rpc?: string; change?: object } = {}) =>
  runAqua(["money", ...args, "--chain", String(CHAIN), "--rpc", rpc, "--deployments", folder], {
    ...keys,
    AQUA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...change,
  });
const figures = async (shortId = "sahel-solar") => JSON.parse((await money(["coverage", shortId, "--json"])).out);
/** The newest block; it changes when anything is sent. */
const height = () => chain.rpc("eth_blockNumber");

/** Runs the command, which must refuse for this reason and send nothing. */
async function refused(args: readonly string[], why: string | RegExp, change: object = {}) {
  const before = await height();
  const { code, error } = await money(args, { change });
  expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(why) });
  expect(error).toMatch(/^aqua: .*\n$/);
  expect(await height()).toBe(before);
}

describe("aqua money coverage", () => {
  it("shows what a demand deposit holds, owes and may deploy", async () => {
    const { out } = await money(["coverage", "sahel-solar"]);
    expect(out).toMatch(/^sahel-solar on chain 4244, \d{4}-\S+Z\nFIGURE +USDC\n/);
    expect(out).toMatch(/^total assets +100000\.000000$/m);
    expect(await figures()).toMatchObject({
      ...{ product: "sahel-solar", asset: "USDC", cash: "100000.000000", deployed: "0.000000" },
      ...{ deployable: "80000.000000", buffer: "20000.000000", owed_to_queue: "0.000000", surplus: "0.000000" },
    });
  });

  it("names a product that the chain does not have, and one without a queue", async () => {
    await refused(["coverage", "nowhere"], "chain 4244 has no product nowhere");
    const without = async (_: string, answer: () => Promise<string>) =>
      (await answer()).replaceAll(queue.slice(2).toLowerCase(), "0".repeat(40));
    const { code, error } = await through(chain, without, (rpc) => money(["coverage", "sahel-solar"], { rpc }));
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("sahel-solar has no queue yet") });
  });
});

describe("aqua money deploy and repay", () => {
  it("shows bounds and figures without sending, then sends, and brings the money back", async () => {
    const act = ["deploy", "sahel-solar", "--amount", "50000.5"];
    const before = await height();
    const { code, out } = await money([...act, "--dry-run"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^BOUND\nat most +80000\.000000 USDC: the cash without the buffer/);
    expect(out).toContain(`1  deploy 50000.500000 USDC of sahel-solar to the custodian ${custodian}\n`);
    expect(out).toMatch(/^FIGURE +BEFORE +AFTER$/m);
    expect(out).toMatch(/^deployed +0\.000000 +50000\.500000 +\*$/m);
    expect(out).toMatch(/Nothing was sent\. Without --dry-run the command sends it\.\n$/);
    expect(await height()).toBe(before);

    expect((await money(act)).out).toMatch(/Sent: deploy 50000\.500000 USDC .*, transaction 0x[0-9a-f]{64}\n$/);
    expect(await balanceOf(custodian)).toBe(50_000_500_000n);
    expect(await figures()).toMatchObject({ deployed: "50000.500000", deployable: "29999.500000" });

    const back = await money(["repay", "sahel-solar", "--amount", "10000", "--json"]);
    const { bounds, transactions, sent, before: earlier, after } = JSON.parse(back.out);
    expect(bounds).toEqual({ at_most: "50000.500000" });
    expect(transactions.map(({ to }: { to: string }) => to)).toEqual([TOKEN, vault]);
    expect(sent).toHaveLength(2);
    expect([earlier.deployed, after.deployed]).toEqual(["50000.500000", "40000.500000"]);
    expect(await figures()).toMatchObject({ deployed: "40000.500000", cash: "59999.500000" });
  });

  it("refuses what exceeds a bound, a missing role or key, and money that is not there", async () => {
    const to = (act: string, amount: string) => [act, "sahel-solar", "--amount", amount];
    await refused(to("deploy", "80000.000001"), "80000.000001 USDC exceed what may be deployed, 80000.000000 USDC");
    await refused(to("deploy", "0"), "--amount must be an amount above 0 with at most 6 decimals");
    await refused(to("deploy", "1.0000001"), "--amount must be an amount above 0 with at most 6 decimals");
    await refused(to("deploy", "1"), `${keeper} does not hold the role of the treasurer`, {
      TREASURER_PRIVATE_KEY: keys.KEEPER_PRIVATE_KEY,
    });
    await refused(
      to("deploy", "1"),
      "TREASURER_PRIVATE_KEY or TREASURER_KEYSTORE must be set to the key of the treasurer",
      {
        TREASURER_PRIVATE_KEY: "",
      },
    );
    await refused([...to("deploy", "1"), "--from", keeper], `TREASURER_KEYSTORE is the key of ${treasurer}, not of`);
    await refused(to("repay", "1"), "1.000000 USDC exceed what is deployed, 0.000000 USDC");
    await money(to("deploy", "100"));
    await mint(custodian, dollars(30));
    await refused(to("repay", "100"), `${custodian} has 30.000000 USDC, and 70.000000 USDC are missing`);
    expect(await money([...to("deploy", "1"), "--dry-run", "--export", "safe"])).toMatchObject({ code: 2 });
    expect(await money(["deploy", "sahel-solar"])).toMatchObject({ code: 2 });
  });

  it("sets an earlier, lower allowance to zero before it allows a payment", async () => {
    await money(["deploy", "sahel-solar", "--amount", "100"]);
    const earlier = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [vault, 7n] });
    await sendAs(chain, custodian, TOKEN, earlier);
    const { out, error } = await money(["repay", "sahel-solar", "--amount", "40"]);
    expect(error).toBe("");
    expect(out).toMatch(/1 {2}set the earlier allowance of 0\.000007 USDC to zero\n2 {2}allow .*\n3 {2}repay 40/);
    expect(await figures()).toMatchObject({ deployed: "60.000000" });
  });

  it("signs both transactions of a payment with a keystore, and opens none for a named account's plan", async () => {
    const keystore = await secretFile(folder, "custodian.json", keystoreOf(keys.CUSTODIAN_PRIVATE_KEY));
    const change = { CUSTODIAN_PRIVATE_KEY: "", CUSTODIAN_KEYSTORE: keystore };
    const passphrase = await secretFile(folder, "passphrase", PASSPHRASE);
    await money(["deploy", "sahel-solar", "--amount", "100"]);
    const repay = ["repay", "sahel-solar", "--amount", "40"];
    await refused(repay, "set CUSTODIAN_PASSPHRASE_FILE", change);
    expect(await money([...repay, "--dry-run", "--from", custodian], { change })).toMatchObject({ code: 0, error: "" });
    expect(await money(repay, { change: { ...change, CUSTODIAN_PASSPHRASE_FILE: passphrase } })).toMatchObject({
      ...{ code: 0, error: "" },
      out: expect.stringMatching(/Sent: allow .*\nSent: repay /),
    });
  });

  it("writes a batch file that the owners of a Safe can execute, and overwrites none", async () => {
    const file = join(folder, "batch.json");
    const act = ["deploy", "sahel-solar", "--amount", "7000", "--export", "safe", "--from", treasurer, "--out", file];
    const before = await height();
    const { code, out } = await money(act, { change: { TREASURER_PRIVATE_KEY: "" } });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Saved ${file}: load it`) });
    expect(await height()).toBe(before);
    const { chainId, transactions } = JSON.parse(await readFile(file, "utf8"));
    expect({ chainId, count: transactions.length }).toEqual({ chainId: String(CHAIN), count: 1 });
    for (const { to, data } of transactions) await sendAs(chain, treasurer, to, data);
    expect(await figures()).toMatchObject({ deployed: "7000.000000" });
    await refused(act, `${file} exists already`);
  });

  it("tries an act on the block after the one it read, also where this machine's clock is wrong", async () => {
    await pass(60);
    const asked: { time: string; after: string }[] = [];
    const watched = (call: string, answer: () => Promise<string>) => {
      const { method, params } = JSON.parse(call);
      if (method === "eth_simulateV1")
        asked.push({ time: params[0].blockStateCalls[0].blockOverrides.time, after: params[1] });
      return answer();
    };
    const { number, timestamp } = await clientOf().getBlock();
    const acts = [
      ["report", "sahel-solar", "--nothing"],
      ["deploy", "sahel-solar", "--amount", "5"],
      ["fund", "delta-wind", "--amount", "5"],
    ];
    await mint(treasurer, dollars(5));
    try {
      for (const days of [-50, 50]) {
        vi.useFakeTimers({ toFake: ["Date"], now: (Number(timestamp) + days * DAY) * 1_000 });
        for (const act of acts) {
          const { code, error } = await through(chain, watched, (rpc) => money([...act, "--dry-run"], { rpc }));
          expect([code, error]).toEqual([0, ""]);
        }
      }
    } finally {
      vi.useRealTimers();
    }
    expect(asked).toEqual([...acts, ...acts].map(() => ({ time: toHex(timestamp + 1n), after: toHex(number) })));
  });

  it("works through a node that cannot simulate, and still refuses before it sends", async () => {
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no such method" } };
    const poor = (call: string, answer: () => Promise<string>) =>
      call.includes("eth_simulateV1") ? JSON.stringify(refusal) : answer();
    const { code, out } = await through(chain, poor, (rpc) =>
      money(["deploy", "sahel-solar", "--amount", "5"], { rpc }),
    );
    expect(code).toBe(0);
    expect(out).toContain("The figures after it are not known, because the node does not simulate: ");
    expect(await figures()).toMatchObject({ deployed: "5.000000" });
    const change = { TREASURER_PRIVATE_KEY: keys.KEEPER_PRIVATE_KEY };
    for (const dryRun of [[], ["--dry-run"]]) {
      const act = ["deploy", "sahel-solar", "--amount", "5", ...dryRun];
      const { code, error } = await through(chain, poor, (rpc) => money(act, { rpc, change }));
      expect(code).toBe(1);
      expect(error).toContain("does not hold the role of the treasurer");
    }
  });
});

describe("aqua money report", () => {
  const anchor = { number: 7, head: `0x${"cd".repeat(32)}`, block: 9, time: 1 };
  const inputs = { from: 1, metric: null, devices: [], counted: "12", proceeds: "20", assets: "100000" };

  it("reports the income that the server computes, with the bounds first, and pays it in", async () => {
    await pass(DAY);
    const to = (await now()) * 1_000;
    next = { ...inputs, short_id: "sahel-solar", to, expected: "40.5", most: "80", anchor, verdict: "ready" };
    await mint(reporter, dollars(100));
    const { code, out, error } = await money(["report", "sahel-solar"]);
    expect([error, code]).toEqual(["", 0]);
    expect(out).toMatch(/^BOUND\nas of later than +\d{4}-/);
    expect(out).toMatch(/^gain at most +8\d\.\d{6} USDC as of /m);
    expect(out).toContain(
      "1  allow sahel-solar to take 40.500000 USDC\n2  report a gain of 40.500000 USDC of sahel-solar",
    );
    expect(out).toContain(`evidence ${anchor.head}`);
    expect(await balanceOf(reporter)).toBe(59_500_000n);
    const lastAsOf = { address: vault, abi: demandVaultAbi, functionName: "lastReportAsOf" } as const;
    expect(await clientOf().readContract(lastAsOf)).toBe(BigInt(to / 1_000));
    // A tenth of the gain is the fee, which belongs to the treasury.
    expect(await figures()).toMatchObject({ surplus: "4.050000" });
    expect((await money(["sweep", "sahel-solar"])).out).toContain(
      `sweep 4.050000 USDC of sahel-solar to the treasury ${account(21)}`,
    );
    expect(await balanceOf(account(21))).toBe(4_050_000n);
    await refused(["sweep", "sahel-solar"], "there is nothing to sweep: no fees and no donations");
  });

  it("says why there is nothing to report", async () => {
    next = {
      ...inputs,
      short_id: "sahel-solar",
      to: null,
      expected: null,
      most: null,
      anchor: null,
      verdict: "no_anchor",
    };
    await refused(
      ["report", "sahel-solar"],
      "sahel-solar has nothing to report. No reading of its devices is anchored",
    );
  });

  it("refuses a gain over the bound, a wrong moment and a loss of what is not deployed", async () => {
    await mint(reporter, dollars(100_000));
    const report = (...args: string[]) => ["report", "sahel-solar", ...args];
    await pass(DAY);
    await refused(report("--gain", "1000"), /a gain of 1000\.000000 USDC exceeds the bound of 8\d\.\d{6} USDC/);
    await refused(
      report("--nothing", "--as-of", "2020-01-01"),
      "as of 2020-01-01T00:00:00Z comes too late: income is already reported to ",
    );
    await refused(report("--nothing", "--as-of", "2099-01-01"), "a report as of 2099-01-01T00:00:00Z is in the future");
    await refused(report("--nothing", "--as-of", "today"), "--as-of must be a moment in UTC");
    await refused(report("--loss", "5"), "a loss of 5.000000 USDC exceeds what is deployed, 0.000000 USDC");
    await refused(report("--nothing", "--evidence", "0x12"), "--evidence must be 0x and 64 hex digits");
    await refused(report("--nothing"), `${keeper} does not hold the role of the reporter`, {
      REPORTER_PRIVATE_KEY: keys.KEEPER_PRIVATE_KEY,
    });
    // Not even the approval of the payment is sent.
    await mint(keeper, dollars(100));
    for (const dryRun of [[], ["--dry-run"]]) {
      await refused(report("--gain", "5", ...dryRun), `${keeper} does not hold the role of the reporter`, {
        REPORTER_PRIVATE_KEY: keys.KEEPER_PRIVATE_KEY,
      });
    }
    expect(await money(report("--nothing", "--gain", "5"))).toMatchObject({ code: 2 });
    await pass(8 * DAY);
    await refused(
      report("--nothing", "--as-of", String((await now()) - 7 * DAY - 60)),
      "older than a report may be, 604800 s",
    );
  });

  it("sends more gas than the node estimates, because a later block's report needs more", async () => {
    await money(["deploy", "sahel-solar", "--amount", "50000"]);
    await pass(60);
    const late = async (call: string, answer: () => Promise<string>) => {
      if (call.includes("eth_sendRawTransaction")) await chain.rpc("evm_increaseTime", [5]);
      return answer();
    };
    const report = ["report", "sahel-solar", "--loss", "2000"];
    expect(await through(chain, late, (rpc) => money(report, { rpc }))).toMatchObject({ error: "", code: 0 });
    expect(await figures()).toMatchObject({ deployed: "48000.000000" });
  });

  it("reports a loss, and the acts that wait for its review say so", async () => {
    await money(["deploy", "sahel-solar", "--amount", "50000"]);
    await pass(60);
    const { out, error } = await money(["report", "sahel-solar", "--loss", "2000"]);
    expect(error).toBe("");
    expect(out).toContain("report a loss of 2000.000000 USDC");
    expect(await figures()).toMatchObject({ deployed: "48000.000000", total_assets: "98000.000000" });
    const waits = /a loss is under review until \d{4}-\S+Z/;
    await refused(["report", "sahel-solar", "--nothing"], waits);
    await refused(["deploy", "sahel-solar", "--amount", "1"], waits);
    await refused(["process", "sahel-solar"], waits);
    expect(await money(["repay", "sahel-solar", "--amount", "1"])).toMatchObject({ code: 0 });
  });
});

describe("aqua money of a loss", () => {
  const loss = (shortId: string, amount: string) => [
    ...["report", shortId, "--loss", amount, "--evidence", `0x${"ef".repeat(32)}`],
  ];
  const sent = async (args: readonly string[]) => expect(await money(args)).toMatchObject({ error: "", code: 0 });

  it("takes it back, lets the next one be reviewed, confirms and restores it", async () => {
    await refused(["take-back-loss", "sahel-solar"], "no loss is under review");
    await refused(["confirm-loss", "sahel-solar"], "no loss is under review, and none ended its review");
    await sent(["deploy", "sahel-solar", "--amount", "50000"]);
    await pass(60);
    await sent(loss("sahel-solar", "2000"));
    await refused(["restore-loss", "sahel-solar", "--amount", "1"], "`aqua money take-back-loss` undoes it");
    await refused(["take-back-loss", "sahel-solar"], `${keeper} does not hold the role of the confirmer`, {
      CONFIRMER_PRIVATE_KEY: keys.KEEPER_PRIVATE_KEY,
    });
    const { out } = await money(["take-back-loss", "sahel-solar"]);
    expect(out).toMatch(/^loss under review +2000\.000000 USDC\ntaken back until +\d{4}-/m);
    expect(await figures()).toMatchObject({ deployed: "50000.000000" });
    await pass(60);
    await refused(loss("sahel-solar", "2000"), /until \S+ the confirmer must allow .* by `aqua money confirm-loss`/);
    expect((await money(["confirm-loss", "sahel-solar"])).out).toContain("let the next large loss of sahel-solar");
    await sent(loss("sahel-solar", "2000"));
    expect((await money(["confirm-loss", "sahel-solar"])).out).toContain(
      "confirm the loss of 2000.000000 USDC of sahel-solar: it is final",
    );
    const restore = ["restore-loss", "sahel-solar", "--amount"];
    await refused([...restore, "2000.000001"], "exceed the final losses, 2000.000000 USDC");
    await sent([...restore, "500"]);
    expect(await figures()).toMatchObject({ deployed: "48500.000000" });
    await refused(["settle-loss", "sahel-solar"], "sahel-solar is a demand deposit: its losses are final");
  });

  it("settles that of a time deposit after its review, and until then says what waits for it", async () => {
    await mint(treasurer, dollars(500));
    await sent(["fund", "delta-wind", "--amount", "500"]);
    await approve(saver.address, term);
    const open = encodeFunctionData({
      abi: termDepositAbi,
      functionName: "open",
      args: [0n, dollars(10_000), 2n ** 40n],
    });
    await sendAs(chain, saver.address, term, open);
    await sent(["deploy", "delta-wind", "--amount", "8000"]);
    await refused(["settle-loss", "delta-wind"], "no loss is under review");
    await sent(loss("delta-wind", "3000"));
    expect(await figures("delta-wind")).toMatchObject({ loss_under_review: "3000.000000", deployed: "8000.000000" });
    const small = ["deploy", "delta-wind", "--amount", "1"];
    await refused(small, /a loss is under review until \S+; the act waits for its end/);
    await refused(loss("delta-wind", "1"), /a loss is under review until \S+; the act waits for its end/);
    await refused(["settle-loss", "delta-wind"], /may be taken back until \S+, and is settled after it/);
    await refused(["restore-loss", "delta-wind", "--amount", "1"], "a loss that was booked is not restored");
    await pass(DAY + 1);
    await refused(
      small,
      /the review of a loss ended at \S+, and the act waits until `aqua money settle-loss` books it/,
    );
    await refused(["take-back-loss", "delta-wind"], /could be taken back until \S+; `aqua money settle-loss` books it/);
    const { out } = await money(["settle-loss", "delta-wind"]);
    expect(out).toContain("book the loss of 3000.000000 USDC of delta-wind: it winds the product down for good");
    expect(await figures("delta-wind")).toMatchObject({ loss_under_review: "0.000000", deployed: "5000.000000" });
    await refused(small, "exceed what may be deployed, 0.000000 USDC");
  });
});

it("aqua money process pays payable requests, and says when there is nothing to pay", async () => {
  await refused(["process", "sahel-solar"], "there is nothing to process: no request is payable yet");
  const client = clientOf();
  const shares = { address: vault, abi: demandVaultAbi, functionName: "balanceOf" } as const;
  const half = (await client.readContract({ ...shares, args: [saver.address] })) / 2n;
  const request = [half, saver.address, saver.address] as const;
  const data = encodeFunctionData({ abi: redemptionQueueAbi, functionName: "requestRedeem", args: request });
  await sendAs(chain, saver.address, queue, data);
  expect(await figures()).toMatchObject({ owed_to_queue: "50000.000000", deployable: "30000.000000" });
  await pass(2 * DAY);
  await mint(reporter, dollars(10));
  expect(await money(["report", "sahel-solar", "--gain", "10"])).toMatchObject({ code: 0, error: "" });
  await refused(["process", "sahel-solar"], "no request is payable yet");
  await pass(3 * DAY);
  const { code, out } = await money(["process", "sahel-solar"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^set aside +0\.000000 +5000\d\.\d{6} +\*$/m);
  expect(await figures()).toMatchObject({ owed_to_queue: "0.000000" });
});

describe("aqua money of a time deposit", () => {
  it("funds interest, deploys up to the bound, and sweeps what is free", async () => {
    await mint(treasurer, dollars(1_000));
    expect(await money(["fund", "delta-wind", "--amount", "500"])).toMatchObject({ code: 0, error: "" });
    await approve(saver.address, term);
    const open = [0n, dollars(10_000), 2n ** 40n] as const;
    await sendAs(
      chain,
      saver.address,
      term,
      encodeFunctionData({ abi: termDepositAbi, functionName: "open", args: open }),
    );
    const { deployable, free_interest: free, reserved_interest: reserved } = await figures("delta-wind");
    expect(deployable).toBe("8000.000000");
    expect(Number(free) + Number(reserved)).toBe(500);
    await refused(["deploy", "delta-wind", "--amount", "8000.000001"], "exceed what may be deployed, 8000.000000 USDC");
    expect(await money(["deploy", "delta-wind", "--amount", "8000"])).toMatchObject({ code: 0, error: "" });
    await refused(["sweep", "delta-wind", "--amount", "500"], "500.000000 USDC exceed the free interest");
    expect(await money(["sweep", "delta-wind"])).toMatchObject({ code: 0, error: "" });
    expect(await figures("delta-wind")).toMatchObject({ free_interest: "0.000000", coverage: "1.000000000000000000" });
    await refused(["sweep", "delta-wind"], "there is nothing to sweep: no interest is free and in cash");
    expect(await money(["repay", "delta-wind", "--amount", "8000"])).toMatchObject({ code: 0, error: "" });
    expect(await figures("delta-wind")).toMatchObject({ deployed: "0.000000" });
  });

  it("refuses what belongs to a demand deposit, and the other way round", async () => {
    await refused(["report", "delta-wind"], "delta-wind is a time deposit: it has no report of income, only --loss");
    await refused(
      ["report", "delta-wind", "--loss", "5", "--evidence", `0x${"1".repeat(64)}`],
      "exceeds what is deployed",
    );
    await refused(["process", "delta-wind"], "delta-wind is a time deposit: it has no queue");
    await refused(["fund", "sahel-solar", "--amount", "5"], "sahel-solar is a demand deposit");
    expect(await money(["sweep", "sahel-solar", "--amount", "5"])).toMatchObject({ code: 2 });
  });
});

describe("aqua money liquidity", () => {
  const environment = () => ({ AQUA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const time = 1_767_225_600_000;
  const week = (number: number, p90: string) => ({ time: time + number * 7 * DAY * 1_000, p50: p90, p90 });
  const scenario = (part: string, amount: string, wait: object | null) => ({
    ...{ part, amount, wait, instant: "0.00", queued: amount },
  });
  const answer = {
    ...{ short_id: "sahel-solar", type: "demand_deposit", winding_down: false, idle: "250.00", deployed: "750.00" },
    ...{
      total_assets: "1000.00",
      instant_capacity: "150.00",
      unstreamed: "0.00",
      buffer: "100.00",
      utilisation: "0.75",
    },
    queue: { requests: 1, shares: "1.0", value: "100.00", ready_shares: "1.0", oldest: time, claimable: "0.00" },
    ...{ wait: null, track_record: null, exit_curve: [], weeks: [], history: [] },
    scenarios: [
      scenario("0.1", "100.00", { p50: 0, p90: 0 }),
      scenario("0.3", "300.00", { p50: 3 * DAY * 1_000, p90: 15 * DAY * 1_000 }),
      scenario("0.5", "500.00", null),
    ],
    inflow_ahead: [week(1, "20.00"), week(2, "50.00"), week(3, "90.00")],
    as_of: { block: 1, time },
  };

  it("says how much idle money keeps the promised wait when a part of the deposits leaves", async () => {
    liquidity = answer;
    const args = ["money", "liquidity", "sahel-solar", "--within", "20"];
    const { code, out } = await runAqua(args, environment());
    expect(code).toBe(0);
    // The third week ends after the 20 days.
    expect(out).toContain("inflow within 20 days in nine tenths of the past 50.00\n");
    expect(out).toMatch(/^LEAVES +AMOUNT +WAIT P50 +WAIT P90 +IDLE FOR 20 D +MISSING$/m);
    expect(out).toMatch(/^10 % +100\.00 +0 d +0 d +150\.00 +0\.00$/m);
    expect(out).toMatch(/^30 % +300\.00 +3 d +15 d +350\.00 +100\.00$/m);
    expect(out).toMatch(/^50 % +500\.00 +unknown +unknown +550\.00 +300\.00$/m);
    const { scenarios } = JSON.parse((await runAqua([...args, "--json"], environment())).out);
    expect(scenarios[2]).toEqual({
      ...{ part: "0.5", amount: "500.00", wait: null, idle_needed: "550.00", missing: "300.00" },
    });
  });

  it("refuses a time deposit, and a wait that is no number of days", async () => {
    liquidity = { ...answer, type: "time_deposit", queue: null };
    const args = (days: string) => ["money", "liquidity", "delta-wind", "--within", days];
    expect((await runAqua(args("20"), environment())).error).toContain("delta-wind has no queue");
    expect((await runAqua(args("soon"), environment())).error).toContain("--within must be a whole number from 1");
  });
});
