import { access } from "node:fs/promises";
import { join } from "node:path";
import compress from "@fastify/compress";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { sendError } from "./errors.ts";
import type { Pages } from "./pages.ts";

/** Paths of the server. They never return the web app. */
const SERVER_PATHS = /^\/(api|rpc|v1|live|health|ready|metrics)(\/|$)/;
/** The last part of the path has a dot, as every file of the build has and no page of the app. */
const FILE = /\.[^/]*$/;

export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { globalDecompression: false, threshold: 1_024, encodings: ["br", "gzip"] });
}

/** The built web app on every path that is not the server's own. */
export async function registerStatic(app: FastifyInstance, webDir: string, pages: Pages): Promise<void> {
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    redirect: false,
    allowedPath: (path) => FILE.test(path),
    // Files of the bundler, and the renderer of pages.
    dotfiles: "ignore",
    preCompressed: true,
    cacheControl: false,
    setHeaders(response, file) {
      // The bundler puts a hash of the content into each name under assets/.
      const hashed = file.startsWith(`${webDir}/assets/`);
      response.setHeader("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      // The build has some files compressed beside them.
      response.setHeader("vary", "accept-encoding");
    },
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (!isNavigation(request)) return sendError(new ApiError("not_found", "Not found"), request, reply);
    // Checked for each request, because the app may be built or rebuilt while the server runs.
    const built = await access(join(webDir, "index.html")).then(
      () => true,
      () => false,
    );
    if (built) return pages.send(request, reply);
    return sendError(new ApiError("not_found", "The web app is not built here"), request, reply);
  });
}

/**
 * Returns whether a request is for a page, and not for an asset or a call. Browsers accept HTML by name. Search
 * engines and link previews often accept anything, or do not say.
 */
function isNavigation(request: FastifyRequest): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const path = request.url.split("?", 1)[0] ?? "/";
  if (SERVER_PATHS.test(path) || FILE.test(path)) return false;
  return /text\/html|text\/\*|\*\/\*/.test(request.headers.accept ?? "*/*");
}
