import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { misspeltSettings, readConfig, settingNames } from "../../src/config.ts";

interface Service {
  environment?: Record<string, string>;
  env_file?: string;
  image: string;
  secrets?: string[];
  stop_grace_period?: string;
}

const root = join(import.meta.dirname, "../../../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const text = read("deploy/compose.yaml");
const compose: { services: Record<string, Service>; secrets: Record<string, { file: string }> } = parse(text, {
  merge: true,
});
const example = read("deploy/.env.example");
const unit = read("deploy/aqua@.service");

/** Seconds after SHUTDOWN_DELAY at which the server's process ends in any case. */
const STOP_WITHIN = 15;

/** The environment that a line of `NAME=value` pairs sets. */
function environmentOf(line: RegExpExecArray | null): Record<string, string> {
  const pairs = (line?.[1] ?? "").matchAll(/(\w+)=(\S+)/g);
  return Object.fromEntries([...pairs].map(([, name = "", value = ""]) => [name, value]));
}
const imageEnvironment = environmentOf(/^ENV (.*)$/m.exec(read("Containerfile")));
const unitEnvironment = environmentOf(/^Environment=(.*)$/m.exec(unit));

/** Variables of compose.yaml, each with whether it must be set. */
const variables = new Map(
  [...text.matchAll(/(?<!\$)\$\{(\w+)(:\?)?[^}]*\}/g)].map(([, name = "", required]) => [name, required !== undefined]),
);
const values: Record<string, string> = { PUBLIC_HOST: "aqua.example", SMTP_URL: "smtp://user:secret@mail.example:587" };

/** Makes the secrets in a folder of its own. Returns that folder. */
function prepare(environment = Object.entries(values)): string {
  const folder = mkdtempSync(join(scratch, "prepared-"));
  copyFileSync(join(root, "deploy/prepare.sh"), join(folder, "prepare.sh"));
  writeFileSync(join(folder, ".env"), environment.map(([name, value]) => `${name}=${value}\n`).join(""));
  execFileSync("sh", [join(folder, "prepare.sh")], { stdio: "pipe" });
  return folder;
}
const secretsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(join(folder, "secrets")).map((name) => [name, readFileSync(join(folder, "secrets", name), "utf8")]),
  );

const scratch = mkdtempSync(join(tmpdir(), "aqua-deploy-"));
let prepared: string;
beforeAll(() => {
  prepared = prepare();
});
afterAll(() => rmSync(scratch, { recursive: true }));

it("compose.yaml follows the schema of the Compose Specification", () => {
  const { $schema, ...schema } = JSON.parse(
    readFileSync(join(import.meta.dirname, "compose-spec/compose-spec.json"), "utf8"),
  );
  expect($schema).toContain("draft-07");
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  validate(compose);
  expect(validate.errors).toBeNull();
  validate({ services: { server: { imagee: "aqua" } } });
  expect(validate.errors).toHaveLength(1);
});

it(".env.example has the variables of compose.yaml, and sets no value of the two that must be set", () => {
  const lines = [...example.matchAll(/^(# )?([A-Z]\w*)=(.*)$/gm)];
  expect(lines.map(([, , name]) => name).sort()).toEqual([...variables.keys()].sort());
  const required = [...variables].filter(([, must]) => must).map(([name]) => name);
  expect(required.sort()).toEqual(["PUBLIC_HOST", "SMTP_URL"]);
  for (const [line, comment, name = "", value] of lines) {
    expect({ line, comment: comment ?? "", value: value === "" }).toEqual({
      line,
      comment: required.includes(name) ? "" : "# ",
      value: required.includes(name),
    });
  }
  // A default that .env.example shows is the one of compose.yaml.
  for (const [, comment, name, value] of lines) if (comment) expect(text).toContain(`\${${name}:-${value}}`);
});

it.each(["server1", "server2"])("%s gets settings that the server accepts, its secrets from files", (name) => {
  const {
    environment = {},
    env_file: file,
    secrets = [],
    stop_grace_period: grace,
  } = compose.services[name] as Service;
  expect(file).toBe(".env");
  const known = (variable: string) => settingNames.includes(variable.replace(/_FILE$/, ""));
  const others = ["NODE_EXTRA_CA_CERTS"];
  expect(Object.keys(environment).filter((variable) => !known(variable) && !others.includes(variable))).toEqual([]);
  const given = Object.fromEntries(
    Object.entries({ ...imageEnvironment, ...values, ...environment }).map(([variable, value]) => [
      variable,
      value
        .replace(/\$\{(\w+)[^}]*\}/g, (_, inner) => values[inner] ?? "")
        .replace("/run/secrets", join(prepared, "secrets")),
    ]),
  );
  // .env brings the variables of compose.yaml too.
  const all = { ...given, ...Object.fromEntries([...variables.keys()].map((variable) => [variable, ""])) };
  expect(misspeltSettings(all)).toEqual([]);
  const config = readConfig(given);
  expect(config).toMatchObject({
    environment: "production",
    host: "0.0.0.0",
    publicUrl: "https://aqua.example",
    trustedProxies: 1,
    mail: { smtpUrl: values.SMTP_URL },
    mqtt: { url: expect.stringMatching(/^mqtts:\/\/aqua:[0-9a-f]{64}@mqtt:8883$/) },
    databaseUrl: expect.stringMatching(/^postgresql:\/\/aqua:[0-9a-f]{64}@database\/aqua$/),
  });
  expect(config.secrets).toHaveLength(1);
  const files = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? []);
  expect(files.sort()).toEqual(secrets.toSorted());
  expect(Number.parseInt(grace ?? "", 10)).toBeGreaterThan(config.shutdownDelayMs / 1_000 + STOP_WITHIN);
});

it("prepare.sh makes every secret of compose.yaml once, at random, in a folder that only its owner enters", () => {
  const files = Object.values(compose.secrets).map(({ file }) => file);
  expect(readdirSync(join(prepared, "secrets")).map((name) => `./secrets/${name}`)).toEqual(files.sort());
  expect(statSync(join(prepared, "secrets")).mode & 0o777).toBe(0o700);
  const made = secretsOf(prepared);
  execFileSync("sh", [join(prepared, "prepare.sh")], { stdio: "pipe" });
  expect(secretsOf(prepared)).toEqual(made);

  const others = secretsOf(prepare());
  expect(Object.keys(made).filter((name) => made[name] === others[name])).toEqual([]);
  // Nobody else's password and key, and none that is written anywhere.
  expect(made.secret_key).toMatch(/^[0-9a-f]{64}\n$/);
  expect(made.database_url).toContain(made.database_password?.trim());
});

it("prepare.sh makes nothing before the host name is set", () => {
  expect(() => prepare([["PUBLIC_HOST", ""]])).toThrow("prepare.sh: set PUBLIC_HOST in .env first");
});

it("the systemd unit sets settings that the server knows, and waits longer than a stop takes", () => {
  expect(Object.keys(unitEnvironment).filter((name) => !settingNames.includes(name))).toEqual([]);
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  expect(seconds).toBeGreaterThan(Number(unitEnvironment.SHUTDOWN_DELAY) + STOP_WITHIN);
});
