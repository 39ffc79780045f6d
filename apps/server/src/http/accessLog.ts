import type { FastifyInstance } from "fastify";

/**
 * Logs one line for each request, with the pattern of the route. The line does not reveal which wallet someone
 * viewed, or from where.
 */
export function registerAccessLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url;
    const level = route === undefined || /^\/(live|health|ready|metrics|\*)$/.test(route) ? "debug" : "info";
    const fields = {
      method: request.method,
      route: route ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log[level](fields, "request");
    done();
  });
}
