import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import Fastify from "fastify";
import { registerCompression, registerStatic } from "../../apps/server/src/http/static.ts";

const root = join(import.meta.dirname, "../..");

/** Builds bench/peer into a folder and serves it with the same compression and cache lifetimes as the app. */
export async function startPeer(port: number, folder: string): Promise<{ stop(): Promise<void> }> {
  const vite = createRequire(join(root, "apps/web/package.json")).resolve("vite/package.json");
  const build = ["build", join(root, "bench/peer"), "--outDir", folder, "--emptyOutDir", "--logLevel", "error"];
  await promisify(execFile)(process.execPath, [join(dirname(vite), "bin/vite.js"), ...build]);
  const app = Fastify();
  await registerCompression(app);
  await registerStatic(app, folder, {
    send: async (_request, reply) => reply.type("text/html").send(createReadStream(join(folder, "index.html"))),
  });
  await app.listen({ port, host: "127.0.0.1" });
  return { stop: () => app.close() };
}
