import { setTimeout as sleep } from "node:timers/promises";
import type { AccountInfo, OutboxMail, Session } from "@aqua/sdk/api/auth";
import type { Client } from "@aqua/sdk/api/calls";
import { createClient } from "@aqua/sdk/api/client";
import type { PrivateKeyAccount } from "viem/accounts";
import { LOCAL_CHAIN_ID } from "./rpc.ts";

/** A person of the local world, who uses the same calls as any other person. */
export interface Person {
  email: string;
  password: string;
  country: string;
  /** As sent to the identity check. The sandbox decides by it. */
  name: string;
}

const MAIL_WITHIN_MS = 20_000;
const RECORD_WITHIN_MS = 60_000;

/** @param url of the server; only one that runs everything on this machine shows its mails */
export function clientOf(url: string, token: string | null = null): Client {
  return createClient({ baseUrl: `${url}/api/v2`, getToken: () => token });
}

/** Registers with the code from the outbox. Rejects when the address has an account. */
export async function register(url: string, { email, password, country }: Person): Promise<Session> {
  const client = clientOf(url);
  const known = new Set((await client.outbox({ to: email })).map(({ id }) => id));
  await client.sendVerificationCode({ email, purpose: "register" });
  const code = await codeOf(client, email, known);
  const { ticket } = await client.verifyEmail({ email, code, purpose: "register" });
  return client.register({ email, password, ticket, country });
}

/** Returns the code of the new mail. */
async function codeOf(client: Client, email: string, known: ReadonlySet<string>): Promise<string> {
  const mail = await until<OutboxMail>(MAIL_WITHIN_MS, `mail to ${email}`, async () =>
    (await client.outbox({ to: email })).find(({ id }) => !known.has(id)),
  );
  const code = /\b\d{6}\b/.exec(mail.text)?.[0];
  if (code === undefined) throw new Error(`${email} has an account already.`);
  return code;
}

/** Links the wallet, has the identity checked, and waits until the chain knows the wallet. Skips steps already done. */
export async function becomeVerified({
  url,
  token,
  person: { name, country },
  wallet,
}: {
  url: string;
  token: string;
  person: Person;
  wallet: PrivateKeyAccount;
}): Promise<AccountInfo> {
  const client = clientOf(url, token);
  const { wallets, identity_status } = await client.accountInfo();
  if (wallets.length === 0) await link(client, wallet);
  if (identity_status !== "verified" && identity_status !== "pending") {
    const form = new FormData();
    const fields = { name, country, birth_date: "1990-01-01", document_kind: "passport" };
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set("document", new Blob([Buffer.from(BLANK_PNG, "base64")], { type: "image/png" }), "passport.png");
    await client.submitIdentity(form);
  }
  return until<AccountInfo>(RECORD_WITHIN_MS, `record of ${wallet.address}`, async () => {
    const info = await client.accountInfo();
    const [current] = info.wallets;
    const bound = current?.bindings.every(({ state }) => state === "bound") && current.bindings.length > 0;
    return info.identity_status === "verified" && bound ? info : undefined;
  });
}

/** Links the wallet to the account. Linking it again writes its record again when a chain has lost it. */
export async function link(client: Client, wallet: PrivateKeyAccount): Promise<void> {
  const { message } = await client.getSignMessage({ address: wallet.address, chain_id: LOCAL_CHAIN_ID });
  await client.authenticate({ message, signature: await wallet.signMessage({ message }) });
}

async function until<T>(withinMs: number, what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`No ${what} within ${withinMs / 1_000} s.`);
    await sleep(100);
  }
}

/** A picture of one white pixel, which the sandbox accepts as a document. */
const BLANK_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=";
