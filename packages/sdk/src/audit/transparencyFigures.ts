import { type Abi, decodeFunctionData, getAddress, type Hex, toFunctionSelector, zeroAddress, zeroHash } from "viem";
import { accessManagerAbi } from "../abi/AccessManager.ts";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { identityRegistryAbi } from "../abi/IdentityRegistry.ts";
import { productRegistryAbi } from "../abi/ProductRegistry.ts";
import { telemetryAnchorAbi } from "../abi/TelemetryAnchor.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { DAY } from "../durations.ts";
import { coverageRatio } from "../maths/receipts.ts";
import { idleIn, poolAt } from "./demandFigures.ts";
import { streamOf } from "./historyFigures.ts";
import { inOrder, oldestOf } from "./overviewFigures.ts";
import { asOfOf, formatRatio, millis, unitsOf } from "./productFigures.ts";
import type { ActRow, ProductRow } from "./rows.ts";
import type { ProductView, View } from "./view.ts";

/** What the API must answer about reserves, contracts, roles, acts of role holders, and batches of readings. */

export function transparencyFigures(views: readonly View[]) {
  return {
    reserves: views.flatMap((view) => inOrder(view).map((of) => reserveFigures(view, of))),
    contracts: views.flatMap(contractFigures),
    roles: views.flatMap(roleFigures),
    scheduled: views.flatMap(scheduledFigures),
    as_of: oldestOf(views),
  };
}

const renewals = new Set(["EvidenceRenewed", "TermEvidenceRenewed"]);
type Part = [part: string, units: bigint];

function partsOf(of: ProductView, now: number): { assets: Part[]; liabilities: Part[] } {
  if (of.type === "demand_deposit") {
    const { vault } = of;
    const { totalAssets } = poolAt(vault, now);
    const setAside: Part = ["set_aside", vault.setAside - vault.claimed];
    return {
      assets: [["idle", idleIn(vault)], ["deployed", vault.deployed], setAside],
      liabilities: [["shares", totalAssets], ["unstreamed", vault.settled + vault.streaming - totalAssets], setAside],
    };
  }
  const { cash, deployed, principal, liabilities, claims } = of.books;
  return {
    assets: [
      ["idle", cash],
      ["deployed", deployed],
    ],
    liabilities:
      claims > 0n
        ? [["claims", liabilities]]
        : [
            ["principal", principal],
            ["interest", liabilities - principal],
          ],
  };
}

function reserveFigures(view: View, of: ProductView) {
  const { product } = of;
  const { assets: amount } = unitsOf(product);
  const { assets, liabilities } = partsOf(of, view.time);
  const sum = (parts: readonly Part[]) => parts.reduce((total, [, units]) => total + units, 0n);
  const tell = (parts: readonly Part[]) => parts.map(([part, units]) => ({ part, amount: amount(units) }));
  const coverage = coverageRatio(sum(assets), sum(liabilities));
  const { evidenceUntil } = of.type === "demand_deposit" ? of.vault : of.books;
  const renewed = view.acts.findLast(({ name, contract }) => renewals.has(name) && contract === product.address);
  const anchored = view.anchors.filter(({ stream }) => stream === streamOf(product.shortId)).map(({ to }) => to);
  const reportTime = of.type === "demand_deposit" ? of.vault.reportTime : null;
  return {
    short_id: product.shortId,
    type: of.type,
    chain_id: product.chainId,
    contract: getAddress(product.address),
    symbol: product.assetSymbol,
    decimals: product.assetDecimals,
    assets: tell(assets),
    liabilities: tell(liabilities),
    total_assets: amount(sum(assets)),
    total_liabilities: amount(sum(liabilities)),
    coverage: coverage === null ? null : formatRatio(coverage),
    last_report: reportTime === null ? null : millis(reportTime),
    max_age: of.type === "demand_deposit" ? millis(of.vault.maxReportAge) : null,
    evidence:
      evidenceUntil === 0 ? null : { confirmed: millis((renewed ?? product).time), until: millis(evidenceUntil) },
    reviewed_loss: lossFigures(of, view.time),
    last_reading: anchored.length === 0 ? null : millis(Math.max(...anchored)),
    as_of: asOfOf(view),
  };
}

/** The loss under review or, of a time deposit, after its review until it is settled. Null if there is none. */
function lossFigures(of: ProductView, now: number) {
  const { assets: amount } = unitsOf(of.product);
  if (of.type === "time_deposit") {
    if (of.reviewed === null) return null;
    const { amount: loss, until } = of.reviewed;
    return { amount: amount(loss), stage: now < until ? "reviewed" : "unsettled", until: millis(until) };
  }
  const { reviewUntil } = of.vault;
  // The contract accepts no report during a review, so the newest one is the loss.
  const newest = of.reports.at(-1);
  if (now >= reviewUntil || newest === undefined) return null;
  return { amount: amount(-newest.delta), stage: "reviewed", until: millis(reviewUntil) };
}

function contractFigures(view: View) {
  const { access_manager, identity_registry, product_registry, telemetry_anchor } = view.deployment;
  const tell = (shortId: string | null, of: Record<string, string | null | undefined>) =>
    Object.entries(of).flatMap(([role, address]) =>
      address ? [{ chain_id: view.chainId, role, address: getAddress(address), short_id: shortId }] : [],
    );
  return [
    ...tell(null, { access_manager, identity_registry, product_registry, telemetry_anchor }),
    ...inOrder(view).flatMap((of) => {
      const { address, shortId } = of.product;
      if (of.type === "time_deposit") return tell(shortId, { product: address, custodian: of.books.custodian });
      return tell(shortId, { product: address, queue: of.vault.queue, custodian: of.vault.custodian });
    }),
  ];
}

function roleFigures({ chainId, acts }: View) {
  const labels = new Map<string, string>();
  const roles = new Map<string, Map<string, { address: string; delay: number; since: number }>>();
  for (const { name, args } of acts) {
    const { role = "", account = "", label = "", delay, since } = args;
    if (name === "RoleLabel") labels.set(role, label);
    if (name !== "RoleGranted" && name !== "RoleRevoked") continue;
    const members = roles.get(role) ?? new Map();
    roles.set(role, members);
    const first = members.get(account)?.since ?? millis(Number(since));
    if (name === "RoleRevoked") members.delete(account);
    else members.set(account, { address: getAddress(account), delay: millis(Number(delay)), since: first });
  }
  return [...roles]
    .sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))
    .map(([id, members]) => ({
      chain_id: chainId,
      id,
      label: labels.get(id) ?? null,
      members: [...members.values()],
    }));
}

/** Seconds after its delay within which a scheduled call can be made: expiration() of the AccessManager. */
const EXPIRATION = 7 * DAY;

/** The calls that are scheduled and neither made nor cancelled, soonest first. */
export function scheduledFigures({ acts, products, time }: View) {
  const pending = new Map<string, ActRow>();
  for (const act of acts) {
    if (act.name === "OperationScheduled") pending.set(operationOf(act), act);
    else if (act.name === "OperationExecuted" || act.name === "OperationCanceled") pending.delete(operationOf(act));
  }
  const listed = products.map(({ product }) => product);
  return [...pending.values()]
    .map((act) => scheduledCall(act, listed))
    .filter((call) => call.possible_until > millis(time))
    .sort((a, b) => a.possible_from - b.possible_from);
}

const operationOf = ({ args }: ActRow) => `${args.operationId}:${args.nonce}`;

function scheduledCall(act: ActRow, products: readonly ProductRow[]) {
  const { operationId, nonce, schedule = "0", caller = "", target = "", data = "0x" } = act.args;
  const { name, args, parts } = decodeCall(data as Hex);
  const named = [target, ...Object.values(args).map((value) => value.toLowerCase())];
  const product =
    products.find(({ address }) => address === target) ??
    products.find(({ shortId }) => args.shortId === shortId) ??
    products.find(({ address }) => named.includes(address));
  return {
    chain_id: act.chainId,
    operation: operationId ?? "",
    nonce: Number(nonce),
    caller: getAddress(caller),
    target: getAddress(target),
    short_id: product?.shortId ?? null,
    name,
    args,
    parts,
    scheduled_at: millis(act.time),
    possible_from: millis(Number(schedule)),
    possible_until: millis(Number(schedule) + EXPIRATION),
    hash: act.hash,
  };
}

const callable = [
  ...demandVaultAbi,
  ...termDepositAbi,
  ...productRegistryAbi,
  ...identityRegistryAbi,
  ...telemetryAnchorAbi,
  ...accessManagerAbi,
].flatMap((item) => (item.type === "function" ? [item] : []));
const names = new Map(callable.map((item) => [toFunctionSelector(item), item.name]));

interface Call {
  name: string;
  args: Record<string, string>;
  parts: { name: string; args: Record<string, string> }[];
}

/** The function and the arguments of a call as text. For an unknown function, its selector. */
function decodeCall(data: Hex): Call {
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: callable as Abi, data });
    const inputs = callable.find(({ name }) => name === functionName)?.inputs ?? [];
    const parts = functionName === "multicall" ? ((args[0] ?? []) as Hex[]).map(decodeCall) : [];
    return {
      name: functionName,
      args: Object.fromEntries(inputs.flatMap(({ name }, index) => textsOf(name, args[index]))),
      parts: parts.map(({ name, args }) => ({ name, args })),
    };
  } catch {
    return { name: data.slice(0, 10), args: {}, parts: [] };
  }
}

function textsOf(name: string, value: unknown): [string, string][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, inner]) => textsOf(key, inner));
  const list = Array.isArray(value) ? value.map(String) : [String(value)];
  return [[name, (name === "selectors" ? list.map((one) => names.get(one as Hex) ?? one) : list).join(", ")]];
}

/** The acts of role holders, newest first. A wallet's own switch is none, and an executed operation is its own act. */
export function actFigures(views: readonly View[]) {
  return views
    .flatMap((view) => {
      const shortIds = new Map<string, string>(view.products.map(({ product }) => [product.address, product.shortId]));
      const scheduled = new Map(
        view.acts.filter(({ name }) => name === "OperationScheduled").map((act) => [operationOf(act), act.args]),
      );
      return view.acts
        .filter(({ name, args }) => name !== "OperationExecuted" && (name !== "Retired" || args.recovered === "true"))
        .map((act) => {
          const { target, data } = isOfOperation(act) ? (scheduled.get(operationOf(act)) ?? {}) : {};
          const about = [act.contract, act.args.product, target].flatMap((one) => shortIds.get(one ?? "") ?? []);
          return { act, shortId: about[0] ?? null, data };
        });
    })
    .sort(({ act: a }, { act: b }) => b.time - a.time || b.block - a.block || b.logIndex - a.logIndex)
    .map(({ act, shortId, data }) => ({
      chain_id: act.chainId,
      block: act.block,
      log_index: act.logIndex,
      time: millis(act.time),
      hash: act.hash,
      contract: getAddress(act.contract),
      short_id: shortId,
      name: act.name,
      args: act.args,
      call: data === undefined ? null : decodeCall(data as Hex),
    }));
}

const isOfOperation = ({ name }: ActRow) => name === "OperationScheduled" || name === "OperationCanceled";

/** The scheduled changes of a product's fee or custodian. */
export function changeFigures(view: View, of: ProductView) {
  if (of.type === "time_deposit") return [];
  const { product, vault } = of;
  const custody = (custodian: string | null | undefined, buffer: bigint) => ({
    custodian: custodian && custodian !== zeroAddress ? getAddress(custodian) : null,
    buffer: formatRatio(buffer),
  });
  return scheduledFigures(view).flatMap((call): object[] => {
    if (call.target.toLowerCase() !== product.address) return [];
    const { operation, nonce, scheduled_at, possible_from, possible_until, hash, args } = call;
    const common = { operation, nonce, scheduled_at, possible_from, possible_until, hash };
    if (call.name === "setTreasury") {
      const fee = BigInt(args.newFee ?? 0);
      if (fee === vault.fee) return [];
      return [{ ...common, kind: "fee", present: { fee: formatRatio(vault.fee) }, next: { fee: formatRatio(fee) } }];
    }
    if (call.name !== "setCustodian") return [];
    const present = custody(vault.custodian, vault.buffer);
    const next = custody(args.newCustodian, BigInt(args.newBuffer ?? 0));
    if (present.custodian === next.custodian && present.buffer === next.buffer) return [];
    return [{ ...common, kind: "custodian", present, next }];
  });
}

/** GET product/{shortId}/announcements without wallets. */
export function announcementFigures(view: View, of: ProductView) {
  return {
    short_id: of.product.shortId,
    chain_id: view.chainId,
    changes: changeFigures(view, of),
    exit: null,
    exit_unknown: "no_position",
    as_of: asOfOf(view),
  };
}

/** The batches of readings that the chain has of listed products, newest first. */
export function anchorFigures(views: readonly View[]) {
  return views
    .flatMap(({ chainId, deployment, products, anchors }) => {
      const shortIds = new Map(products.map(({ product }) => [streamOf(product.shortId), product.shortId]));
      const heads = new Map(anchors.map(({ stream, number, head }) => [`${stream} ${number}`, head]));
      const contract = getAddress(deployment.telemetry_anchor ?? zeroAddress);
      return anchors
        .filter(({ stream }) => shortIds.has(stream))
        .map((anchor) => ({ anchor, chainId, contract, shortIds, heads }));
    })
    .sort(({ anchor: a }, { anchor: b }) => b.time - a.time || b.block - a.block || b.logIndex - a.logIndex)
    .map(({ anchor, chainId, contract, shortIds, heads }) => ({
      chain_id: chainId,
      contract,
      short_id: shortIds.get(anchor.stream),
      stream: anchor.stream,
      number: anchor.number,
      previous_head: heads.get(`${anchor.stream} ${anchor.number - 1}`) ?? zeroHash,
      root: anchor.root,
      from: anchor.from,
      to: anchor.to,
      count: anchor.count,
      data_hash: anchor.dataHash,
      head: anchor.head,
      block: anchor.block,
      block_time: millis(anchor.time),
      hash: anchor.hash,
    }));
}

/** The key with which a device signs at `seconds`, by the events of the chain. Null if it has none. */
export function keyFigures({ deviceKeys }: View, name: string, seconds: number) {
  const changes: View["deviceKeys"][number][] = [];
  for (const row of deviceKeys) {
    if (row.device !== streamOf(name)) continue;
    // The contract drops only the last key, and only before it is valid.
    if (row.what === "dropped") changes.pop();
    else changes.push(row);
  }
  const index = changes.findLastIndex(({ validFrom }) => validFrom <= seconds);
  const [key, next] = [changes[index], changes[index + 1]];
  if (key === undefined || key.what === "revoked") return null;
  return {
    kind: key.kind === 1 ? "p256" : "secp256k1",
    x: key.x,
    y: key.y,
    valid_from: key.validFrom,
    valid_until: next === undefined ? null : next.validFrom - 1,
  };
}

/** What the chain says of the batches of the products whose feeds are listed. */
export function feedFigures(views: readonly View[], shortId: string) {
  const anchors = views.flatMap(({ products, anchors }) =>
    products.some(({ product }) => product.shortId === shortId)
      ? anchors.filter(({ stream }) => stream === streamOf(shortId))
      : [],
  );
  const last = anchors.at(-1);
  return { last_anchor: last === undefined ? null : millis(last.time), batches: anchors.length };
}

/** The open proposal to replace a wallet, at most one per chain. */
export function recoveryFigures(views: readonly View[], wallet: Hex) {
  const names = new Set(["RecoveryProposed", "RecoveryVetoed", "RecoveryCancelled", "Retired"]);
  return {
    recoveries: views.flatMap(({ acts, chainId, time }) => {
      const last = acts.findLast(({ name, args }) => names.has(name) && args.wallet === wallet);
      if (last?.name !== "RecoveryProposed" || Number(last.args.expiresAt) <= time) return [];
      const { successor = "", executableAt, expiresAt } = last.args;
      return [
        {
          chain_id: chainId,
          registry: getAddress(last.contract),
          wallet: getAddress(wallet),
          successor: getAddress(successor),
          proposed_at: millis(last.time),
          executable_at: millis(Number(executableAt)),
          expires_at: millis(Number(expiresAt)),
          hash: last.hash,
        },
      ];
    }),
    as_of: oldestOf(views),
  };
}
