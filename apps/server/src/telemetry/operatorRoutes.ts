import { Readable } from "node:stream";
import { envelope } from "@aqua/sdk/api/envelope";
import { importedBatches, lossBody, lostBatchBody, type OperatorDevice, operatorDevice } from "@aqua/sdk/api/operator";
import { declaredLoss, deviceName, enrolBody, enrolledDevice, intervalBody } from "@aqua/sdk/api/telemetry";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import { type OperatorAccess, operatorOnly } from "../operators/access.ts";
import type { Devices } from "./devices.ts";
import type { ImportBatches } from "./import.ts";
import type { Losses } from "./losses.ts";

export interface DeviceOperatorParts {
  devices: Devices;
  importBatches: ImportBatches;
  losses: Losses;
  access: OperatorAccess;
}

const IMPORT_MAX = 8 * 1024 * 1024;
const tags = ["operator"];
const params = z.object({ name: deviceName });

/** The answer with all devices as JSON, in as many parts as there are slices. */
async function* textOf(slices: AsyncIterable<OperatorDevice[]>): AsyncGenerator<string> {
  let before = '{"data":[';
  for await (const slice of slices) {
    yield before + slice.map((one) => JSON.stringify(operatorDevice.parse(one))).join();
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}

/** The operator's calls about its devices. */
export function deviceOperatorRoutes({
  devices,
  importBatches,
  losses,
  access,
}: DeviceOperatorParts): FastifyPluginAsyncZod {
  return async (app) => {
    operatorOnly(app, access, "devices");
    app.get(
      "/operator/devices",
      { schema: { summary: "All enrolled devices", tags, response: { 200: envelope(z.array(operatorDevice)) } } },
      async (_request, reply) => {
        reply.header("content-type", "application/json; charset=utf-8");
        return reply.send(Readable.from(textOf(devices.slices()), { objectMode: false }) as never);
      },
    );
    app.post(
      "/operator/devices",
      {
        schema: {
          summary: "Enrols a device",
          description:
            "Answers its password for MQTT, this once; a name that is taken is refused (conflict). With `secret_hash`, the SHA-256 of a " +
            "password that you have made, it answers none, and the same call again changes nothing.",
          tags,
          body: enrolBody,
          response: { 200: envelope(enrolledDevice) },
        },
      },
      async ({ body, act }) => ({ data: await devices.enrol(body, act) }),
    );
    app.post(
      "/operator/devices/:name/secret",
      { schema: { summary: "A new password for a device", tags, params, response: { 200: envelope(enrolledDevice) } } },
      async ({ params: { name }, act }) => ({ data: await devices.renewSecret(name, act) }),
    );
    app.post(
      "/operator/devices/:name/interval",
      {
        // A change to a fleet of devices takes that many calls, all with the operator's token.
        config: { rateLimit: false },
        schema: {
          summary: "How often a device is to report, from now or a time in its past on",
          description: "The same again changes nothing. What was said of a later time stays.",
          tags,
          params,
          body: intervalBody,
          response: { 200: envelope(operatorDevice) },
        },
      },
      async ({ params: { name }, body, act }) => ({ data: await devices.changeInterval(name, body, act) }),
    );
    app.post(
      "/operator/devices/:name/retire",
      {
        schema: {
          summary: "Takes a device out of service for good",
          tags,
          params,
          response: { 200: envelope(operatorDevice) },
        },
      },
      async ({ params: { name }, act }) => ({ data: await devices.retire(name, act) }),
    );
    app.post(
      "/operator/devices/:name/declare-lost",
      {
        schema: {
          summary: "Says for all to see that readings of a device after its last accepted one are lost",
          description: "Its next reading is accepted without them.",
          tags,
          params,
          body: lossBody,
          response: { 200: envelope(declaredLoss) },
        },
      },
      async ({ params: { name }, body, act }) => ({ data: await losses.declareReadings(name, body.reason, act) }),
    );
    app.post(
      "/operator/batches/declare-lost",
      {
        schema: {
          summary: "Says for all to see that the file of the next batch, which the chain holds, is lost",
          description:
            "The batches after it can then be imported or built, and each of the product's devices goes on with its next reading.",
          tags,
          body: lostBatchBody,
          response: { 200: envelope(declaredLoss) },
        },
      },
      async ({ body, act }) => ({ data: await losses.declareBatch(body, act) }),
    );
    app.addContentTypeParser("application/x-ndjson", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    app.post(
      "/operator/batches",
      {
        bodyLimit: IMPORT_MAX,
        // A year of batches takes thousands of calls, all with the operator's token.
        config: { rateLimit: false },
        schema: {
          summary: "Takes in batch files that stand on chain, with their readings",
          description:
            "application/x-ndjson: one file or several after each other, of a product in the order of their numbers. All of " +
            "a call or nothing; what is known is passed over. Refused (conflict) with the number of the next batch where " +
            "one is skipped, and where the chain does not hold exactly this batch.",
          tags,
          consumes: ["application/x-ndjson"],
          response: { 200: envelope(importedBatches) },
        },
      },
      async ({ body, act }) => {
        if (Buffer.isBuffer(body) && body.length > 0) return { data: await importBatches(body, act) };
        throw new ApiError("validation_error", "The body must be a batch file, with content-type application/x-ndjson");
      },
    );
  };
}
