import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import AccountPage from "../../src/features/account/page.tsx";
import { linkWallet } from "../../src/features/wallet-dialog/link.ts";
import { setWallet } from "../../src/wallet/store.ts";
import { renderPage } from "../page-harness.tsx";
import { answerCalls, data, enter, field, note, notifications, refusal, security, sent, type } from "./harness.tsx";

vi.mock("../../src/features/wallet-dialog/link.ts", () => ({ linkWallet: vi.fn() }));

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const hash = `0x${"ab".repeat(32)}`;
const time = Date.UTC(2026, 10, 1, 12);

const info = (more: object = {}) => ({
  email: "ada@example.com",
  country: "SN",
  language: "fr-FR",
  identity_status: "unverified",
  create_time: time,
  wallets: [],
  ...more,
});
const identity = (more: object = {}) => ({
  status: "unverified",
  provider: "manual",
  submitted_at: null,
  decided_at: null,
  valid_until: null,
  reason: null,
  sandbox_names: [],
  ...more,
});
const here = {
  id: "s-1",
  create_time: time,
  last_use: time,
  expires_at: time + 1,
  user_agent: "Firefox, Linux",
  place: "203.0.113.x",
  current: true,
};
const there = { ...here, id: "s-2", user_agent: null, current: false };
const linked = (more: object = {}) => ({ address: wallet, create_time: time, current: true, bindings: [], ...more });

type Answers = Parameters<typeof answerCalls>[0];
const asked = (more: Answers = {}) =>
  answerCalls({
    "account/info": () => Promise.resolve(data(info())),
    "account/identity": () => Promise.resolve(data(identity())),
    "account/sessions": () => Promise.resolve(data([here, there])),
    "account/security": () => Promise.resolve(data(security())),
    "account/events": () => Promise.resolve(data({ items: [], total: 0, page: 1, page_size: 10 })),
    "account/notifications": () => Promise.resolve(data(notifications())),
    ...more,
  });
const always = (value: unknown) => () => Promise.resolve(data(value));

async function show() {
  renderPage(<AccountPage />, "/account", "/account");
  await screen.findByRole("heading", { name: "Wallets" });
}

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("token", "t-1");
  localStorage.setItem("email", "ada@example.com");
  setWallet({ status: "disconnected", address: null, chainId: null });
});

/** Replaces XMLHttpRequest, which reports the progress of an upload. */
function answerUpload(status: number, body: unknown) {
  const uploads: { url: string; headers: Record<string, string>; form: FormData }[] = [];
  let finish = () => {};
  class Upload {
    upload = { onprogress: (_: { loaded: number; total: number }) => {} };
    onload = () => {};
    onerror = () => {};
    onloadend = () => {};
    status = status;
    responseText = JSON.stringify(body);
    private url = "";
    private headers: Record<string, string> = {};
    open(_: string, url: string) {
      this.url = url;
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }
    getResponseHeader() {
      return "application/json";
    }
    abort() {
      this.onloadend();
    }
    send(form: FormData) {
      uploads.push({ url: this.url, headers: this.headers, form });
      this.upload.onprogress({ loaded: 30, total: 100 });
      finish = () => {
        if (status === 0) this.onerror();
        else this.onload();
        this.onloadend();
      };
    }
  }
  vi.stubGlobal("XMLHttpRequest", Upload);
  return { uploads, finish: () => act(async () => finish()) };
}

const picture = (name: string, size: number, kind: string) => {
  const file = new File(["x"], name, { type: kind });
  Object.defineProperty(file, "size", { value: size });
  return file;
};
const documentField = () => screen.getByLabelText<HTMLInputElement>(/^Photo or scan/);
const choose = (file: File) => fireEvent.change(documentField(), { target: { files: [file] } });

async function fill() {
  await screen.findByLabelText("Full name");
  // Waits for the list of countries.
  await waitFor(() => expect(field("Country of residence").value).toBe("SN"));
  type("Full name", "Ada Lovelace");
  type("Date of birth", "1990-12-10");
  fireEvent.change(field("Kind of document"), { target: { value: "passport" } });
  choose(picture("passport.jpg", 2_000_000, "image/jpeg"));
}

describe("the account page of a visitor", () => {
  it("offers to log in, and calls no API", () => {
    localStorage.clear();
    const calls = asked();
    renderPage(<AccountPage />, "/account", "/account");
    expect(screen.getByRole("heading", { level: 1, name: "My Account" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/sign-in");
    expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toBe("/sign-up");
    expect(calls).toEqual([]);
  });
});

describe("the account", () => {
  it("shows e-mail and country, and the language of e-mails beside their switches", async () => {
    asked();
    await show();
    const details = screen.getByRole("region", { name: "Details" });
    expect(details.textContent).toContain("ada@example.com");
    expect(details.textContent).toContain("Senegal");
    await screen.findByLabelText("Language of e-mails");
    expect(field("Language of e-mails").value).toBe("fr-FR");
    expect(screen.getAllByRole("switch")).toHaveLength(5);
  });

  it("shows a failure, and the account after Retry", async () => {
    asked({ "account/info": [refusal(500, "internal_error"), data(info())] });
    renderPage(<AccountPage />, "/account", "/account");
    await screen.findByText("Your account could not be loaded");
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByRole("heading", { name: "Wallets" });
  });

  it("shows the visitor's page when the session has ended at the server", async () => {
    asked({ "account/info": [refusal(401, "token_error")] });
    renderPage(<AccountPage />, "/account", "/account");
    await screen.findByRole("heading", { name: "Log in to see your account" });
    expect(localStorage.getItem("token")).toBeNull();
  });
});

describe("the identity check", () => {
  it("names what is missing for deposits", async () => {
    asked({ "account/info": always(info({ wallets: [linked()] })) });
    await show();
    expect(screen.getByText("2 steps to deposit")).toBeTruthy();
    const needs = screen.getAllByRole("listitem").map((item) => item.textContent);
    expect(needs).toContain("Done: E-mail confirmed");
    expect(needs).toContain("Missing: Identity verified");
    expect(needs).toContain("Done: Wallet linked");
    expect(needs).toContain("Missing: Wallet recorded on the chain");
  });

  it("shows a problem beside each field and sends nothing", async () => {
    asked();
    const { uploads } = answerUpload(200, {});
    await show();
    await screen.findByLabelText("Full name");
    type("Date of birth", "2020-01-01");
    enter("Full name");
    expect(note("Full name")).toBe("Enter the name as on the document.");
    expect(note("Date of birth")).toBe("You must be at least 18.");
    expect(note("Kind of document")).toBe("Choose a document.");
    expect(screen.getByText("Choose a photo or scan.")).toBeTruthy();
    expect(document.activeElement).toBe(field("Full name"));
    expect(uploads).toEqual([]);
  });

  it("reports at once that a file is too large, empty or of a wrong type", async () => {
    asked();
    await show();
    await screen.findByLabelText("Full name");
    choose(picture("scan.pdf", 9 * 1024 * 1024, "application/pdf"));
    expect(screen.getByText("This file has 9 MB; the maximum is 8 MB.")).toBeTruthy();
    expect(documentField().getAttribute("aria-invalid")).toBe("true");
    choose(picture("scan.jpg", 0, "image/jpeg"));
    expect(screen.getByText("This file is empty. Choose another.")).toBeTruthy();
    choose(picture("letter.docx", 100, "application/msword"));
    expect(screen.getByText("Choose a JPEG, PNG or PDF file.")).toBeTruthy();
    choose(picture("scan.png", 100, "image/png"));
    expect(documentField().getAttribute("aria-invalid")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Remove scan.png" }));
    expect(screen.getByText("Choose a file or drop it here")).toBeTruthy();
  });

  it("accepts a dropped file", async () => {
    asked();
    await show();
    const frame = (await screen.findByText("Choose a file or drop it here")).closest("label")?.parentElement;
    if (!frame) throw new Error("The field has no frame");
    fireEvent.drop(frame, { dataTransfer: { files: [picture("dropped.png", 100, "image/png")] } });
    expect(screen.getByText("dropped.png")).toBeTruthy();
  });

  it("sends fields and file once, with progress, and then shows that it is being checked", async () => {
    const pending = identity({ status: "pending", submitted_at: time });
    const { uploads, finish } = answerUpload(200, { data: pending });
    asked({ "account/identity": () => Promise.resolve(data(uploads.length > 0 ? pending : identity())) });
    await show();
    await fill();
    enter("Full name");
    enter("Full name");
    const bar = await screen.findByRole("progressbar", { name: "Upload" });
    expect((bar as HTMLProgressElement).value).toBe(0.3);
    expect(uploads).toHaveLength(1);
    const [upload] = uploads;
    expect(upload?.url).toBe("/api/v2/account/identity");
    expect(upload?.headers.authorization).toBe("Bearer t-1");
    expect(upload?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(upload?.headers["content-type"]).toBeUndefined();
    expect(Object.fromEntries([...(upload?.form ?? [])].filter(([name]) => name !== "document"))).toEqual({
      name: "Ada Lovelace",
      birth_date: "1990-12-10",
      country: "SN",
      document_kind: "passport",
    });
    expect(upload?.form.get("document")).toMatchObject({ name: "passport.jpg" });
    await finish();
    await screen.findByText("Your documents are being checked");
  });

  it("keeps all fields, including the file, when the upload breaks off", async () => {
    asked();
    const { uploads, finish } = answerUpload(0, {});
    await show();
    await fill();
    enter("Full name");
    await screen.findByRole("progressbar");
    await finish();
    await screen.findByText(/server did not answer/);
    expect(field("Full name").value).toBe("Ada Lovelace");
    expect(screen.getByText("passport.jpg")).toBeTruthy();
    enter("Full name");
    await waitFor(() => expect(uploads).toHaveLength(2));
    expect(uploads[1]?.headers["idempotency-key"]).toBe(uploads[0]?.headers["idempotency-key"]);
  });

  it("shows the server's finding beside the document", async () => {
    asked();
    const details = [{ path: "document", message: "In English only" }];
    const { finish } = answerUpload(400, refusal(400, "validation_error", { details }).body);
    await show();
    await fill();
    enter("Full name");
    await screen.findByRole("progressbar");
    await finish();
    await screen.findByText(/^This file is not a JPEG/);
    expect(document.activeElement).toBe(documentField());
    expect(screen.queryByText(/In English only/)).toBeNull();
  });

  it("shows a decision without a reload, and refreshes the rest of the page", async () => {
    const answers = [
      identity({ status: "pending", submitted_at: time }),
      identity({ status: "verified", valid_until: time }),
    ];
    const infos = [info({ identity_status: "pending" }), info({ identity_status: "verified" })];
    asked({
      "account/identity": () => Promise.resolve(data(answers[0])),
      "account/info": () => Promise.resolve(data(infos[0])),
    });
    vi.useFakeTimers({
      toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"],
      shouldAdvanceTime: true,
    });
    await show();
    await screen.findByText("Your documents are being checked");
    answers.shift();
    infos.shift();
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    await screen.findByText(/^Verified until /);
    await screen.findByText("2 steps to deposit");
    vi.useRealTimers();
  });

  it.each([
    ["rejected", { reason: "The picture is blurred" }, "Reason: The picture is blurred"],
    ["rejected", { reason: "document_expired" }, "Reason: The document has expired."],
    ["expired", { valid_until: time }, /^Verification expired on/],
  ])("that was %s shows why and can be started again", async (status, more, text) => {
    asked({
      "account/info": always(info({ identity_status: status })),
      "account/identity": always(identity({ status, ...more })),
    });
    await show();
    await screen.findByText(text);
    expect(screen.getByRole("button", { name: "Submit for checking" })).toBeTruthy();
  });

  it("offers a demo's decisive names", async () => {
    asked({
      "account/identity": always(
        identity({ provider: "sandbox", sandbox_names: [{ name: "Rejected Person", outcome: "rejected" }] }),
      ),
    });
    await show();
    const name = await screen.findByRole("button", { name: "Rejected Person" });
    expect(name.closest("li")?.textContent).toContain("is not accepted");
    fireEvent.click(name);
    expect(field("Full name").value).toBe("Rejected Person");
  });
});

describe("wallets", () => {
  const binding = (state: string, more: object = {}) => ({ chain_id: 1, state, hash: null, reason: null, ...more });

  const unlinkable = (bindings: object[] = []) =>
    asked({
      "account/info": always(info({ wallets: [linked({ bindings })] })),
      "account/wallets/unlink": always(info({ wallets: [linked({ current: false })] })),
    });

  it("are unlinked after the consequences are shown", async () => {
    const calls = unlinkable([binding("bound", { hash })]);
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Unlink wallet" }));
    const dialog = await screen.findByRole("dialog", { name: "Unlink this wallet" });
    expect(dialog.textContent).toContain("0x709…79C8 can no longer log in to this account.");
    expect(dialog.textContent).toContain("only after the same waiting time as after a switch");
    expect(sent(calls, "account/wallets/unlink")).toEqual([]);
    fireEvent.click(within(dialog).getByRole("button", { name: "Unlink wallet" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent(calls, "account/wallets/unlink").map(({ body }) => body)).toEqual([{ address: wallet }]);
  });

  it("without a record on chain are unlinked without a word about waiting", async () => {
    unlinkable();
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Unlink wallet" }));
    expect((await screen.findByRole("dialog")).textContent).not.toContain("waiting time");
  });

  it("say why they could not be unlinked", async () => {
    asked({
      "account/info": always(info({ wallets: [linked()] })),
      "account/wallets/unlink": () => Promise.resolve(refusal(503, "chain_unavailable")),
    });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Unlink wallet" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "Unlink wallet" }));
    expect((await within(dialog).findByRole("alert")).textContent).not.toBe("");
  });

  it("of a switch that can still be stopped are not unlinked", async () => {
    const pending = {
      id: "s",
      from: other,
      to: wallet,
      create_time: time,
      effective_time: time + 1,
      consent: "I agree",
    };
    asked({
      "account/info": always(info({ wallets: [linked()] })),
      "account/security": always(security({ pending_switch: pending })),
    });
    await show();
    await screen.findByRole("button", { name: "Stop the switch" });
    expect(screen.queryByRole("button", { name: "Unlink wallet" })).toBeNull();
  });

  it("are listed with the state of their records and the transactions", async () => {
    asked({
      "account/info": always(
        info({
          identity_status: "verified",
          wallets: [
            linked({
              bindings: [binding("bound", { hash }), binding("failed", { chain_id: 133, reason: "signature" })],
            }),
            linked({ address: other, current: false, bindings: [binding("retired")] }),
          ],
        }),
      ),
    });
    await show();
    const wallets = screen.getByRole("region", { name: "Wallets" });
    const [first, second] = within(wallets)
      .getAllByText(/^(Current|Former)$/)
      .map((badge) => badge.closest("li"));
    expect(first?.textContent).toContain("recorded, can deposit");
    expect(
      within(first as HTMLElement)
        .getByRole("link")
        .getAttribute("href"),
    ).toBe(`https://etherscan.io/tx/${hash}`);
    expect(first?.textContent).toContain("could not be recordedThe chain rejected the signature.");
    expect(second?.textContent).toContain("replaced, can no longer deposit");
    expect(within(wallets).getAllByRole("button", { name: "Copy address" })).toHaveLength(2);
  });

  it("show that a former wallet cannot deposit only once the chain has recorded it", async () => {
    const former = linked({ address: other, current: false, bindings: [binding("sent", { hash })] });
    asked({ "account/info": always(info({ identity_status: "verified", wallets: [linked({}), former] })) });
    await show();
    const row = screen.getByText("Former").closest("li");
    expect(row?.textContent).toContain("being recorded on the chain");
    expect(row?.textContent).not.toMatch(/no longer/);
  });

  it("show that a record waits for the identity check", async () => {
    asked({ "account/info": always(info({ wallets: [linked({ bindings: [binding("waiting")] })] })) });
    await show();
    expect(screen.getByText("recorded after identity verification")).toBeTruthy();
  });

  const signAgain = linked({ bindings: [binding("failed", { reason: "signature_used" })] });
  const verifiedWith = (own: object) =>
    asked({ "account/info": always(info({ identity_status: "verified", wallets: [own] })) });

  it("ask the connected one to sign again when its signature was used, and then show its record anew", async () => {
    setWallet({ status: "connected", address: wallet, chainId: 1 });
    const calls = verifiedWith(signAgain);
    vi.mocked(linkWallet).mockResolvedValue(true);
    await show();
    expect(screen.getByText(/^A signature works only once\. Sign again/)).toBeTruthy();
    const before = sent(calls, "account/info").length;
    fireEvent.click(screen.getByRole("button", { name: "Sign again" }));
    await waitFor(() => expect(sent(calls, "account/info").length).toBeGreaterThan(before));
    expect(linkWallet).toHaveBeenCalledExactlyOnceWith();
  });

  it("offer no signature to another wallet than the one that must sign", async () => {
    verifiedWith(signAgain);
    await show();
    expect(screen.getByText(/^A signature works only once/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Sign again" })).toBeNull();
  });

  it("offer the connected one for linking", async () => {
    setWallet({ status: "connected", address: other, chainId: 1 });
    asked();
    await show();
    expect(screen.getByText("No wallet linked yet")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Link this wallet" })).toBeTruthy();
  });

  it("show what a switch moves before it is confirmed", async () => {
    setWallet({ status: "connected", address: other, chainId: 1 });
    asked({
      "account/info": always(info({ identity_status: "verified", wallets: [linked()] })),
      "account/identity": always(identity({ status: "verified", valid_until: time })),
      [`account/totalHoldValue/${wallet}`]: always({ total: "1250.500000", currency: "USD", unit: "tUSD" }),
    });
    await show();
    fireEvent.click(screen.getByRole("button", { name: "Switch wallet" }));
    expect(screen.getByText(/^Switching moves no money\. Withdraw from 0x709…79C8/)).toBeTruthy();
    await screen.findByText("It holds 1,250.50 tUSD now.");
    expect(screen.getByRole("button", { name: "Confirm Switch" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("button", { name: "Confirm Switch" })).toBeNull();
  });

  it("cannot be switched before the identity is verified", async () => {
    setWallet({ status: "connected", address: other, chainId: 1 });
    asked({ "account/info": always(info({ wallets: [linked()] })) });
    await show();
    expect(screen.getByText(/Verify your identity before you switch to it/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Switch wallet" })).toBeNull();
  });
});

describe("log-ins", () => {
  it("are listed, and one is ended", async () => {
    const calls = asked({
      "account/sessions": [data([here, there]), data([here])],
      "account/sessions/end": data({}),
    });
    await show();
    await screen.findByText("Firefox, Linux");
    expect(screen.getByText("This device")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Log out Unknown device" }));
    await waitFor(() => expect(screen.queryByText("Unknown device")).toBeNull());
    expect(sent(calls, "account/sessions/end")[0]?.body).toEqual({ id: "s-2" });
  });

  it("show a failure to end one", async () => {
    asked({ "account/sessions/end": "unreachable" });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Log out Unknown device" }));
    await screen.findByText(/server did not answer/);
    expect(screen.getByText("Unknown device")).toBeTruthy();
  });
});

describe("account data", () => {
  it("is downloaded as a file", async () => {
    asked({ "account/export": { body: { account: { email: "ada@example.com" } } } });
    const saved: { name: string; content: Blob | undefined }[] = [];
    const contents: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((content) => `blob:${contents.push(content as Blob)}`);
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, content: contents[0] });
    });
    await show();
    fireEvent.click(screen.getByRole("button", { name: "Download my data" }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe("aqua-account.json");
    expect(saved[0]?.content?.size).toBeGreaterThan(20);
  });

  it("is deleted only with the word and the password, which logs out", async () => {
    const calls = asked({ "account/delete": [refusal(401, "login_failed"), data({})] });
    await show();
    fireEvent.click(screen.getByRole("button", { name: "Delete account" }));
    expect(screen.getByText(/Records on the chain remain/)).toBeTruthy();
    enter("Password");
    expect(note("Type “delete” to confirm")).toBe("Type “delete” here.");
    expect(note("Password")).toBe("Enter the password.");
    type("Type “delete” to confirm", "Delete");
    type("Password", "not the one");
    enter("Password");
    await waitFor(() => expect(note("Password")).toBe("Wrong password."));
    expect(field("Password").value).toBe("not the one");
    type("Password", "a long walk home");
    enter("Password");
    await screen.findByRole("heading", { name: "Log in to see your account" });
    expect(localStorage.getItem("token")).toBeNull();
    expect(sent(calls, "account/delete")[1]?.body).toEqual({ password: "a long walk home" });
  });
});
