import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type ProofTask, useAuthentication } from "../../src/wallet/island/authentication.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Each test starts like a visit. */
function visit() {
  const seen: string[] = [];
  const { result } = renderHook(() => {
    const authentication = useAuthentication();
    if (seen.at(-1) !== authentication.status) seen.push(authentication.status);
    return authentication;
  });
  const ask = (task: ProofTask) => {
    let proof = Promise.resolve(false);
    act(() => {
      proof = result.current.askForProof(task);
    });
    return proof;
  };
  return { result, seen, ask, ...result.current };
}

function makeTask(): ProofTask & Record<keyof ProofTask, ReturnType<typeof vi.fn>> {
  return { prepare: vi.fn(async () => "the server's text"), verify: vi.fn(async () => undefined) };
}

beforeEach(() => localStorage.clear());

describe("the status the kit sees", () => {
  it("is loading for a returning visitor until the wallet is restored, else authenticated", () => {
    expect(visit().status).toBe("authenticated");
    localStorage.setItem("wagmi.recentConnectorId", '"test.wallet"');
    const { result, restored } = visit();
    expect(result.current.status).toBe("loading");
    act(restored);
    expect(result.current.status).toBe("authenticated");
  });

  it("is unauthenticated only while a proof is requested", async () => {
    const { ask, adapter, seen } = visit();
    const task = makeTask();
    const proof = ask(task);
    const message = await adapter.createMessage({ nonce: await adapter.getNonce(), address, chainId: 31337 });
    expect(message).toBe("the server's text");
    expect(task.prepare).toHaveBeenCalledWith(address, 31337);
    expect(await act(() => adapter.verify({ message, signature: "0xabcd" }))).toBe(true);
    expect(task.verify).toHaveBeenCalledWith(message, "0xabcd");
    expect(await proof).toBe(true);
    expect(seen).toEqual(["authenticated", "unauthenticated", "authenticated"]);
  });
});

describe("a proof", () => {
  it("has a constant nonce, so that the kit's button works and every press fetches a new message", async () => {
    const { ask, adapter } = visit();
    const task = makeTask();
    task.prepare.mockRejectedValueOnce(null);
    ask(task);
    expect(await adapter.getNonce()).not.toBe("");
    const asked = { nonce: "n", address, chainId: 31337 } as const;
    await expect(adapter.createMessage(asked)).rejects.toBeNull();
    expect(await adapter.createMessage(asked)).toBe("the server's text");
  });

  it("stays requested when the server does not accept it", async () => {
    const { ask, adapter, result } = visit();
    const task = makeTask();
    task.verify.mockRejectedValueOnce({ error_code: "signature_invalid" });
    const proof = ask(task);
    await expect(adapter.verify({ message: "m", signature: "0x" })).rejects.toEqual({
      error_code: "signature_invalid",
    });
    expect(result.current.status).toBe("unauthenticated");
    await act(() => adapter.verify({ message: "m", signature: "0x" }));
    expect(await proof).toBe(true);
  });

  it("is abandoned when the wallet disconnects, when a dialog is closed and when another is requested", async () => {
    const { ask, adapter, endProof, result } = visit();
    const gone = ask(makeTask());
    await act(() => adapter.signOut());
    expect(await gone).toBe(false);
    const closed = ask(makeTask());
    act(() => endProof(false));
    expect(await closed).toBe(false);
    const older = ask(makeTask());
    const newer = ask(makeTask());
    expect(await older).toBe(false);
    expect(result.current.status).toBe("unauthenticated");
    act(() => endProof(true));
    expect(await newer).toBe(true);
  });

  it("cannot be signed when none is requested", async () => {
    const { adapter } = visit();
    expect(() => adapter.createMessage({ nonce: "n", address, chainId: 1 })).toThrow("No proof is asked for");
    await expect(adapter.verify({ message: "m", signature: "0x" })).rejects.toThrow("No proof is asked for");
  });
});
