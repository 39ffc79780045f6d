import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Deployment, deployment } from "@aqua/sdk/deployment";
import { ConfigError } from "./config.ts";

/**
 * The contracts of a chain according to `<chainId>.json` in the folder. Null without such a file.
 * @throws ConfigError if the file exists but is invalid
 */
export async function readDeployment(folder: string, chainId: number): Promise<Deployment | null> {
  const file = join(folder, `${chainId}.json`);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const parsed = deployment.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(
      `DEPLOYMENTS_DIR contains an invalid file: ${file}: ${issue?.path.join(".")} ${issue?.message}`,
    );
  }
  if (parsed.data.chain_id !== chainId) {
    throw new ConfigError(`DEPLOYMENTS_DIR contains an invalid file: ${file} is of chain ${parsed.data.chain_id}`);
  }
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
