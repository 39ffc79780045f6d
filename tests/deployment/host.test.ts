import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

/**
 * Boots a Debian with systemd in namespaces of its own, and types into it what docs/operators/bare-server.md says for a
 * machine without containers. The network is the machine's own loopback alone.
 */

const repository = join(import.meta.dirname, "../..");
/** Milliseconds in which packages are fetched and everything is built; a quarter of it is usual. */
const SETUP_MS = 900_000;
const packages = ["systemd-sysv", "dbus", "libstdc++6", "postgresql", "caddy", "curl", "openssl"];
const document = readFileSync(join(repository, "docs/operators/bare-server.md"), "utf8");

let folder: string;
/** The files of the booted system. Its name becomes that of the machine. */
let root: string;
let container: ChildProcess;
/** The first process of the booted system. */
let init: string;

function requirePrograms(): void {
  const missing = ["mmdebstrap", "systemd-nspawn", "nsenter"].filter(
    (name) => spawnSync(name, ["--version"]).error !== undefined,
  );
  if (process.getuid?.() === 0 && missing.length === 0) return;
  throw new Error(
    "npm run test:image must run as root on Debian with the packages mmdebstrap and systemd-container " +
      `(apt-get install mmdebstrap systemd-container)${missing.length > 0 ? `; missing here: ${missing.join(", ")}` : ""}.`,
  );
}

/** Runs a script in the booted system, in the folder of the repository's files. Returns its output. */
const type = (script: string) =>
  execFileSync(
    "nsenter",
    ["--target", init, "--mount", "--pid", "--net", "--uts", "--ipc", "--root", "sh", "-ec", `cd /root\n${script}`],
    { encoding: "utf8", env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }, stdio: ["ignore", "pipe", "pipe"] },
  );

/** The commands of a section of the document, block by block, for another host name. */
function commandsOf(heading: string): string[] {
  const section = document.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = ""]) =>
    block.replaceAll("aqua.example", "localhost"),
  );
}

beforeAll(async () => {
  requirePrograms();
  folder = mkdtempSync("/var/tmp/aqua-host-");
  root = join(folder, "aqua-host");
  const sources = globSync(["/etc/apt/sources.list", "/etc/apt/sources.list.d/*.{list,sources}"]);
  const include = `--include=${packages.join(",")}`;
  execFileSync("mmdebstrap", ["--quiet", "--variant=minbase", include, "", root, ...sources], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  cpSync(process.execPath, join(root, "usr/bin/node"));
  for (const name of ["dist", "deploy"]) {
    cpSync(join(repository, name), join(root, "root", name), { recursive: true });
  }
  const options = ["--private-network", "--register=no", "--keep-unit", "--console=pipe", "--kill-signal=SIGRTMIN+3"];
  container = spawn("systemd-nspawn", ["--directory", root, "--boot", ...options], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await vi.waitFor(() => {
    const children = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, "utf8").trim().split(" ");
    [init = ""] = children;
    // `degraded` too, because not every unit of Debian works in a namespace.
    const { stdout } = spawnSync("nsenter", [`--target=${init}`, "-m", "-p", "systemctl", "is-system-running"], {
      encoding: "utf8",
    });
    expect(stdout.trim()).toMatch(/^(running|degraded)$/);
  });
}, SETUP_MS);
afterAll(async () => {
  if (container?.exitCode === null) {
    const ended = once(container, "exit");
    container.kill("SIGTERM");
    await ended;
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const properties = (unit: string, ...names: string[]) =>
  Object.fromEntries(
    type(`systemctl show --property=${names.join(",")} ${unit}`)
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );

it("serves https on a bare Debian after the commands of the document", () => {
  const [copy, ...commands] = commandsOf("Without containers");
  expect(copy).toMatch(/^scp -r dist deploy /);
  expect(commands).toHaveLength(4);
  // The machine has the packages, and no network to fetch them by.
  type(commands.join("").replace(/^apt-get.*$/m, ""));
  type("curl --silent --fail --retry 30 --retry-delay 1 --retry-all-errors http://127.0.0.1:8081/ready");
  expect(
    type("curl --silent --insecure --retry 30 --retry-delay 1 --retry-all-errors --fail https://localhost/ready"),
  ).toBe('{"status":"ready","reasons":[],"degraded":[]}');
  expect(type("curl --silent --insecure https://localhost/")).toContain('<div id="root">');
  const status = (path: string) =>
    type(`curl --silent --insecure --output /dev/null --write-out '%{http_code}' https://localhost${path}`);
  expect([status("/metrics"), status("/live")]).toEqual(["403", "200"]);
});

it("runs the server without privileges, with a system that it cannot change", () => {
  const { MainPID } = properties("aqua@8080", "MainPID");
  const status = type(`cat /proc/${MainPID}/status`);
  expect(status).not.toMatch(/^Uid:.*\b0\b/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status).toMatch(/^Seccomp:\t2$/m);
  expect(type("systemd-analyze security --no-pager aqua@8080")).toMatch(/exposure level for aqua@8080.service: [01]\./);
});

it("starts a killed server again", async () => {
  type("systemctl kill --signal=KILL aqua@8081");
  await vi.waitFor(() => expect(properties("aqua@8081", "NRestarts").NRestarts).toBe("1"));
  type("curl --silent --fail --retry 30 --retry-delay 1 --retry-all-errors http://127.0.0.1:8081/ready");
});

it("is upgraded by the commands of the document without a failed request", () => {
  type(`while sleep 0.2; do
    curl --silent --insecure --output /dev/null --write-out '%{http_code}\\n' https://localhost/ >>/tmp/answers
  done >/dev/null 2>&1 & echo $! >/tmp/asking`);
  const [commands = ""] = commandsOf("Upgrading without containers");
  expect(type(commands)).toContain("The database is of this version.");
  type("kill $(cat /tmp/asking)");
  const answers = type("cat /tmp/answers").trim().split("\n");
  expect(answers.length).toBeGreaterThan(20);
  expect(new Set(answers)).toEqual(new Set(["200"]));
  expect(properties("aqua@8080", "Result", "NRestarts")).toEqual({ Result: "success", NRestarts: "0" });
  expect(type("readlink /opt/aqua/current")).toBe("2026-12-04\n");
});

it("ends with 0 when it is stopped", () => {
  type("systemctl stop aqua@8080 aqua@8081");
  const ended = { ActiveState: "inactive", ExecMainStatus: "0", Result: "success" };
  expect(properties("aqua@8080", ...Object.keys(ended))).toEqual(ended);
});
