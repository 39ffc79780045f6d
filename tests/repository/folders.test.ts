import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { portIsTaken } from "../../devnet/src/processes.ts";

const repository = join(import.meta.dirname, "../..");
/** Folder names for a clone that have broken tools. */
const names = [".hidden", "with a space", "größer 水"];

let parent: string | undefined;
afterEach(() => parent !== undefined && rmSync(parent, { recursive: true, force: true }));

const ports = { PORT: "38080", CHAIN_PORT: "38545", MQTT_PORT: "38883" };

/** Clones the repository, or these parts of it, without installed or built files. */
function cloneInto(name: string, parts: readonly string[] = [""]): string {
  parent = mkdtempSync(join(tmpdir(), "aqua-folder-"));
  const clone = join(parent, name, "aqua");
  const made = /^(node_modules|\.git|\.aqua|dist|test-results)$|^contracts\/(out|cache)$/;
  for (const part of parts)
    cpSync(join(repository, part), join(clone, part), {
      recursive: true,
      filter: (path) => !made.test(relative(repository, path)) && !made.test(basename(path)),
    });
  return clone;
}

describe.each(names)("a clone in a folder named %j", (name) => {
  it("passes the linter", () => {
    // The folder's name changes which files the linter finds, not what it says of each.
    const clone = cloneInto(name, ["biome.json", "package.json", ".gitignore", "scripts", "apps/server/src/db"]);
    symlinkSync(join(repository, "node_modules"), join(clone, "node_modules"));
    const biome = join("node_modules", "@biomejs", "biome", "bin", "biome");
    execFileSync(process.execPath, [biome, "ci", "--error-on-warnings", "."], { cwd: clone, stdio: "pipe" });
  });

  // Installing and playing a year takes a minute: only in `npm run test:long`.
  if (process.env.AQUA_SOAK === "1") {
    it("installs, starts and stops, and leaves nothing running when npm is killed", async () => {
      const clone = cloneInto(name);
      // A folder that PostgreSQL may enter, so that its files show whether it runs.
      chmodSync(parent as string, 0o755);
      const run = async (command: string, args: string[], signal: NodeJS.Signals) => {
        const child = spawn(command, args, {
          cwd: clone,
          env: { ...process.env, ...ports },
          stdio: ["ignore", "pipe", "inherit"],
        });
        const ended = once(child, "exit");
        const closed = once(child.stdout, "close");
        let said = "";
        child.stdout.on("data", (data) => {
          said += data;
          if (said.includes("Aqua is ready")) child.kill(signal);
        });
        const exit = await ended;
        // The supervisor writes to it until it has stopped everything.
        await closed;
        expect(said).toContain("Aqua is ready");
        return exit;
      };
      expect(await run(process.execPath, ["scripts/bootstrap.mjs", "start"], "SIGTERM")).toEqual([0, null]);
      expect(await run("npm", ["start"], "SIGKILL")).toEqual([null, "SIGKILL"]);
      for (const port of Object.values(ports)) expect(await portIsTaken(Number(port))).toBe(false);
      expect(existsSync(join(clone, ".aqua/postgres/data/PG_VERSION"))).toBe(true);
      expect(existsSync(join(clone, ".aqua/postgres/data/postmaster.pid"))).toBe(false);
    }, 900_000);
  }
});
