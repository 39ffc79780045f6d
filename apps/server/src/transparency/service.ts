import type { List } from "@aqua/sdk/api/envelope";
import type {
  PrivilegedAct,
  Recoveries,
  Reserves,
  ScheduledCall,
  TransparencySummary,
} from "@aqua/sdk/api/transparency";
import type { LanguageCode } from "@aqua/sdk/languages";
import { getAddress, type Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { OpenFindings, Withheld } from "../findings/open.ts";
import { type IndexedChain, oldest, stampsOf } from "../indexer/stamp.ts";
import type { PrivilegedAct as ActRow, ProductState } from "../indexer/world.ts";
import { lastReadings } from "../product/anchors.ts";
import { type Documents, documentIn } from "../product/documents.ts";
import { reviewedLossOf } from "../product/lossReview.ts";
import { type CurrentProduct, currentProducts, productsOf } from "../product/store.ts";
import { type CurrentTermProduct, currentTermProducts } from "../product/termStore.ts";
import { recoveryOf, scheduledCalls } from "./announcements.ts";
import { decodeCall, operationKey, schedulingActs } from "./calls.ts";
import { type ReserveFacts, termReserves, vaultReserves } from "./reserves.ts";
import { actsOf, evidenceRenewals, roleActs } from "./store.ts";

export interface TransparencyService {
  /** The names of products are in `lang` if they have a name in it. */
  summary(lang?: LanguageCode): Promise<TransparencySummary>;
  /** Open proposals to replace `wallet` by another wallet. */
  recoveries(wallet: string): Promise<Recoveries>;
  acts(query: { page: number; page_size: number; short_id?: string | undefined }): Promise<List<PrivilegedAct>>;
}

type Contracts = TransparencySummary["contracts"];
type Roles = TransparencySummary["roles"];

/** Figures that anyone may check: the assets and liabilities of products, the contracts, and who may do what. */
export function createTransparencyService(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  findings: OpenFindings;
}): TransparencyService {
  const { db, documents, findings } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const snapshot = <T>(read: (tx: Orm) => Promise<T>) => db.transaction(read, "repeatable read");
  const nameOf = ({ metadataHash }: ProductState, shortId: string, lang: LanguageCode | undefined) =>
    documentIn(documents.get(metadataHash), lang)?.name ?? shortId;

  return {
    summary: (lang) =>
      snapshot(async (tx) => {
        const stamped = await stampsOf(tx, chains);
        const withheld = await findings.read();
        const reserves: Reserves[] = [];
        const contracts: Contracts = [];
        const roles: Roles = [];
        const scheduled: ScheduledCall[] = [];
        for (const { chain, asOf } of stamped) {
          contracts.push(...deployedContracts(chain));
          const products = await productsOf(tx, [chain.chainId]);
          const renewals = await evidenceRenewals(tx, chain.chainId);
          const readings = await lastReadings(tx, chain.chainId, products);
          const factsOf = async (current: CurrentProduct | CurrentTermProduct): Promise<ReserveFacts> => {
            const { product, state } = current;
            return {
              name: nameOf(state, product.shortId, lang),
              asOf,
              renewed: renewals.get(product.address) ?? null,
              lastReading: readings.get(product.address) ?? null,
              loss: await reviewedLossOf(tx, current, asOf.time / 1_000),
            };
          };
          for (const current of await currentProducts(tx, chain.chainId)) {
            const { product, vault } = current;
            reserves.push(withholdReserves(vaultReserves(current, await factsOf(current)), withheld));
            const { queue, custodian } = vault;
            contracts.push(
              ...contractsOf(chain.chainId, product.shortId, { product: product.address, queue, custodian }),
            );
          }
          for (const current of await currentTermProducts(tx, chain.chainId)) {
            const { product, books } = current;
            reserves.push(withholdReserves(termReserves(current, await factsOf(current)), withheld));
            const { custodian } = books;
            contracts.push(...contractsOf(chain.chainId, product.shortId, { product: product.address, custodian }));
          }
          const { chainId } = chain;
          roles.push(...rolesOf(chainId, await roleActs(tx, chainId)));
          scheduled.push(...(await scheduledCalls(tx, { chainId, products, now: asOf.time / 1_000 })));
        }
        return { reserves, contracts, roles, scheduled, as_of: oldest(stamped.map(({ asOf }) => asOf)) };
      }),

    recoveries: (wallet) =>
      snapshot(async (tx) => {
        const stamped = await stampsOf(tx, chains);
        const found = await Promise.all(
          stamped.map(({ chain: { chainId }, asOf }) =>
            recoveryOf(tx, { chainId, wallet: wallet.toLowerCase(), now: asOf.time / 1_000 }),
          ),
        );
        return { recoveries: found.filter((one) => one !== null), as_of: oldest(stamped.map(({ asOf }) => asOf)) };
      }),

    acts: ({ page, page_size, short_id }) =>
      snapshot(async (tx) => {
        const stamped = await stampsOf(tx, chains);
        (await findings.read()).demand("The list of acts", ["acts"], {});
        const chainIds = stamped.map(({ chain }) => chain.chainId);
        const products = await productsOf(tx, chainIds);
        // If several chains use a short id, the chain configured first takes precedence.
        const of = chainIds
          .flatMap((chainId) => products.filter((one) => one.chainId === chainId && one.shortId === short_id))
          .at(0);
        if (short_id !== undefined && !of) throw new ApiError("pool_not_found", "There is no product with this id");
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { rows, total } = await actsOf(tx, { chainIds, of: of ?? null, page: span });
        const shortIds = new Map(products.map((one) => [`${one.chainId}:${one.address}`, one.shortId]));
        const scheduled = await schedulingActs(tx, rows);
        const items = rows.map((row) => {
          const { target, data } = scheduled.get(operationKey(row))?.args ?? {};
          const about = [row.contract, row.args.product, target].map((one) => shortIds.get(`${row.chainId}:${one}`));
          return toAct(row, { shortId: about.find(Boolean) ?? null, data });
        });
        return { items, total, page, page_size };
      }),
  };
}

/** Returns the reserves without amounts if an open finding concerns the product's accounts. */
function withholdReserves(reserves: Reserves, withheld: Withheld): Reserves {
  const product = reserves.short_id;
  const known = withheld.concerns(["batches"], { product }) ? { ...reserves, last_reading: null } : { ...reserves };
  if (known.reviewed_loss !== null && withheld.concerns(["accounts", "reports"], { product }))
    known.reviewed_loss = { ...known.reviewed_loss, amount: null };
  if (!withheld.concerns(["accounts"], { product })) return known;
  return { ...known, assets: [], liabilities: [], total_assets: null, total_liabilities: null, coverage: null };
}

/** `data` is the data of the call that the act schedules or cancels. Undefined for other acts. */
function toAct(row: ActRow, { shortId, data }: { shortId: string | null; data: string | undefined }): PrivilegedAct {
  return {
    chain_id: row.chainId,
    block: row.block,
    log_index: row.logIndex,
    time: row.time * 1_000,
    hash: row.hash,
    contract: getAddress(row.contract),
    short_id: shortId,
    name: row.name,
    args: row.args,
    call: data === undefined ? null : decodeCall(data as Hex),
  };
}

function deployedContracts({ chainId, deployment }: IndexedChain): Contracts {
  if (!deployment) return [];
  const { access_manager, identity_registry, product_registry, telemetry_anchor } = deployment;
  return contractsOf(chainId, null, { access_manager, identity_registry, product_registry, telemetry_anchor });
}

function contractsOf(
  chainId: number,
  shortId: string | null,
  of: Record<string, string | null | undefined>,
): Contracts {
  return Object.entries(of).flatMap(([role, address]) =>
    address ? [{ chain_id: chainId, role, address: getAddress(address), short_id: shortId }] : [],
  );
}

/** The members of each role, according to the AccessManager's events. Roles that nobody ever held are left out. */
function rolesOf(chainId: number, acts: readonly ActRow[]): Roles {
  const labels = new Map<string, string>();
  const roles = new Map<string, Map<string, Roles[number]["members"][number]>>();
  for (const { name, args } of acts) {
    const { role = "", account = "", label = "", delay, since } = args;
    if (name === "RoleLabel") {
      labels.set(role, label);
      continue;
    }
    const members = roles.get(role) ?? new Map();
    roles.set(role, members);
    if (name === "RoleRevoked") members.delete(account);
    else {
      // Granting a role again changes its delay. `since` remains the time of the first grant.
      const known = members.get(account);
      const from = known?.since ?? Number(since) * 1_000;
      members.set(account, { address: getAddress(account), delay: Number(delay) * 1_000, since: from });
    }
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
