import { expect, it } from "vitest";
import { refusalText } from "../../src/features/wallet-dialog/prove.ts";

const conflict = { error_code: "conflict", message: "", request_id: "1" };

it("a wallet that was replaced for good is distinguished from one of another account", () => {
  expect(refusalText(conflict)).toBe(
    "This wallet is linked to another account. Choose another wallet, or log in to that account.",
  );
  expect(refusalText({ ...conflict, details: [{ path: "wallet", message: "" }] })).toBe(
    "This wallet was permanently replaced. Link another wallet.",
  );
});

it("a confirmation that was not given is named, because a retry alone does not fix it", () => {
  expect(refusalText({ error_code: "confirmation_required" })).toBe(
    "Nothing was changed, because you did not confirm that it’s you.",
  );
});

it("an account whose rows differ from the public log is not mistaken for another account", () => {
  expect(refusalText({ error_code: "record_differs" })).toBe(
    "This account’s data does not match its public record. Contact the operator, who has to check it first.",
  );
});

it("an error that a retry may fix has no text", () => {
  expect(refusalText({ error_code: "signature_invalid" })).toBeNull();
  expect(refusalText(new TypeError("Failed to fetch"))).toBeNull();
  expect(refusalText(null)).toBeNull();
});
