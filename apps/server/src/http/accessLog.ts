import type { FastifyInstance } from "fastify";

/** One line a request, with the route's pattern: which wallet someone looked at, and from where, is nobody's business. */
export function registerAccessLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url;
    const level = route === undefined || /^\/(health|ready|metrics|\*)$/.test(route) ? "debug" : "info";
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
