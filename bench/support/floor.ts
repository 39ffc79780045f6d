/** Bare Fastify that answers each path of a file of `[path, body]` with its body. Run by bench/api.ts, as a process of its own. */
import { readFileSync } from "node:fs";
import Fastify from "fastify";

const [file = "", port = ""] = process.argv.slice(2);
const app = Fastify();
for (const [path, body] of JSON.parse(readFileSync(file, "utf8")) as [string, string][]) {
  const bytes = Buffer.from(body);
  app.get(path.split("?", 1)[0] ?? path, (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(bytes),
  );
}
await app.listen({ port: Number(port), host: "127.0.0.1" });
process.on("disconnect", () => process.exit(0));
process.send?.("listening");
