import { randomBytes } from "node:crypto";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { FaucetResult, IdentityMessage, IdentityResult } from "@aqua/sdk/api/faucet";
import { localChain } from "@aqua/sdk/chains";
import type { Deployment } from "@aqua/sdk/deployment";
import {
  BaseError,
  getAddress,
  type Hex,
  HttpRequestError,
  numberToHex,
  type PublicClient,
  parseEther,
  parseUnits,
  stringToHex,
  TimeoutError,
} from "viem";
import { createSiweMessage, generateSiweNonce } from "viem/siwe";
import { CallReverted, createSender } from "../chain/sender.ts";
import { ApiError } from "../errors.ts";
import { createLimiter, type Limiter } from "./limiter.ts";

export interface FaucetParts {
  client: PublicClient;
  deployment: Deployment & { test_dollar: string };
  faucetKey: Hex;
  attesterKey: Hex;
  /** Origin the messages to sign are for. */
  publicUrl: string;
}

export interface FaucetService {
  /** Sends test dollars and gas to `address`, asked for by the caller at `ip`. */
  fill(address: string, ip: string): Promise<FaucetResult>;
  /** The text a wallet signs to be verified: with `\nRequest ID: <subject>` after it. */
  message(address: string, ip: string): Promise<IdentityMessage>;
  /** Binds the wallet on chain with its signature over message and request line. */
  verify(
    body: { address: string; subject: string; message: string; signature: string },
    ip: string,
  ): Promise<IdentityResult>;
}

const ASSETS = "10000";
const GAS = "1";
const HOUR_MS = 3_600_000;
const FILLS_AN_HOUR = { address: 5, ip: 200 };
const PROOFS_AN_HOUR = { address: 20, ip: 400 };
const MESSAGE_MS = 5 * 60_000;
const MESSAGES_MAX = 1_000;
const RECORD_SECONDS = 365n * 86_400n;
/** IdentityRegistry.Status */
const VERIFIED = 1;
const FROZEN = 3;

/** Test dollars, gas and a verified record for anyone. It exists on the local chain only, where none of it has worth. */
export function createFaucetService({
  client,
  deployment,
  faucetKey,
  attesterKey,
  publicUrl,
}: FaucetParts): FaucetService {
  const faucet = createSender(client, faucetKey);
  const attester = attesterKey === faucetKey ? faucet : createSender(client, attesterKey);
  const registry = { address: deployment.identity_registry as Hex, abi: identityRegistryAbi } as const;
  const fills = {
    address: createLimiter(FILLS_AN_HOUR.address, HOUR_MS),
    ip: createLimiter(FILLS_AN_HOUR.ip, HOUR_MS),
  };
  const proofs = {
    address: createLimiter(PROOFS_AN_HOUR.address, HOUR_MS),
    ip: createLimiter(PROOFS_AN_HOUR.ip, HOUR_MS),
  };
  /** Messages given out and not used yet, oldest first. */
  const issued = new Map<string, { address: Hex; subject: string; expires: number }>();

  async function requireUnverified(address: Hex): Promise<void> {
    const status = await client.readContract({ ...registry, functionName: "statusOf", args: [address] });
    if (status === VERIFIED) throw new ApiError("conflict", "This wallet is already verified");
    if (status === FROZEN) throw new ApiError("conflict", "This wallet is frozen; it cannot be verified here");
  }

  /** A wallet keeps the subject it once had; a new one gets a random id. */
  async function subjectOf(address: Hex): Promise<string> {
    const record = await client.readContract({ ...registry, functionName: "recordOf", args: [address] });
    const subject = record.subject === 0n ? BigInt(`0x${randomBytes(16).toString("hex")}`) : record.subject;
    return numberToHex(subject, { size: 16 });
  }

  return {
    fill: (text, ip) =>
      answering(async () => {
        const address = getAddress(text);
        spend(fills, address, ip);
        try {
          // Gas first: a contract that takes no coin is noticed before anything is sent.
          const gas = await faucet.transfer(address, parseEther(GAS));
          const assets = await faucet.call({
            address: deployment.test_dollar as Hex,
            abi: testDollarAbi,
            functionName: "mint",
            args: [address, parseUnits(ASSETS, 6)],
          });
          return { assets: ASSETS, gas: GAS, hashes: [assets, gas] };
        } catch (error) {
          if (!(error instanceof CallReverted)) throw error;
          const message = "This address does not take test dollars or gas";
          throw new ApiError("validation_error", message, [{ path: "address", message }]);
        }
      }),

    message: (text, ip) =>
      answering(async () => {
        const address = getAddress(text);
        spend(proofs, address, ip);
        await requireUnverified(address);
        const subject = await subjectOf(address);
        const now = Date.now();
        const message = createSiweMessage({
          domain: new URL(publicUrl).host,
          uri: publicUrl,
          address,
          statement: "Verify this wallet on the local chain of Aqua. This costs nothing and moves nothing.",
          version: "1",
          chainId: localChain.id,
          nonce: generateSiweNonce(),
          issuedAt: new Date(now),
          expirationTime: new Date(now + MESSAGE_MS),
        });
        for (const [known, { expires }] of issued) {
          if (expires > now && issued.size < MESSAGES_MAX) break;
          issued.delete(known);
        }
        issued.set(message, { address, subject, expires: now + MESSAGE_MS });
        return { message, subject };
      }),

    verify: (body, ip) =>
      answering(async () => {
        const address = getAddress(body.address);
        spend(proofs, address, ip);
        const known = issued.get(body.message);
        if (!known || known.expires < Date.now() || known.address !== address || known.subject !== body.subject) {
          throw new ApiError(
            "signature_invalid",
            "This message was not issued for this wallet, or it has run out; ask for a new one",
          );
        }
        // Taken out before anything is waited for: of two requests with one message only one goes on.
        issued.delete(body.message);
        try {
          await requireUnverified(address);
          const { timestamp } = await client.getBlock();
          const hash = await attester.call({
            ...registry,
            functionName: "bind",
            args: [
              address,
              BigInt(body.subject),
              timestamp + RECORD_SECONDS,
              0,
              1,
              stringToHex(body.message),
              body.signature as Hex,
            ],
          });
          return { hash };
        } catch (error) {
          if (error instanceof CallReverted) throw refusalOf(error);
          // The chain was away: the signature stays good.
          if (!(error instanceof ApiError)) issued.set(body.message, known);
          throw error;
        }
      }),
  };
}

function spend(limits: { address: Limiter; ip: Limiter }, address: Hex, ip: string): void {
  const wait = Math.max(limits.address.waitOf(address), limits.ip.waitOf(ip));
  if (wait > 0) {
    throw new ApiError(
      "too_many_requests",
      `The faucet is used up for now; try again in ${Math.ceil(wait / 60_000)} min`,
    );
  }
  limits.address.use(address);
  limits.ip.use(ip);
}

function refusalOf({ errorName }: CallReverted): ApiError {
  switch (errorName) {
    case "InvalidWalletSignature":
      return new ApiError("signature_invalid", "The signature is not this wallet's signature of the message");
    case "WalletBoundToAnotherSubject":
      return new ApiError("conflict", "This wallet belongs to another record");
    default:
      return new ApiError("conflict", "The identity registry refused to verify this wallet");
  }
}

/** Says that the chain is away in the words of the API. */
async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const lost =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError);
    if (lost) throw new ApiError("chain_unavailable", "The local chain does not answer; try again in a moment");
    throw error;
  }
}
