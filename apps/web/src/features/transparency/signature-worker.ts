import { serveSignatures } from "./signature-work.ts";

serveSignatures(globalThis);
