import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import SignInPage from "../../src/features/account/sign-in/page.tsx";
import { connectWallet, restoreWallet } from "../../src/features/open-wallet.ts";
import { attempt } from "../../src/features/transact/eligibility/attempt.ts";
import { WrongNetwork } from "../../src/features/transact/eligibility/wrong-network.tsx";
import { prove } from "../../src/features/wallet-dialog/prove.ts";
import { signInWithWallet } from "../../src/features/wallet-dialog/sign-in.ts";
import { Toaster } from "../../src/ui/toast.tsx";
import { openConnect, proveWallet, restoreIsland } from "../../src/wallet/lazy/island.tsx";
import { switchChain } from "../../src/wallet/lazy/operations.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { answerCalls, data } from "../account/harness.tsx";
import { renderPage } from "../page-harness.tsx";

vi.mock("../../src/wallet/lazy/island.tsx", { spy: true });
vi.mock("../../src/wallet/lazy/operations.ts", { spy: true });
vi.mock("../../src/features/wallet-dialog/sign-in.ts", { spy: true });

const missing = new TypeError("Failed to fetch dynamically imported module");
const refusal = Object.assign(new Error("User rejected the request."), { code: 4001 });
const outOfOrder = new Error("It failed", { cause: { code: -32603, message: "The wallet is out of order." } });
const log = () => vi.mocked(console.error).mock.calls;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "client/error": data({}) });
  render(<Toaster />);
});
afterEach(() => {
  localStorage.clear();
  clearWallet();
});

/** The thrown error, and whether it belongs in the log. */
const failures: [string, Error | null, boolean][] = [
  ["code does not load", missing, true],
  ["the server does not answer", null, false],
];

describe.each(failures)("where %s", (_, error, logged) => {
  const expectLog = () => expect(log()).toEqual(logged ? [[error]] : []);

  it("Connect Wallet says that the wallet could not be loaded", async () => {
    vi.mocked(openConnect).mockRejectedValue(error);
    await connectWallet();
    await screen.findByText("The wallet could not be loaded. Check your connection and try again.");
    expectLog();
  });

  it("a wallet that is not restored could not be loaded either", async () => {
    localStorage.setItem("wagmi.recentConnectorId", JSON.stringify("mock"));
    vi.mocked(restoreIsland).mockImplementation((onFailure) => onFailure(error));
    restoreWallet();
    await screen.findByText("The wallet could not be loaded. Check your connection and try again.");
    expectLog();
  });

  it("an action of the wallet says that it was not reached", async () => {
    attempt(() => Promise.reject(error));
    await screen.findByText("The wallet did not answer. Check your connection and try again.");
    expectLog();
  });

  it("a change of the network does not blame the wallet", async () => {
    vi.mocked(switchChain).mockRejectedValue(error);
    render(<WrongNetwork chainId={1} network="Ethereum" />);
    fireEvent.click(screen.getByRole("button", { name: "Switch to Ethereum" }));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The wallet did not answer. Check your connection and try again.",
    );
    expectLog();
  });

  it("a log-in with the wallet says that it could not be loaded", async () => {
    vi.mocked(signInWithWallet).mockRejectedValue(error);
    setWallet({ status: "connected", address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", chainId: 1 });
    renderPage(<SignInPage />, "/sign-in", "/sign-in");
    const button = screen.getByRole("button", { name: "Log in with wallet 0x709…79C8" });
    fireEvent.click(button);
    await screen.findByText("The wallet could not be loaded. Check your connection and try again.");
    expect(button.getAttribute("aria-busy")).not.toBe("true");
    expectLog();
  });

  it("a proof says the specification's words", async () => {
    vi.mocked(proveWallet).mockRejectedValue(error);
    expect(await prove()).toBeNull();
    await screen.findByText("Oops, something went wrong!");
    expectLog();
  });
});

it("a wallet that cannot change the network is named as the reason, and is no fault of this app", async () => {
  vi.mocked(switchChain).mockRejectedValue(outOfOrder);
  render(<WrongNetwork chainId={1} network="Ethereum" />);
  fireEvent.click(screen.getByRole("button", { name: "Switch to Ethereum" }));
  expect((await screen.findByRole("alert")).textContent).toMatch(/^Your wallet does not support switching networks/);
  expect(log()).toEqual([]);
});

it("a rejection in the wallet is an answer, which needs no message", async () => {
  vi.mocked(switchChain).mockRejectedValue(refusal);
  render(<WrongNetwork chainId={1} network="Ethereum" />);
  const button = screen.getByRole("button", { name: "Switch to Ethereum" });
  fireEvent.click(button);
  await vi.waitFor(() => expect(button.getAttribute("aria-busy")).not.toBe("true"));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(log()).toEqual([]);
});
