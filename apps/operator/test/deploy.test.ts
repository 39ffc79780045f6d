import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "@aqua/contracts/deploy/config";
import { roleIds, roleTable } from "@aqua/contracts/deploy/roles";
import { deploy } from "@aqua/contracts/deploy/run";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { deployment } from "@aqua/sdk/deployment";
import {
  type Abi,
  type Address,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/run.ts";
import { type Anvil, putToken, sendAs, startAnvil, through } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { account, demandProduct, OWNER_DELAY, TOKEN, timeProduct, validConfig, writeConfig } from "./support/config.ts";
import { keystoreOf, PASSPHRASE, secretFile } from "./support/keystore.ts";

const KEY: Hex = `0x${"42".repeat(32)}`;
const deployer = privateKeyToAccount(KEY);
const PROXY = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const CHAIN = 4242;

let chain: Anvil;
let other: Anvil;
let fresh: Hex;
let folder: string;
let out: string;

async function prepared(chainId: number): Promise<Anvil> {
  const anvil = await startAnvil(chainId);
  await anvil.rpc("anvil_setBalance", [deployer.address, "0xde0b6b3a7640000"]);
  await putToken(anvil, TOKEN, "USDC");
  return anvil;
}

beforeAll(async () => {
  [chain, other] = await Promise.all([prepared(CHAIN), prepared(4243)]);
  folder = await mkdtemp(join(tmpdir(), "aqua-deploy-"));
  fresh = await chain.rpc("evm_snapshot");
});
afterAll(async () => {
  await Promise.all([chain?.stop(), other?.stop()]);
  await rm(folder, { recursive: true, force: true });
});
/** Each test starts with a chain without contracts and a folder without notes. */
beforeEach(async () => {
  await chain.rpc("evm_revert", [fresh]);
  fresh = await chain.rpc("evm_snapshot");
  out = await mkdtemp(join(folder, "out-"));
});

async function aqua(config: object, args: string[] = [], environment: Record<string, string> = { DEPLOYER_KEY: KEY }) {
  const path = await writeConfig(out, "config", config);
  const all = ["deploy", "--config", path, "--rpc", chain.url, "--out", join(out, "deployments"), ...args];
  return runAqua(all, environment);
}

const deployed = async (chainId = CHAIN) =>
  deployment.parse(JSON.parse(await readFile(join(out, "deployments", `${chainId}.json`), "utf8")));
const clientOf = (anvil: Anvil) => createPublicClient({ transport: http(anvil.url), cacheTime: 0 });
const transactions = () => chain.rpc<Hex>("eth_getTransactionCount", [deployer.address, "latest"]);
async function productOf(shortId: string): Promise<Address> {
  const { product_registry: address } = await deployed();
  const read = { abi: productRegistryAbi, functionName: "productOf", args: [shortId] } as const;
  return (await clientOf(chain).readContract({ ...read, address: address as Address }))[0];
}

describe("aqua deploy", () => {
  it("shows every step and changes nothing without --send", async () => {
    const before = await chain.rpc("eth_getBalance", [deployer.address, "latest"]);
    const { code, out: text } = await aqua(validConfig(CHAIN));
    expect(code).toBe(0);
    expect(text).toContain(`Deployer  ${deployer.address}, holds 1.000000 coins`);
    expect(text).toMatch(/ {2}1 +[12] \d{3} \d{3} {2}create the AccessManager {2}0x[0-9a-fA-F]{40}\n/);
    expect(text).toMatch(/\n\d{2} \d{3} \d{3} gas, at \d+\.\d{3} gwei at most 0\.\d{6} coins\n/);
    expect(text).toContain("Nothing was sent. --send executes the steps.");
    expect([await transactions(), await chain.rpc("eth_getBalance", [deployer.address, "latest"])]).toEqual([
      "0x0",
      before,
    ]);
    expect(await readdir(out)).toEqual(["config.json"]);
    // The deployer's address suffices to see the steps.
    expect(await aqua(validConfig(CHAIN), ["--deployer", deployer.address], {})).toMatchObject({ code: 0, out: text });
  });

  it("shows the steps of the account whose keystore it opens, which must be the named deployer's", async () => {
    const environment = {
      DEPLOYER_KEYSTORE: await secretFile(out, "deployer.json", keystoreOf(KEY)),
      DEPLOYER_PASSPHRASE_FILE: await secretFile(out, "passphrase", PASSPHRASE),
    };
    const { code, out: text } = await aqua(validConfig(CHAIN), [], environment);
    expect([code, text]).toEqual([0, expect.stringContaining(`Deployer  ${deployer.address}, holds`)]);
    expect((await aqua(validConfig(CHAIN), ["--deployer", account(9)], environment)).error).toBe(
      `aqua: DEPLOYER_KEY or DEPLOYER_KEYSTORE is the key of ${deployer.address}, not of the deployer ${account(9)}\n`,
    );
  });

  it("estimates more gas, not less, where the node cannot simulate the steps", async () => {
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no such method" } };
    const rough = await through(
      chain,
      (call, answer) => (call.includes("eth_simulateV1") ? JSON.stringify(refusal) : answer()),
      (rpc) => aqua(validConfig(CHAIN), ["--rpc", rpc]),
    );
    const exact = await aqua(validConfig(CHAIN));
    const gasOf = (text: string) =>
      [...text.matchAll(/^ *\d+ {2} +([\d ]+) {2}\S/gm)].map(([, gas = ""]) => Number(gas.replaceAll(" ", "")));
    expect(rough.out).toMatch(/\nAbout \d\d \d{3} \d{3} gas/);
    const [many, few] = [gasOf(rough.out), gasOf(exact.out)];
    expect(many).toHaveLength(few.length);
    expect(few.length).toBeGreaterThan(15);
    for (const [index, gas] of few.entries()) expect(many[index]).toBeGreaterThan(gas);
  });

  it("says when one account has several roles", async () => {
    const { roles, ...others } = validConfig(CHAIN);
    const { out: text } = await aqua({ ...others, roles: { ...roles, reporter: roles.guardian } });
    expect(text).toContain(
      `${roles.guardian} is guardian, reporter at once: the holder of that key has all these roles`,
    );
  });

  it("warns where a report may cover more time than its gain is streamed over", async () => {
    const { products, ...others } = validConfig(CHAIN);
    const [first, ...rest] = products as { max_report_age_seconds: number; vesting_seconds: number }[];
    const late = { ...first, max_report_age_seconds: 30 * 86_400 };
    const warning = "a report of sahel-solar may cover more time than its gain is streamed over";
    expect((await aqua({ ...others, products: [late, ...rest] })).out).toContain(warning);
    const slow = { ...late, vesting_seconds: 30 * 86_400 };
    expect((await aqua({ ...others, products: [slow, ...rest] })).out).not.toContain(warning);
  });

  it("deploys, assigns each function to its role in docs/contracts.md, and leaves the deployer without a role", async () => {
    const { code, out: text } = await aqua(validConfig(CHAIN), ["--send"]);
    expect(code).toBe(0);
    expect(text).toContain("The code of 8 contracts is the compiler's, byte by byte.");
    const { access_manager, start_block, ...contracts } = await deployed();
    const manager = { address: access_manager as Address, abi: accessManagerAbi } as const;
    const client = clientOf(chain);
    expect(await client.getCode({ address: manager.address, blockNumber: BigInt(start_block) })).toBeDefined();
    expect(await client.getCode({ address: manager.address, blockNumber: BigInt(start_block - 1) })).toBeUndefined();

    const { roles } = validConfig(CHAIN);
    const holders = { ...roles, owner: roles.owner.address, deployer: deployer.address };
    const targets = {
      IdentityRegistry: contracts.identity_registry,
      ProductRegistry: contracts.product_registry,
      TelemetryAnchor: contracts.telemetry_anchor,
      DemandVault: await productOf("sahel-solar"),
      TermDeposit: await productOf("delta-wind"),
    };
    for (const [contract, target] of Object.entries(targets)) {
      const { [`${contract[0]?.toLowerCase()}${contract.slice(1)}Abi`]: abi } = await import(
        `@aqua/sdk/abi/${contract}`
      );
      for (const [role, names] of Object.entries(roleTable[contract as keyof typeof roleTable])) {
        for (const name of names) {
          const item = abi.find((each: { name?: string }) => each.name === name);
          for (const [who, address] of Object.entries(holders)) {
            const args = [address as Address, target as Address, toFunctionSelector(item)] as const;
            const [immediate, delay] = await client.readContract({ ...manager, functionName: "canCall", args });
            const expected = who !== role ? [false, 0] : role === "owner" ? [false, OWNER_DELAY] : [true, 0];
            expect([who, contract, name, immediate, delay]).toEqual([who, contract, name, ...expected]);
          }
        }
      }
    }
    const admins = await Promise.all(
      Object.entries(holders).map(async ([who, address]) => {
        const args = [roleIds.admin, address as Address] as const;
        return [who, ...(await client.readContract({ ...manager, functionName: "hasRole", args }))];
      }),
    );
    expect(admins.filter(([, held]) => held)).toEqual([["owner", true, OWNER_DELAY]]);
    for (const [role, id] of Object.entries(roleIds)) {
      const guardian = await client.readContract({ ...manager, functionName: "getRoleGuardian", args: [id] });
      expect([role, guardian]).toEqual([
        role,
        role === "admin" || role === "guardian" ? roleIds.admin : roleIds.guardian,
      ]);
    }
  });

  it("lets the guardian cancel what the owner has scheduled, and nobody else", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    const manager = { address: (await deployed()).access_manager as Address, abi: accessManagerAbi } as const;
    const { roles } = validConfig(CHAIN);
    const owner = roles.owner.address as Address;
    const target = await productOf("sahel-solar");
    const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "setCap", args: [1n] });
    const client = clientOf(chain);
    const by = async (account: string, functionName: "schedule" | "cancel", args: readonly unknown[]) => {
      await chain.rpc("anvil_impersonateAccount", [account]);
      await chain.rpc("anvil_setBalance", [account, "0xde0b6b3a7640000"]);
      const call = encodeFunctionData({ abi: accessManagerAbi as Abi, functionName, args });
      const from = account as Address;
      const hash = await chain.rpc("eth_sendTransaction", [{ from, to: manager.address, data: call, gas: "0x7a120" }]);
      return (await client.waitForTransactionReceipt({ hash: hash as Hex, pollingInterval: 50 })).status;
    };
    expect(await by(owner, "schedule", [target, data, 0])).toBe("success");
    const cancel = [owner, target, data] as const;
    for (const role of ["reporter", "attester", "treasurer"] as const)
      expect([role, await by(roles[role], "cancel", cancel)]).toEqual([role, "reverted"]);
    expect(await by(roles.guardian, "cancel", cancel)).toBe("success");
    expect(await by(owner, "schedule", [target, data, 0])).toBe("success");
  });

  it("gives every contract the same address on another chain", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    const again = await aqua(validConfig(4243), ["--send", "--rpc", other.url]);
    expect(again.code).toBe(0);
    const [one, two] = [await deployed(), await deployed(4243)];
    expect(two).toEqual({ ...one, chain_id: 4243, start_block: two.start_block });
  });

  it("has the same result however often it is stopped, before or after a transaction", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    const whole = await deployed();
    const sent = await transactions();
    await chain.rpc("evm_revert", [fresh]);
    fresh = await chain.rpc("evm_snapshot");
    await rm(join(out, "deployments"), { recursive: true });

    const config = await readConfig(join(out, "config.json"));
    let stops = 0;
    for (let finished = false; !finished; ) {
      let events = 0;
      const progress = () => {
        events += 1;
        // The command fails once before it sends a transaction, and once right after.
        if (events === 1 + (stops % 2)) throw new Error("killed");
      };
      const options = { config, account: deployer, deployer: deployer.address, rpcUrl: chain.url, progress };
      finished = await deploy({
        ...options,
        send: true,
        plainCreate: false,
        startBlock: null,
        confirmations: 1,
        overview: () => {},
        folder: join(out, "deployments"),
      }).then(
        () => true,
        (error) => {
          expect((error as Error).message).toBe("killed");
          stops += 1;
          return false;
        },
      );
    }
    expect(stops).toBe(2 * Number(sent));
    expect(await deployed()).toEqual(whole);
    expect(await transactions()).toBe(sent);
    expect((await aqua(validConfig(CHAIN), ["--send"])).out).not.toContain("…");
  });

  it("continues after the process was killed", async () => {
    const bin = fileURLToPath(new URL("../bin/aqua.mjs", import.meta.url));
    const path = await writeConfig(out, "config", validConfig(CHAIN));
    const args = [bin, "deploy", "--config", path, "--rpc", chain.url, "--out", join(out, "deployments"), "--send"];
    const environment = { ...process.env, DEPLOYER_KEY: KEY };
    await new Promise<void>((resolve) => {
      const child = execFile(process.execPath, args, { env: environment }, () => resolve());
      child.stdout?.on("data", (text: string) => text.includes("5/") && child.kill("SIGKILL"));
    });
    expect(await readdir(join(out, "deployments"))).toEqual([`${CHAIN}.journal.json`]);
    const { code, out: text } = await aqua(validConfig(CHAIN), ["--send"]);
    expect(code).toBe(0);
    expect(text).toMatch(/ {2}1 +done {2}create the AccessManager/);
    expect(text).toContain("The code of 8 contracts is the compiler's");
    expect((await deployed()).start_block).toBeGreaterThan(0);
  });

  it("sees code that is not the compiler's, and names what differs", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    const sent = await transactions();
    const vault = await productOf("sahel-solar");
    const code = await chain.rpc<Hex>("eth_getCode", [vault, "latest"]);
    const { identity_registry, product_registry } = await deployed();
    const swapped = code.replaceAll(identity_registry.slice(2).toLowerCase(), product_registry.slice(2).toLowerCase());
    for (const [changed, words] of [
      [swapped, `identityRegistry is 0x${"0".repeat(24)}${product_registry.slice(2).toLowerCase()} instead of`],
      [`${code}00`, `it has ${code.length / 2} bytes instead of ${code.length / 2 - 1}`],
      [`0x6001${code.slice(6)}`, "the byte at 1 differs from the compiler's"],
    ] as const) {
      await chain.rpc("anvil_setCode", [vault, changed]);
      for (const args of [[], ["--send"]]) {
        const { code: exit, error } = await aqua(validConfig(CHAIN), args);
        expect(exit).toBe(1);
        expect(error).toContain(`the code at ${vault} is not what "create the DemandVault of sahel-solar" makes: `);
        expect(error).toContain(words);
      }
    }
    expect(await transactions()).toBe(sent);
  });

  it("works without the deployment proxy where that is set, and resumes what it has begun", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    const byProxy = await deployed();
    await chain.rpc("evm_revert", [fresh]);
    fresh = await chain.rpc("evm_snapshot");
    await rm(join(out, "deployments"), { recursive: true });
    await chain.rpc("anvil_setCode", [PROXY, "0x"]);
    expect((await aqua(validConfig(CHAIN))).error).toMatch(/chain 4242 has no deployment proxy at .*--plain-create/);

    const config = await readConfig(join(out, "config.json"));
    const base = { config, account: deployer, deployer: deployer.address, rpcUrl: chain.url, overview: () => {} };
    const stopAfter = (last: number) =>
      deploy({
        ...base,
        send: true,
        plainCreate: true,
        startBlock: null,
        confirmations: 1,
        folder: join(out, "deployments"),
        progress: (_, number, event) => {
          if (number === last && event === "done") throw new Error("killed");
        },
      });
    await expect(stopAfter(2)).rejects.toThrow("killed");
    // Another transaction of the deployer uses the nonce that the next contract would have had.
    await sendAs(chain, deployer.address, account(1), undefined);
    await expect(stopAfter(11)).rejects.toThrow("killed");
    expect((await aqua(validConfig(CHAIN), ["--send"])).error).toContain("was begun with --plain-create");
    const { code, out: text } = await aqua(validConfig(CHAIN), ["--plain-create", "--send"]);
    expect(code).toBe(0);
    expect(text).toContain("The code of 8 contracts is the compiler's");
    const plain = await deployed();
    expect(plain.access_manager).not.toBe(byProxy.access_manager);
    expect(await productOf("delta-wind")).toMatch(/^0x/);
  });

  it("creates a product added later, and leaves the owner's calls to the owner", async () => {
    const first = { ...validConfig(CHAIN), products: [demandProduct] };
    await aqua(first, ["--send"]);
    const { code, out: text } = await aqua(validConfig(CHAIN), ["--send"]);
    expect(code).toBe(0);
    const tasks = [
      ...text.matchAll(
        /Left to the owner 0x\w{40}: (.*)\n {2}first to (\S+)\n {4}(\S+)\n .*\n {2}to (\S+)\n {4}(\S+)/g,
      ),
    ];
    expect(tasks.map(([, what]) => what)).toEqual([
      "add term 0 to delta-wind",
      "list delta-wind",
      "let the treasurer fundInterest, withdrawInterest, deploy",
      "let the reporter bookLoss, renewEvidence",
      "let the confirmer confirmLoss, takeBackLoss",
      "let the guardian pause",
      "let the owner addTerm, setTerm, setLimits, unpause, setEvidence",
    ]);
    for (const [, , to, data] of tasks) await sendAs(chain, account(1), to, data);
    // Blocks within one second move the chain's time ahead of the clock, over all tests of this file.
    await chain.rpc("evm_increaseTime", [OWNER_DELAY + 3600]);
    for (const [, , , , to, data] of tasks) await sendAs(chain, account(1), to, data);
    const after = await aqua(validConfig(CHAIN));
    expect(after.out).not.toContain("owner:");
    expect(after.out).toMatch(/done {2}list delta-wind/);
  });

  it("finds the first block of the contracts when its notes are lost", async () => {
    await chain.rpc("anvil_mine", ["0x5"]);
    await aqua(validConfig(CHAIN), ["--send"]);
    const whole = await deployed();
    await rm(join(out, "deployments"), { recursive: true });
    await aqua(validConfig(CHAIN), ["--send"]);
    expect(await deployed()).toEqual(whole);
  });

  it("writes into the folder of DEPLOYMENTS_DIR, as the server reads it, unless --out names another", async () => {
    const path = await writeConfig(out, "config", validConfig(CHAIN));
    const into = (folder: string, ...args: string[]) =>
      run(["deploy", "--config", path, "--rpc", chain.url, "--send", ...args], {
        environment: { DEPLOYER_KEY: KEY, DEPLOYMENTS_DIR: folder },
        out: () => {},
        error: () => {},
      });
    expect(await into(join(out, "deployments"))).toBe(0);
    expect((await deployed()).chain_id).toBe(CHAIN);
    expect(await into(join(out, "none"), "--out", join(out, "other"))).toBe(0);
    expect((await readdir(out)).sort()).toEqual(["config.json", "deployments", "other"]);
  });

  it("refuses a --start-block after the head or after the first block of the deployment, and changes nothing", async () => {
    const from = async (block: number | string) => {
      const { code, out: text, error } = await aqua(validConfig(CHAIN), ["--send", "--start-block", String(block)]);
      return { code, text, error: error.replace("aqua: ", "").trim() };
    };
    const head = Number(await chain.rpc("eth_blockNumber"));
    expect(await from(head + 2)).toEqual({
      code: 1,
      text: "",
      error: `--start-block ${head + 2} is after block ${head}, the newest of chain ${CHAIN}; give one before it`,
    });
    expect(await transactions()).toBe("0x0");
    expect((await aqua(validConfig(CHAIN), ["--send"])).code).toBe(0);
    const whole = await deployed();
    const later = {
      code: 1,
      text: "",
      error: `--start-block ${whole.start_block + 1} is after block ${whole.start_block}, with which the deployment begins by the files in ${join(out, "deployments")}; leave it out`,
    };
    expect(await from(whole.start_block + 1)).toEqual(later);
    // One of the two files is enough.
    const journal = join(out, "deployments", `${CHAIN}.journal.json`);
    const noted = await readFile(journal, "utf8");
    await rm(journal);
    expect(await from(whole.start_block + 1)).toEqual(later);
    expect(await deployed()).toEqual(whole);
    await writeFile(journal, noted);
    await rm(join(out, "deployments", `${CHAIN}.json`));
    expect(await from(whole.start_block + 1)).toEqual(later);
    await rm(journal);
    expect((await from(whole.start_block + 1)).error).toMatch(/is too late: the AccessManager 0x\w{40} is there/);
    expect((await from(whole.start_block)).code).toBe(0);
    expect(await deployed()).toEqual(whole);
  });

  it("reports an error in one line, and sends nothing", async () => {
    const test = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
    const good = validConfig(CHAIN);
    const roles = (change: object) => ({ ...good, roles: { ...good.roles, ...change } });
    const products = (...changed: object[]) => ({ ...good, products: changed });
    const asset = (change: object) => ({ ...good, assets: { usdc: { ...good.assets.usdc, ...change } } });
    for (const [config, words, environment] of [
      [
        validConfig(1),
        "the configuration is for chain 1, the node is of chain 4242; run the command again with --rpc and a node of chain 1",
      ],
      [good, "DEPLOYER_KEY or DEPLOYER_KEYSTORE must be set, or --deployer for a dry run", {}],
      [good, "DEPLOYER_KEY must be 0x and 64 hex digits", { DEPLOYER_KEY: "secret" }],
      [good, "DEPLOYER_KEY must be 0x and 64 hex digits, or", { DEPLOYER_KEY: zeroHash }],
      [
        good,
        `the key of the deployer, ${test.address}, comes from a published test mnemonic: anyone has it; set DEPLOYER_KEY to a key of your own, and run the command again`,
        {
          DEPLOYER_KEY: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
        },
      ],
      [
        roles({ attester: test.address }),
        `the key of the attester, ${test.address}, comes from a published test mnemonic: anyone has it; put into the configuration the address of a key of your own, and run the command again`,
      ],
      [
        roles({ guardian: deployer.address }),
        `the deployer ${deployer.address} cannot be the guardian: it ends without`,
      ],
      [
        good,
        /holds 0\.000000, and the steps may cost (0\.\d{6}); send it \1 more, and run the command again/,
        { DEPLOYER_KEY: `0x${"43".repeat(32)}` },
      ],
      [
        asset({ decimals: 18 }),
        `the asset ${TOKEN} is USDC with 6 decimals, the configuration says USDC with 18; correct assets in the configuration, and run the command again`,
      ],
      [
        asset({ address: account(40) }),
        `no contract is at the asset ${account(40)} on chain 4242; correct assets in the configuration, and run the command again`,
      ],
      [
        asset({ address: PROXY }),
        `the asset ${PROXY} has no decimals and symbol, so it is no ERC-20 token we can use; correct assets`,
      ],
      [
        products({ ...demandProduct, evidence_until: "2099-01-01T00:00:00Z" }),
        /products\.0\.evidence_until: is more than 400 days after the newest block of the chain, \S+Z, and the contract refuses that\n/,
      ],
      [asset({ decimals: 1 }), "assets.usdc.decimals: Too small"],
      [roles({ owner: { address: account(1) } }), "roles.owner.delay_seconds: "],
      [roles({ registrar: "0x1" }), "roles.registrar: must be an address"],
      [{ ...good, extra: 1 }, 'the file: Unrecognized key: "extra"'],
      [products({ ...demandProduct, asset: "dai" }), 'products.0.asset: there is no asset "dai"'],
      [products({ ...demandProduct, cap: "0.0000001" }), "products.0.cap: the asset has 6 decimals"],
      [products({ ...demandProduct, fee_percent: "31" }), "products.0.fee_percent: must be at most 30"],
      [products({ ...demandProduct, share_name: "é".repeat(16) }), "products.0.share_name: must have at most 31 bytes"],
      [products(demandProduct, demandProduct), "products.1.short_id: sahel-solar is there twice"],
      [
        products({ ...demandProduct, evidence_until: undefined }),
        "products.0.evidence_until: must say until when the evidence is valid",
      ],
      [products({ ...timeProduct, document_hash: undefined }), "products.0: document or document_hash must be given"],
      [products({ ...timeProduct, document: "none.json" }), "products.0.document: none.json cannot be read: ENOENT"],
      [
        products({ ...timeProduct, terms: [{ ...timeProduct.terms[0], break_rate_percent: "4" }] }),
        "products.0.terms.0.break_rate_percent: must be below rate_percent",
      ],
      [
        products({ ...timeProduct, terms: [{ ...timeProduct.terms[0], count: 121 }] }),
        "products.0.terms.0.count: is longer than ten years",
      ],
      [
        products({ ...timeProduct, terms: [{ ...timeProduct.terms[0], count: 120, rate_percent: "20" }] }),
        "products.0.terms.0.rate_percent: earns more than twice the principal",
      ],
      [{ ...good, assets: { usdc: "test_dollar" } }, "assets.usdc: play money exists on the local chain 31337 alone"],
    ] as [object, string | RegExp, Record<string, string>?][]) {
      const { code, error } = await aqua(config, ["--send"], environment ?? { DEPLOYER_KEY: KEY });
      const said = typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words);
      expect([error, code]).toEqual([said, 1]);
      expect(error).toMatch(/^aqua: .*\n$/);
    }
    expect(await transactions()).toBe("0x0");
  });

  it("names a transaction that failed on the chain, and the next command", async () => {
    const failed = await through(
      chain,
      async (call, answer) =>
        call.includes("eth_getTransactionReceipt")
          ? (await answer()).replace('"status":"0x1"', '"status":"0x0"')
          : answer(),
      (rpc) => aqua(validConfig(CHAIN), ["--rpc", rpc, "--send"]),
    );
    expect([failed.error, failed.code]).toEqual([
      expect.stringMatching(
        /^aqua: "create the AccessManager" failed on the chain, transaction 0x[0-9a-f]{64}; run the command again without --send, which says why\n$/,
      ),
      1,
    ]);
  });

  it("names the next command where another command's node is of another chain", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    let error = "";
    const all = ["recovery", "show", "--old", account(30), "--chain", String(CHAIN), "--rpc", other.url];
    const code = await run([...all, "--deployments", join(out, "deployments")], {
      environment: {},
      out: () => {},
      error: (text) => {
        error += text;
      },
    });
    expect([error, code]).toEqual([
      "aqua: the node is of chain 4243, not of 4242; run the command again with --rpc and a node of chain 4242\n",
      1,
    ]);
  });

  it("leaves a changed cap, smallest deposit or offer of a listed product to the owner", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    const [term] = timeProduct.terms;
    const changed = {
      ...validConfig(CHAIN),
      products: [
        { ...demandProduct, cap: "2000000", min_deposit: "20" },
        { ...timeProduct, min_deposit: "200", terms: [{ ...term, cap: "300000", open: false }] },
      ],
    };
    const vault = await productOf("sahel-solar");
    const { code, out: text } = await aqua(changed, ["--send"]);
    expect(code).toBe(0);
    const tasks = [
      ...text.matchAll(
        /Left to the owner 0x\w{40}: (.*)\n {2}first to (\S+)\n {4}(\S+)\n .*\n {2}to (\S+)\n {4}(\S+)/g,
      ),
    ];
    expect(tasks.map(([, what]) => what)).toEqual([
      "set the deposit cap of sahel-solar",
      "set the smallest deposit of sahel-solar",
      "set cap and smallest deposit of delta-wind",
      "set cap and offer of term 0 of delta-wind",
    ]);
    for (const [, , to, data] of tasks) await sendAs(chain, account(1), to, data);
    await chain.rpc("evm_increaseTime", [OWNER_DELAY + 3600]);
    for (const [, , , , to, data] of tasks) await sendAs(chain, account(1), to, data);
    const read = { address: vault, abi: demandVaultAbi, functionName: "cap" } as const;
    expect(await clientOf(chain).readContract(read)).toBe(2_000_000_000_000n);
    expect((await aqua(changed)).out).not.toContain("Left to the owner");
    expect(await productOf("sahel-solar")).toBe(vault);
  });

  it("names the settings of a listed product that cannot change and the remedy, and refuses another deployer", async () => {
    await aqua(validConfig(CHAIN), ["--send"]);
    const next = "; put that value into the configuration, or take another short_id\n";
    const vault = await productOf("sahel-solar");
    for (const [change, words] of [
      [{ vesting_seconds: 90_000 }, "vestingTime is 86400 instead of 90000"],
      [
        { share_symbol: "aqSUN" },
        `share_symbol of sahel-solar of the contract at ${vault} is aqSOLAR, the configuration`,
      ],
    ] as const) {
      const changed = { ...validConfig(CHAIN), products: [{ ...demandProduct, ...change }] };
      const { code, error } = await aqua(changed);
      expect([error, code]).toEqual([expect.stringContaining(words), 1]);
      expect(error.endsWith(next)).toBe(true);
    }
    const key = { DEPLOYER_KEY: `0x${"43".repeat(32)}` };
    expect((await aqua(validConfig(CHAIN), [], key)).error).toContain(
      `was begun by ${deployer.address}; go on with its key`,
    );
  });

  it("refuses a file that is no document of the product, and names line and path", async () => {
    const good = JSON.parse(
      await readFile(new URL("../../../devnet/products/sahel-solar.json", import.meta.url), "utf8"),
    );
    const { risks, ...without } = good;
    for (const [text, words] of [
      ["{}", "solar.json, line 1, short_id: Invalid input: expected string, received undefined, and 10 more"],
      ['{\n "short_id": "sahel-solar",\n}', "solar.json, line 3: unexpected }"],
      [JSON.stringify(without, null, 2), "solar.json, line 1, risks: Invalid input: expected array"],
      [JSON.stringify({ short_id: "sahel-solar", ...good, extra: 1 }, null, 2), "extra: is no field of a product's"],
      [
        JSON.stringify({ ...good, short_id: "delta-wind" }),
        "solar.json is the document of delta-wind, not of sahel-solar",
      ],
    ] as const) {
      await writeFile(join(out, "solar.json"), text);
      const product = { ...demandProduct, document: "solar.json", document_hash: undefined };
      const { code, error } = await aqua({ ...validConfig(CHAIN), products: [product] }, ["--send"]);
      expect([error, code]).toEqual([expect.stringContaining(words), 1]);
      expect(error).toMatch(/^aqua: .*products\.0\.document: .*\n$/);
    }
    expect(await transactions()).toBe("0x0");
  });

  it("knows the hash of a product's document, and a note that is damaged", async () => {
    const text = await readFile(new URL("../../../devnet/products/sahel-solar.json", import.meta.url));
    await writeFile(join(out, "solar.json"), text);
    const document = { ...demandProduct, document: "solar.json", document_hash: undefined };
    expect((await aqua({ ...validConfig(CHAIN), products: [document] }, ["--send"])).code).toBe(0);
    const { product_registry: address } = await deployed();
    const read = { abi: productRegistryAbi, functionName: "productOf", args: ["sahel-solar"] } as const;
    const [, , , , hash] = await clientOf(chain).readContract({ ...read, address: address as Address });
    expect(hash).toBe(keccak256(text));
    await writeFile(join(out, "deployments", `${CHAIN}.journal.json`), "{");
    expect((await aqua(validConfig(CHAIN))).error).toMatch(/4242\.journal\.json is damaged/);
  });
});

it("aqua deploy has an example configuration that names missing values, and deploys once they are filled in", async () => {
  const path = fileURLToPath(new URL("../../../contracts/deploy/example.json", import.meta.url));
  await expect(readConfig(path)).rejects.toThrow("roles.owner.address: must not be the zero address");
  const example = JSON.parse((await readFile(path, "utf8")).replaceAll(zeroAddress, account(1)));
  example.products[0].document = fileURLToPath(new URL("../../../devnet/products/aegean-water.json", import.meta.url));
  const config = await readConfig(await writeConfig(folder, "example", { ...example, chain_id: CHAIN }));
  expect(config.products.map(({ cap }) => cap)).toEqual([3_000_000_000_000n, 1_000_000_000_000n]);
});

it("aqua deploy assigns each function to the role that docs/contracts.md names", async () => {
  const text = await readFile(new URL("../../../docs/contracts.md", import.meta.url), "utf8");
  const section = /\n## Roles\n([\s\S]*?)\n## /.exec(text)?.[1] ?? "";
  const found: Record<string, Record<string, string[]>> = {};
  for (const line of section.split("\n").filter((row) => row.startsWith("| ") && row.includes("`"))) {
    const [, role = "", contract = "", calls = ""] = line.split("|").map((cell) => cell.trim().replaceAll("`", ""));
    if (!Object.hasOwn(roleIds, role) || role === "admin") continue;
    found[contract] = { ...found[contract], [role]: [...(found[contract]?.[role] ?? []), ...calls.split(", ")] };
  }
  expect(found).toEqual(roleTable);
});
