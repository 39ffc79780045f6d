import { execFile } from "node:child_process";
import { createHash, createPublicKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Agent, request as ask } from "node:http";
import { createSecureServer, type Http2Session } from "node:http2";
import { join } from "node:path";
import { promisify } from "node:util";

interface Certificate {
  key: Buffer;
  cert: Buffer;
  /** SHA-256 of the public key, base64: a browser that is started with it trusts the certificate, and keeps what it gets. */
  fingerprint: string;
}

export interface SecureProxy {
  url: string;
  stop(): Promise<void>;
}

/**
 * HTTP/2 with TLS (HTTP/1 for clients that know no other) in front of a server of this machine that speaks plain HTTP, as a
 * reverse proxy in production.
 */
export async function startSecureProxy(port: number, target: number, { key, cert }: Certificate): Promise<SecureProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    const onward = ask({ agent, host: "127.0.0.1", port: target, method: request.method, path: request.url });
    for (const [name, value] of Object.entries(request.headers))
      if (!name.startsWith(":") && value !== undefined) onward.setHeader(name, value);
    // HTTP/1 has the header itself.
    if (request.authority) onward.setHeader("host", request.authority);
    onward.setHeader("x-forwarded-for", request.socket.remoteAddress ?? "");
    onward.on("response", (answer) => {
      // HTTP/2 forbids headers about the connection.
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

/** Signed by itself. @param folder where it may be written */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  await promisify(execFile)("openssl", ["req", ...kind, ...name, "-keyout", keyFile, "-out", certFile]);
  const [key, cert] = [await readFile(keyFile), await readFile(certFile)];
  const publicKey = createPublicKey(cert).export({ type: "spki", format: "der" });
  return { key, cert, fingerprint: createHash("sha256").update(publicKey).digest("base64") };
}
