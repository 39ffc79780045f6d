import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Deployment, deployment } from "@aqua/sdk/deployment";
import { z } from "zod";
import { DeployError } from "./steps.ts";

/** Notes that a run writes before it sends anything, so that the next run continues what this one began. */
const journal = z.object({
  chain_id: z.number().int(),
  deployer: z.string(),
  /** No earlier block holds a contract of the deployment. */
  start_block: z.number().int().nonnegative(),
  /** Where CREATE puts each contract, and which of the deployer's transactions creates it. Empty with CREATE2. */
  created: z.record(z.string(), z.object({ address: z.string(), nonce: z.number().int() })),
});
export type Journal = z.infer<typeof journal>;

const deploymentFile = (folder: string, chainId: number) => join(folder, `${chainId}.json`);
const journalFile = (folder: string, chainId: number) => join(folder, `${chainId}.journal.json`);

async function read<Content>(file: string, schema: z.ZodType<Content>): Promise<Content | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new DeployError(`${file} cannot be read: ${error.code}`);
  });
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new DeployError(`${file} is damaged; put it right or move it away`);
  }
}

/** Replaces the file whole or not at all. */
async function write(folder: string, file: string, content: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

export const readJournal = (folder: string, chainId: number) => read(journalFile(folder, chainId), journal);
export const writeJournal = (folder: string, content: Journal) =>
  write(folder, journalFile(folder, content.chain_id), content);
export const readDeployment = (folder: string, chainId: number) => read(deploymentFile(folder, chainId), deployment);

/** Writes what the server reads. Answers the file. */
export async function writeDeployment(folder: string, content: Deployment): Promise<string> {
  const file = deploymentFile(folder, content.chain_id);
  await write(folder, file, content);
  return file;
}
