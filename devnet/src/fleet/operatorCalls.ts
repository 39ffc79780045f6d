import { randomBytes } from "node:crypto";
import { actHeaders } from "@aqua/sdk/api/operator";
import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { actCommitment, operatorAct } from "@aqua/sdk/proofs/log/entry";
import { toHex } from "viem/utils";
import { roleAccount } from "../accounts.ts";
import type { FleetDevice } from "./devices.ts";

/** An enrolled device as its operator sees it. */
export interface Enrolled {
  name: string;
  retired_at: number | null;
  last: { seq: number; time: number } | null;
  intervals: { since: number | null; interval: number }[];
}

/** The server refused a request. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Body {
  type: string;
  content: string | Uint8Array;
}

const TIMEOUT_MS = 60_000;

/** Calls of an operator for its devices, with its token and signature, and the devices' own call. */
export class FleetCalls {
  /** The origin of the server's public log, which a signature names. */
  #origin: string | null = null;

  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  devices(): Promise<Enrolled[]> {
    return this.#call<Enrolled[]>("GET", "operator/devices");
  }

  /** Enrols a device and returns its password for MQTT. */
  async enrol(device: FleetDevice): Promise<string> {
    const { name, short_id, metric, exponent, place, latitude, longitude, model, trust, min, max, interval } = device;
    const body = { name, short_id, metric, exponent, place, latitude, longitude, model, trust, min, max, interval };
    const { max_step, co_signer } = device;
    const answer = await this.#json<{ secret: string }>("operator/devices", { ...body, max_step, co_signer });
    return answer.secret;
  }

  async newSecret(name: string): Promise<string> {
    return (await this.#json<{ secret: string }>(`operator/devices/${name}/secret`, {})).secret;
  }

  /** Sets the interval in which a device must report from `since` on; both in milliseconds. */
  async changeInterval(name: string, { since, interval }: { since: number; interval: number }): Promise<void> {
    await this.#json(`operator/devices/${name}/interval`, { since, interval });
  }

  async retire(name: string): Promise<void> {
    await this.#json(`operator/devices/${name}/retire`, {});
  }

  /** Imports batch files as they were anchored, one after another. Repeating an import is harmless. */
  async importBatches(files: Uint8Array): Promise<void> {
    await this.#call("POST", "operator/batches", { content: files, type: "application/x-ndjson" });
  }

  send(readings: readonly unknown[]): Promise<TelemetryAnswer> {
    return this.#json<TelemetryAnswer>("telemetry", { readings });
  }

  async #signature(call: string, { content }: Body): Promise<Record<string, string>> {
    this.#origin ??= (await (await fetch(`${this.url}/api/v2/log/checkpoint`)).text()).split("\n")[0] as string;
    const nonce = toHex(randomBytes(32));
    const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const commitment = actCommitment(nonce, body);
    const time = Date.now();
    const message = operatorAct({ site: this.#origin, call, commitment, time });
    const signature = await roleAccount("operator").signTypedData(message);
    return { [actHeaders.time]: String(time), [actHeaders.nonce]: nonce, [actHeaders.signature]: signature };
  }

  #json<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#call<Answer>("POST", path, { content: JSON.stringify(body), type: "application/json" });
  }

  async #call<Answer>(method: string, path: string, body?: Body): Promise<Answer> {
    const response = await fetch(`${this.url}/api/v2/${path}`, {
      method,
      headers: {
        ...(path === "telemetry" ? {} : { authorization: `Bearer ${this.token}` }),
        ...(path === "telemetry" || body === undefined ? {} : await this.#signature(`${method} ${path}`, body)),
        ...(body === undefined ? {} : { "content-type": body.type }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { body: typeof body.content === "string" ? body.content : new Uint8Array(body.content) }),
    });
    const answer = (await response.json().catch(() => ({}))) as { data?: Answer; message?: string };
    if (!response.ok) throw new Refusal(response.status, `${path}: ${answer.message ?? `HTTP ${response.status}`}`);
    return answer.data as Answer;
  }
}
