import { envelope } from "@aqua/sdk/api/envelope";
import { operatorDevice } from "@aqua/sdk/api/operator";
import { deviceBody, deviceName, enrolledDevice } from "@aqua/sdk/api/telemetry";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Limits } from "../limits/limits.ts";
import { operatorOnly } from "../limits/operator.ts";
import type { Devices } from "./devices.ts";

export interface DeviceOperatorParts {
  devices: Devices;
  limits: Limits;
  token: string;
}

const tags = ["operator"];
const params = z.object({ name: deviceName });

/** Calls of whoever runs the instance, about its devices. */
export function deviceOperatorRoutes({ devices, limits, token }: DeviceOperatorParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("onRequest", operatorOnly(limits, token));
    app.get(
      "/operator/devices",
      { schema: { summary: "All enrolled devices", tags, response: { 200: envelope(z.array(operatorDevice)) } } },
      async () => ({ data: await devices.list() }),
    );
    app.post(
      "/operator/devices",
      {
        schema: {
          summary: "Enrols a device",
          description: "Answers its password for MQTT, this once; a name that is taken is refused (conflict).",
          ...{ tags, body: deviceBody, response: { 200: envelope(enrolledDevice) } },
        },
      },
      async ({ body }) => ({ data: await devices.enrol(body) }),
    );
    app.post(
      "/operator/devices/:name/secret",
      { schema: { summary: "A new password for a device", tags, params, response: { 200: envelope(enrolledDevice) } } },
      async ({ params: { name } }) => ({ data: await devices.renewSecret(name) }),
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
      async ({ params: { name } }) => ({ data: await devices.retire(name) }),
    );
  };
}
