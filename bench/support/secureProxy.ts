import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Agent, request as ask } from "node:http";
import { createSecureServer, type Http2Session } from "node:http2";
import { join } from "node:path";
import { promisify } from "node:util";

export interface SecureProxy {
  url: string;
  stop(): Promise<void>;
}

/**
 * HTTP/2 with TLS (HTTP/1 for clients that know no other) in front of a server of this machine that speaks plain HTTP, as a
 * reverse proxy in production. The certificate is made anew and signed by itself, so a browser must be started to accept it.
 * @param folder where the certificate may be written
 */
export async function startSecureProxy(port: number, target: number, folder: string): Promise<SecureProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createSecureServer({ ...(await selfSigned(folder)), allowHTTP1: true }, (request, response) => {
    const onward = ask({ agent, host: "127.0.0.1", port: target, method: request.method, path: request.url });
    for (const [name, value] of Object.entries(request.headers))
      if (!name.startsWith(":") && value !== undefined) onward.setHeader(name, value);
    // HTTP/1 has the header itself.
    if (request.authority) onward.setHeader("host", request.authority);
    onward.setHeader("x-forwarded-for", request.socket.remoteAddress ?? "");
    onward.on("response", (answer) => {
      // What speaks of the connection behind is forbidden in HTTP/2.
      const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
      // Event streams end only here.
      response.on("close", () => answer.complete || onward.destroy());
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => session.destroy());
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    url: `https://localhost:${port}`,
    async stop() {
      for (const session of sessions) session.destroy();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function selfSigned(folder: string): Promise<{ key: Buffer; cert: Buffer }> {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  await promisify(execFile)("openssl", ["req", ...kind, ...name, "-keyout", key, "-out", cert]);
  return { key: await readFile(key), cert: await readFile(cert) };
}
