import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { askOwner } from "../../src/wallet/demo/requests.ts";
import DemoSheet from "../../src/wallet/demo/sheet.tsx";

const { describe, reportError } = vi.hoisted(() => ({ describe: vi.fn(), reportError: vi.fn() }));
vi.mock("../../src/wallet/demo/request-text.ts", () => ({ describeRequest: describe }));
vi.mock("../../src/report-error.ts", () => ({ reportError }));

const message = { title: "wallet.demo.message.title", sentence: "wallet.demo.message.sentence", values: {} };

it("the sheet says that a request cannot be shown, prevents signing, and shows it at another try", async () => {
  describe.mockRejectedValueOnce(new Error("error loading dynamically imported module"));
  describe.mockResolvedValueOnce({ ...message, contract: null, contractName: null, exact: "Log in" });
  render(<DemoSheet />);
  const answer = vi.fn();
  act(
    () =>
      void askOwner({ kind: "message", message: "0x00", from: "0x00" }).then(
        () => answer("signed"),
        () => answer("refused"),
      ),
  );
  expect(await screen.findByRole("alert")).toBeTruthy();
  expect(reportError).toHaveBeenCalledTimes(1);
  act(() => screen.getByRole("button", { name: "Sign" }).click());
  expect(answer).not.toHaveBeenCalled();
  act(() => screen.getByRole("button", { name: "Retry" }).click());
  expect(await screen.findByText("Log in")).toBeTruthy();
  act(() => screen.getByRole("button", { name: "Sign" }).click());
  await vi.waitFor(() => expect(answer).toHaveBeenCalledWith("signed"));
});
