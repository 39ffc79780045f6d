import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ProofTask } from "../../src/wallet/handover.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Each test starts like a visit. */
async function visit() {
  vi.resetModules();
  return import("../../src/wallet/island/authentication.ts");
}

function makeTask(): ProofTask & Record<keyof ProofTask, ReturnType<typeof vi.fn>> {
  return { prepare: vi.fn(async () => "the server's text"), verify: vi.fn(async () => undefined) };
}

beforeEach(() => localStorage.clear());

describe("the status the kit sees", () => {
  it("is loading for a returning visitor until the wallet is restored, else authenticated", async () => {
    expect((await visit()).getAuthentication()).toBe("authenticated");
    localStorage.setItem("wagmi.recentConnectorId", '"test.wallet"');
    const returning = await visit();
    expect(returning.getAuthentication()).toBe("loading");
    returning.restored();
    expect(returning.getAuthentication()).toBe("authenticated");
  });

  it("is unauthenticated only while a proof is requested", async () => {
    const { askForProof, authenticationAdapter: adapter, getAuthentication, subscribeAuthentication } = await visit();
    const seen: string[] = [];
    subscribeAuthentication(() => seen.push(getAuthentication()));
    const task = makeTask();
    const proof = askForProof(task);
    const message = await adapter.createMessage({ nonce: await adapter.getNonce(), address, chainId: 31337 });
    expect(message).toBe("the server's text");
    expect(task.prepare).toHaveBeenCalledWith(address, 31337);
    expect(await adapter.verify({ message, signature: "0xabcd" })).toBe(true);
    expect(task.verify).toHaveBeenCalledWith(message, "0xabcd");
    expect(await proof).toBe(true);
    expect(seen).toEqual(["unauthenticated", "authenticated"]);
  });
});

describe("a proof", () => {
  it("has a constant nonce, so that the kit's button works and every press fetches a new message", async () => {
    const { askForProof, authenticationAdapter: adapter } = await visit();
    const task = makeTask();
    task.prepare.mockRejectedValueOnce(null);
    void askForProof(task);
    expect(await adapter.getNonce()).not.toBe("");
    const asked = { nonce: "n", address, chainId: 31337 } as const;
    await expect(adapter.createMessage(asked)).rejects.toBeNull();
    expect(await adapter.createMessage(asked)).toBe("the server's text");
  });

  it("stays requested when the server does not accept it", async () => {
    const { askForProof, authenticationAdapter: adapter, getAuthentication } = await visit();
    const task = makeTask();
    task.verify.mockRejectedValueOnce({ error_code: "signature_invalid" });
    const proof = askForProof(task);
    await expect(adapter.verify({ message: "m", signature: "0x" })).rejects.toEqual({
      error_code: "signature_invalid",
    });
    expect(getAuthentication()).toBe("unauthenticated");
    await adapter.verify({ message: "m", signature: "0x" });
    expect(await proof).toBe(true);
  });

  it("is abandoned when the wallet disconnects, when a dialog is closed and when another is requested", async () => {
    const { askForProof, authenticationAdapter: adapter, endProof, getAuthentication } = await visit();
    const gone = askForProof(makeTask());
    await adapter.signOut();
    expect(await gone).toBe(false);
    const closed = askForProof(makeTask());
    endProof(false);
    expect(await closed).toBe(false);
    const older = askForProof(makeTask());
    const newer = askForProof(makeTask());
    expect(await older).toBe(false);
    expect(getAuthentication()).toBe("unauthenticated");
    endProof(true);
    expect(await newer).toBe(true);
  });

  it("cannot be signed when none is requested", async () => {
    const { authenticationAdapter: adapter } = await visit();
    expect(() => adapter.createMessage({ nonce: "n", address, chainId: 1 })).toThrow("No proof is asked for");
    await expect(adapter.verify({ message: "m", signature: "0x" })).rejects.toThrow("No proof is asked for");
  });
});
