import { type Pool, previewDeposit, previewRedeem, previewWithdraw } from "@aqua/sdk/maths/shares";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";

/**
 * A vault as the contract keeps it, to the last unit, so that a year can be planned without asking the chain.
 * Amounts in smallest units, times in Unix seconds.
 */
export class VaultModel {
  readonly shares = new Map<number, bigint>();
  supply = 0n;
  lastAsOf: number;
  #settled = 0n;
  #streaming = 0n;
  #start: number;
  #end: number;

  constructor(createdAt: number) {
    this.lastAsOf = createdAt;
    this.#start = createdAt;
    this.#end = createdAt;
  }

  totalAssets(at: number): bigint {
    const stream = {
      settled: this.#settled,
      streaming: this.#streaming,
      start: BigInt(this.#start),
      end: BigInt(this.#end),
    };
    return totalAssetsAt(stream, BigInt(at));
  }

  pool(at: number): Pool {
    return { totalAssets: this.totalAssets(at), supply: this.supply };
  }

  sharesOf(holder: number): bigint {
    return this.shares.get(holder) ?? 0n;
  }

  valueOf(holder: number, at: number): bigint {
    return previewRedeem(this.sharesOf(holder), this.pool(at));
  }

  deposit(holder: number, assets: bigint, at: number): void {
    const shares = previewDeposit(assets, this.pool(at));
    this.#settled += assets;
    this.#move(holder, shares);
    this.supply += shares;
  }

  withdraw(holder: number, assets: bigint, at: number): void {
    const shares = previewWithdraw(assets, this.pool(at));
    this.#settled -= assets;
    this.#move(holder, -shares);
    this.supply -= shares;
  }

  redeem(holder: number, shares: bigint, at: number): void {
    const assets = previewRedeem(shares, this.pool(at));
    this.#settled -= assets;
    this.#move(holder, -shares);
    this.supply -= shares;
  }

  transfer(from: number, to: number, shares: bigint): void {
    this.#move(from, -shares);
    this.#move(to, shares);
  }

  report(gain: bigint, asOf: number, at: number, vestingTime: number): void {
    const held = this.#settled + this.#streaming + gain;
    this.#settled = this.totalAssets(at);
    this.#streaming = held - this.#settled;
    this.#start = at;
    this.#end = at + vestingTime;
    this.lastAsOf = asOf;
  }

  #move(holder: number, shares: bigint): void {
    const left = this.sharesOf(holder) + shares;
    if (left < 0n) throw new RangeError(`Depositor ${holder} does not hold that many shares.`);
    this.shares.set(holder, left);
  }
}
