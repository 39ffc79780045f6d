import { expect, test, vi } from "vitest";
import { createDemoProvider, type OwnerQuestion, ProviderError } from "../../src/wallet/demo/provider.ts";

const address = "0x4444444444444444444444444444444444444444";
const stranger = "0x5555555555555555555555555555555555555555";

function wallet({ connected = true, agrees = true } = {}) {
  let account: `0x${string}` | null = connected ? address : null;
  const asked: OwnerQuestion[] = [];
  const signer = {
    signMessage: vi.fn(async () => "0x01" as const),
    signTypedData: vi.fn(async () => "0x02" as const),
    sendTransaction: vi.fn(async () => "0x03" as const),
  };
  const forward = vi.fn(async () => "0x5");
  const choose = vi.fn(async () => {
    if (!agrees) throw new ProviderError(4001, "User rejected the request.");
    return address as `0x${string}`;
  });
  const provider = createDemoProvider({
    chainId: 31337,
    signer: () => signer,
    choose,
    ask: async (request) => {
      asked.push(request);
      if (!agrees) throw new ProviderError(4001, "User rejected the request.");
    },
    permission: {
      read: () => account,
      write: (next) => {
        account = next;
      },
    },
    forward,
  });
  const request = (method: string, params?: unknown) => provider.request({ method, params });
  return { provider, request, asked, signer, forward, choose };
}

test("accounts are shown only after connecting, and hidden after revoking", async () => {
  const { request, provider } = wallet({ connected: false });
  const changed = vi.fn();
  provider.on("accountsChanged", changed);
  expect(await request("eth_accounts")).toEqual([]);
  expect(await request("eth_requestAccounts")).toEqual([address]);
  expect(await request("eth_accounts")).toEqual([address]);
  await request("wallet_revokePermissions", [{ eth_accounts: {} }]);
  expect(await request("eth_accounts")).toEqual([]);
  expect(changed.mock.calls).toEqual([[[address]], [[]]]);
});

test("the owner chooses the account once, however often a page asks to connect", async () => {
  const { request, choose } = wallet({ connected: false });
  const both = await Promise.all([request("wallet_requestPermissions", [{}]), request("eth_requestAccounts")]);
  expect(both[1]).toEqual([address]);
  expect(await request("eth_requestAccounts")).toEqual([address]);
  expect(choose).toHaveBeenCalledOnce();
});

test("the wallet stays unconnected when its owner chooses no account: 4001, and asks again the next time", async () => {
  const { request, choose } = wallet({ connected: false, agrees: false });
  await expect(request("eth_requestAccounts")).rejects.toMatchObject({ code: 4001 });
  expect(await request("eth_accounts")).toEqual([]);
  await expect(request("eth_requestAccounts")).rejects.toMatchObject({ code: 4001 });
  expect(choose).toHaveBeenCalledTimes(2);
});

test("the wallet is on the local chain and refuses any other: 4902", async () => {
  const { request } = wallet();
  expect(await request("eth_chainId")).toBe("0x7a69");
  expect(await request("wallet_switchEthereumChain", [{ chainId: "0x7a69" }])).toBeNull();
  await expect(request("wallet_switchEthereumChain", [{ chainId: "0x1" }])).rejects.toMatchObject({ code: 4902 });
});

test.each([
  ["personal_sign", ["0x616263", address], "signMessage", "message"],
  ["eth_signTypedData_v4", [address, '{"primaryType":"Permit"}'], "signTypedData", "typedData"],
  [
    "eth_sendTransaction",
    [{ from: address, to: stranger, data: "0x", value: "0x1" }],
    "sendTransaction",
    "transaction",
  ],
] as const)("%s prompts the owner before signing", async (method, params, step, kind) => {
  const agreeing = wallet();
  await agreeing.request(method, params);
  expect(agreeing.asked.map((item) => item.kind)).toEqual([kind]);
  expect(agreeing.signer[step]).toHaveBeenCalledOnce();

  const refusing = wallet({ agrees: false });
  await expect(refusing.request(method, params)).rejects.toMatchObject({ code: 4001 });
  expect(refusing.signer[step]).not.toHaveBeenCalled();
});

test("the wallet signs for no other account and for no site that is not connected: 4100", async () => {
  await expect(wallet().request("personal_sign", ["0x00", stranger])).rejects.toMatchObject({ code: 4100 });
  const closed = wallet({ connected: false });
  await expect(closed.request("personal_sign", ["0x00", address])).rejects.toMatchObject({ code: 4100 });
  expect(closed.asked).toEqual([]);
});

test("a transaction for another chain is refused before its owner is prompted", async () => {
  const { request, asked } = wallet();
  const transaction = { from: address, to: stranger, chainId: "0x1" };
  await expect(request("eth_sendTransaction", [transaction])).rejects.toMatchObject({ code: 4902 });
  expect(asked).toEqual([]);
});

test.each(["eth_sign", "eth_signTransaction", "eth_signTypedData", "wallet_addEthereumChain", "anvil_setBalance"])(
  "%s is an unknown method: 4200",
  async (method) => {
    const { request, forward } = wallet();
    await expect(request(method, [])).rejects.toMatchObject({ code: 4200 });
    expect(forward).not.toHaveBeenCalled();
  },
);

test("reads are forwarded to the chain's node", async () => {
  const { request, forward } = wallet();
  expect(await request("eth_getBalance", [address, "latest"])).toBe("0x5");
  expect(forward).toHaveBeenCalledWith("eth_getBalance", [address, "latest"]);
});
