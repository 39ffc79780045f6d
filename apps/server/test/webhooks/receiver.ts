import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { signedHeaders } from "../../src/webhookPost.ts";

/** The key and the secret of the example in the specification of Standard Webhooks. */
export const EXAMPLE_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const EXAMPLE_KEY = Buffer.from(EXAMPLE_SECRET.slice("whsec_".length), "base64");

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What the next calls are answered; 204 when empty. */
  answers: (number | ((response: ServerResponse) => void))[];
  close(): void;
}

/** An operator's system that receives webhooks. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver["answers"] = [];
  const server: Server = createServer(async (request, response) => {
    received.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
    const answer = answers.shift() ?? 204;
    if (typeof answer === "number") response.writeHead(answer).end();
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whether a call has the signature of this key, as a receiver checks it. */
export function isSignedBy(key: Buffer, { headers, body }: Received): boolean {
  const id = String(headers["webhook-id"]);
  const { "webhook-signature": expected } = signedHeaders({ id, seconds: Number(headers["webhook-timestamp"]), body }, [
    key,
  ]);
  return String(headers["webhook-signature"])
    .split(" ")
    .includes(expected as string);
}
