import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings, repositoryRoot, SettingsError } from "../src/settings.ts";

describe("settings", () => {
  it("have defaults that need no environment at all", () => {
    expect(readSettings({})).toEqual({
      port: 8080,
      chainPort: 8545,
      mqttPort: 1883,
      webPort: 5173,
      blockTime: 2,
      dataDir: join(repositoryRoot, ".aqua"),
      databaseUrl: null,
      publicUrl: "http://localhost:8080",
      walletConnectProjectId: null,
    });
  });

  it("treat an empty variable as unset", () => {
    expect(readSettings({ PORT: "", DATABASE_URL: " ", PUBLIC_URL: "" })).toEqual(readSettings({}));
  });

  it("derive the public address from the port", () => {
    expect(readSettings({ PORT: "9000" }).publicUrl).toBe("http://localhost:9000");
    expect(readSettings({ PORT: "9000", PUBLIC_URL: "https://aqua.example/" }).publicUrl).toBe("https://aqua.example");
  });

  it("take a data folder as it is when absolute, else from the repository", () => {
    expect(readSettings({ DATA_DIR: "/var/lib/aqua" }).dataDir).toBe("/var/lib/aqua");
    expect(readSettings({ DATA_DIR: "data/one" }).dataDir).toBe(join(repositoryRoot, "data", "one"));
  });

  it("take several nodes for one chain", () => {
    expect(() => readSettings({ RPC_URL_1: "https://a.example, https://b.example" })).not.toThrow();
  });

  it.each([
    [{ PORT: "abc" }, 'PORT must be a port from 1 to 65535, got "abc".'],
    [{ PORT: "0" }, 'PORT must be a port from 1 to 65535, got "0".'],
    [{ CHAIN_PORT: "65536" }, 'CHAIN_PORT must be a port from 1 to 65535, got "65536".'],
    [{ PORT: "8080.5" }, 'PORT must be a port from 1 to 65535, got "8080.5".'],
    [{ MQTT_PORT: "8545" }, "CHAIN_PORT and MQTT_PORT are both 8545; they must differ."],
    [{ PORT: "8545" }, "PORT and CHAIN_PORT are both 8545; they must differ."],
    [{ BLOCK_TIME: "0" }, 'BLOCK_TIME must be a number of seconds from 1 to 60, got "0".'],
    [{ BLOCK_TIME: "61" }, 'BLOCK_TIME must be a number of seconds from 1 to 60, got "61".'],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be a URL that begins with postgres:// or postgresql://."],
    [{ PUBLIC_URL: "aqua.example" }, "PUBLIC_URL must be a URL that begins with http:// or https://."],
    [{ PUBLIC_URL: "https://aqua.example/app" }, "PUBLIC_URL must be an origin without a path."],
    [{ RPC_URL_mainnet: "https://a.example" }, "RPC_URL_mainnet must end with a chain id, like RPC_URL_11155111."],
    [{ RPC_URL_1: "wss://a.example" }, "RPC_URL_1 must be a URL that begins with http:// or https://."],
    [{ WALLETCONNECT_PROJECT_ID: "x" }, 'WALLETCONNECT_PROJECT_ID must be 32 hexadecimal digits, got "x".'],
  ])("are rejected with a one-line reason: %j", (environment, message) => {
    expect(() => readSettings(environment)).toThrow(new SettingsError(message));
  });

  it("never repeat a database password", () => {
    expect(() => readSettings({ DATABASE_URL: "http://user:secret@host/db" })).toThrow(/^(?!.*secret)/);
  });
});
