import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { SignClient } from "@walletconnect/sign-client";
import { WebSocketServer } from "ws";
import type { TestWallet } from "./wallet";

interface Message {
  topic: string;
  message: string;
  tag: number;
  publishedAt: number;
}
interface Peer {
  send(text: string): void;
  topics: Map<string, string>;
}
interface Call {
  id: number;
  method?: string;
  params?: { topic?: string; topics?: string[]; message?: string; tag?: number };
}

/**
 * A WalletConnect relay on this machine: it passes on what one side publishes to whoever subscribed the topic, or keeps
 * it for the first of the others who subscribes later, who gets it once: a wallet that subscribes twice would else
 * answer a proposal twice and hold a session of which the page knows nothing. The page and the wallet speak to it with their own, unaltered libraries, so pairing,
 * encryption and requests are the real ones.
 */
export class Relay {
  private readonly peers = new Set<Peer>();
  private mailbox: { from: Peer; message: Message }[] = [];
  private readonly server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  private subscriptions = 0;

  constructor() {
    this.server.on("connection", (socket) => {
      const receive = this.join((text) => socket.send(text));
      socket.on("message", (data) => receive(String(data)));
    });
  }

  /** Address for the wallet's side. The page's side is intercepted in the browser. */
  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close() {
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  /** Adds a connection; `send` sends to it. Returns the function that receives its messages. */
  join(send: (text: string) => void): (text: string) => void {
    const peer: Peer = { send, topics: new Map() };
    this.peers.add(peer);
    return (text) => this.receive(peer, JSON.parse(text) as Call);
  }

  private receive(peer: Peer, { id, method, params = {} }: Call) {
    // A message without a method acknowledges a delivery.
    if (method === undefined) return;
    peer.send(JSON.stringify({ id, jsonrpc: "2.0", result: this.answer(peer, method, params) }));
    if (method === "irn_subscribe" || method === "irn_batchSubscribe") this.deliverKept(peer, this.topicsOf(params));
  }

  private deliverKept(peer: Peer, topics: string[]) {
    const isFor = ({ from, message }: { from: Peer; message: Message }) =>
      from !== peer && topics.includes(message.topic);
    const due = this.mailbox.filter(isFor);
    this.mailbox = this.mailbox.filter((kept) => !isFor(kept));
    for (const { message } of due) this.deliver(peer, message);
  }

  private topicsOf({ topic, topics = [] }: NonNullable<Call["params"]>): string[] {
    return topic === undefined ? topics : [topic];
  }

  private answer(peer: Peer, method: string, params: NonNullable<Call["params"]>): unknown {
    switch (method) {
      case "irn_publish": {
        const { topic = "", message = "", tag = 0 } = params;
        const published = { topic, message, tag, publishedAt: Date.now() };
        const others = [...this.peers].filter((other) => other !== peer && other.topics.has(topic));
        if (others.length === 0) this.mailbox.push({ from: peer, message: published });
        for (const other of others) this.deliver(other, published);
        return true;
      }
      case "irn_subscribe":
      case "irn_batchSubscribe": {
        const ids = this.topicsOf(params).map((topic) => {
          this.subscriptions += 1;
          peer.topics.set(topic, `subscription-${this.subscriptions}`);
          return peer.topics.get(topic);
        });
        return method === "irn_subscribe" ? ids[0] : ids;
      }
      case "irn_batchFetchMessages":
      case "irn_fetchMessages":
        return { messages: [], hasMore: false };
      case "irn_unsubscribe":
        for (const topic of this.topicsOf(params)) peer.topics.delete(topic);
        return true;
      default:
        return true;
    }
  }

  private deliver(peer: Peer, message: Message) {
    const id = Date.now() * 1_000 + Math.floor(Math.random() * 1_000);
    const params = { id: peer.topics.get(message.topic), data: message };
    peer.send(JSON.stringify({ id, jsonrpc: "2.0", method: "irn_subscription", params }));
  }

  /** Answers the page's relay calls here, and offers WalletConnect to the page. Call it before the page opens. */
  async serve(page: Page) {
    await page.routeWebSocket(/relay\.walletconnect\./, (socket) => {
      const receive = this.join((text) => socket.send(text));
      socket.onMessage((data) => receive(String(data)));
    });
    await offerWalletConnect(page);
  }
}

/** Simulates an unreachable relay that never answers the page. */
export async function silentRelay(page: Page) {
  await page.routeWebSocket(/relay\.walletconnect\./, () => undefined);
  await offerWalletConnect(page);
}

/** Tells the page that there is a WalletConnect project, which this world does not have. */
const offerWalletConnect = (page: Page) =>
  changeNetwork(page, { walletconnect_project_id: "00000000000000000000000000000000" });

/** Shows the page another configuration of the instance. Call it before the page opens. */
export async function changeNetwork(page: Page, change: object) {
  await page.route("**/api/v2/network", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, ...change } } });
  });
}

/** A wallet app outside the page: it answers requests from the relay with `wallet`. */
export async function walletApp(relay: Relay, wallet: TestWallet) {
  const store = new Map<string, unknown>();
  const client = await SignClient.init({
    relayUrl: relay.url,
    projectId: "00000000000000000000000000000000",
    logger: "silent",
    telemetryEnabled: false,
    // The SDK stores its core by name for the whole process, so a later test would get the core of an earlier relay.
    customStoragePrefix: randomUUID(),
    metadata: { name: "Test Wallet App", description: "", url: "https://wallet.example", icons: [] },
    storage: {
      getKeys: async () => [...store.keys()],
      getEntries: async <T>() => [...store.entries()] as [string, T][],
      getItem: async <T>(key: string) => store.get(key) as T | undefined,
      setItem: async (key, value) => void store.set(key, value),
      removeItem: async (key) => void store.delete(key),
    },
  });
  let approvals = 0;
  let refuses = false;
  client.on("session_proposal", async ({ id, params }) => {
    if (refuses) {
      await client.reject({ id, reason: { code: 5000, message: "User rejected." } });
      return;
    }
    const asked = { ...params.requiredNamespaces.eip155, ...params.optionalNamespaces.eip155 };
    const chains = asked.chains ?? [];
    const accounts = chains.map((chain) => `${chain}:${wallet.address}`);
    const { methods = [], events = [] } = asked;
    const { acknowledged } = await client.approve({
      id,
      namespaces: { eip155: { chains, accounts, methods, events } },
    });
    await acknowledged();
    approvals += 1;
  });
  client.on("session_request", async ({ topic, id, params: { request } }) => {
    const answer = await wallet.answer(request.method, request.params as unknown[]);
    await client.respond({
      topic,
      response:
        "error" in answer ? { id, jsonrpc: "2.0", error: answer.error } : { id, jsonrpc: "2.0", result: answer.result },
    });
  });
  return {
    /** The owner scans the code, or the app is opened by its link. */
    pair: (uri: string) => client.pair({ uri }),
    /** Sets whether the wallet's owner refuses from now on. */
    refuse: (next: boolean) => {
      refuses = next;
    },
    get approvals() {
      return approvals;
    },
    sessions: () => client.session.length,
    close: () => client.core.relayer.transportClose(),
  };
}
