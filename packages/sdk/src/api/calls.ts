import type { z } from "zod";
import type { LanguageCode } from "../languages.ts";
import type {
  AccountInfo,
  Authenticated,
  authenticateBody,
  CodeSent,
  deleteAccountBody,
  EmailTicket,
  endSessionsBody,
  forgetPasswordBody,
  loginBody,
  OutboxMail,
  PasswordReset,
  registerBody,
  resetPasswordBody,
  Session,
  SessionInfo,
  SignMessage,
  sendCodeBody,
  signMessageBody,
  verifyEmailBody,
} from "./auth.ts";
import type { ClientErrorBody } from "./client-error.ts";
import type { List, pageQuery } from "./envelope.ts";
import type { FaucetResult } from "./faucet.ts";
import type { Home } from "./home.ts";
import type { Identity } from "./identity.ts";
import type { incomeProofQuery } from "./incomeProof.ts";
import type { LegalText, legalQuery } from "./legal.ts";
import type { Network } from "./network.ts";
import type {
  Announcements,
  announcementsQuery,
  Notifications,
  notificationsBody,
  Unsubscription,
  unsubscribeQuery,
} from "./notices.ts";
import type {
  Holding,
  holdQuery,
  PendingTransactionBody,
  pendingTransactionQuery,
  productTransactionQuery,
  profitQuery,
  RedemptionRequest,
  requestsQuery,
  Statement,
  statementQuery,
  TotalHoldValue,
  TotalProfit,
  Transaction,
  together,
  transactionQuery,
} from "./portfolio.ts";
import type {
  Liquidity,
  Performance,
  Product,
  ProductDetail,
  ProductListQuery,
  ProductSummary,
  queueQuery,
  Range,
  WithdrawalRequest,
} from "./product.ts";
import type { LegalName } from "./rules.ts";
import type {
  addPasskeyBody,
  addTotpBody,
  ConfirmBody,
  changeEmailBody,
  changePasswordBody,
  confirmed,
  emailCodeBody,
  passkeyLogInBody,
  passkeyOptions,
  RecoveryCodes,
  removeFactorBody,
  Security,
  SecurityEvent,
  signSwitchBody,
  stoppedSwitch,
  stopSwitchBody,
  totpSetup,
  unlinkWalletBody,
} from "./security.ts";
import type {
  AnchoredBatch,
  anchorsQuery,
  Device,
  Fleet,
  IncomeCheck,
  IncomeNext,
  IncomeSeries,
  LossList,
  ReadingProof,
  ReadingSeries,
  RefusedReading,
  readingsQuery,
  refusedQuery,
  StoredReading,
  storedReadingsQuery,
} from "./telemetry.ts";
import type {
  AuditSummary,
  actsQuery,
  PrivilegedAct,
  Recoveries,
  recoveriesQuery,
  TransparencySummary,
} from "./transparency.ts";

/** Milliseconds after which a call is aborted. */
export const requestTimeout = 60_000;

type Query = Record<string, string | number | undefined>;
type Body = object | FormData;

interface CallOptions {
  query?: Query;
  body?: Body;
  signal?: AbortSignal | undefined;
  /** An idempotency key. */
  once?: string | undefined;
  /** The call continues after the reader leaves the page that made it. */
  keepalive?: true;
}

export interface ClientOptions {
  /** Base URL of the API, without a trailing slash: "/api/v2" or "https://aqua.example/api/v2". */
  baseUrl: string;
  /** Returns the session's token. Called for every request. */
  getToken?: () => string | null;
  fetch?: typeof fetch;
}

/** The reason why a call failed. */
export type CallFailure =
  /** The server reported an error. `body` is the response as received; it is an ErrorBody if our server wrote it. */
  | { kind: "response"; status: number; body: unknown }
  /**
   * There was no complete response: the network failed, a timeout passed, the caller aborted, or the response broke
   * off.
   */
  | { kind: "connection"; reason: "network" | "timeout" | "aborted" | "incomplete"; cause?: unknown };

/**
 * All calls of the API, typed. `fail` throws the value with which a failed call rejects; `createClient` throws typed
 * errors.
 */
export function createCalls(
  { baseUrl, getToken, fetch: send = globalThis.fetch.bind(globalThis) }: ClientOptions,
  fail: (failure: CallFailure) => never,
) {
  async function respond(method: "GET" | "POST", path: string, options: CallOptions) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) parameters.set(name, String(value));
    const url = `${baseUrl}/${path}${parameters.size > 0 ? `?${parameters}` : ""}`;
    const token = getToken?.();
    const multipart = options.body instanceof FormData;
    const timeout = AbortSignal.timeout(requestTimeout);
    let response: Response;
    try {
      response = await send(url, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(options.body && !multipart ? { "content-type": "application/json" } : {}),
          ...(options.once ? { "idempotency-key": options.once } : {}),
        },
        ...(options.body
          ? { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }
          : {}),
        keepalive: options.keepalive ?? false,
        signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      });
    } catch (cause) {
      const reason = options.signal?.aborted ? "aborted" : timeout.aborted ? "timeout" : "network";
      return fail({ kind: "connection", reason, cause });
    }
    if (!response.ok) return fail({ kind: "response", status: response.status, body: await bodyOf(response) });
    return response;
  }

  async function call<Data>(method: "GET" | "POST", path: string, options: CallOptions = {}) {
    const response = await respond(method, path, options);
    const body = (await bodyOf(response)) as { data: Data } | null;
    return body === null ? fail({ kind: "connection", reason: "incomplete" }) : body.data;
  }

  const segment = encodeURIComponent;
  return {
    network: (signal?: AbortSignal) => call<Network>("GET", "network", { signal }),
    /**
     * The operator's terms, privacy text, imprint or contact. Fails with `not_found` if the operator has published
     * none.
     */
    legal: (name: LegalName, query: z.input<typeof legalQuery> = {}, signal?: AbortSignal) =>
      call<LegalText>("GET", `legal/${segment(name)}`, { query, signal }),
    reportError: (body: ClientErrorBody, signal?: AbortSignal) =>
      call<Record<string, never>>("POST", "client/error", { body, signal }),

    productList: (query: ProductListQuery = {}, signal?: AbortSignal) =>
      call<List<Product>>("GET", "product/list", { query: query as Query, signal }),
    productSummary: (signal?: AbortSignal) => call<ProductSummary>("GET", "product/summary", { signal }),
    /** All data of the home page. */
    home: (query: { lang?: LanguageCode } = {}, signal?: AbortSignal) =>
      call<Home>("GET", "product/home", { query, signal }),
    product: (shortId: string, query: { lang?: LanguageCode } = {}, signal?: AbortSignal) =>
      call<ProductDetail>("GET", `product/${segment(shortId)}`, { query, signal }),
    /** A product's document, or a document that it names as evidence, by the keccak-256 of its bytes. */
    document: (hash: string, signal?: AbortSignal) => respond("GET", `document/${segment(hash)}`, { signal }),
    productPerformance: (shortId: string, query: { range?: Range } = {}, signal?: AbortSignal) =>
      call<Performance>("GET", `product/${segment(shortId)}/performance`, { query, signal }),
    productLiquidity: (shortId: string, signal?: AbortSignal) =>
      call<Liquidity>("GET", `product/${segment(shortId)}/liquidity`, { signal }),
    productTransactions: (shortId: string, query: z.input<typeof productTransactionQuery> = {}, signal?: AbortSignal) =>
      call<List<Transaction>>("GET", `product/${segment(shortId)}/transactions`, { query: query as Query, signal }),

    productQueue: (shortId: string, query: z.input<typeof queueQuery> = {}, signal?: AbortSignal) =>
      call<List<WithdrawalRequest>>("GET", `product/${segment(shortId)}/queue`, { query: query as Query, signal }),

    /**
     * Scheduled changes of fee and custodian. `wallets` are the wallets of one holder, whose exit time is estimated as
     * well.
     */
    announcements: (shortId: string, query: z.input<typeof announcementsQuery> = {}, signal?: AbortSignal) =>
      call<Announcements>("GET", `product/${segment(shortId)}/announcements`, { query: query as Query, signal }),

    devices: (shortId: string, signal?: AbortSignal) =>
      call<Device[]>("GET", `product/${segment(shortId)}/devices`, { signal }),
    readings: (shortId: string, query: Omit<z.input<typeof readingsQuery>, "format"> = {}, signal?: AbortSignal) =>
      call<ReadingSeries>("GET", `product/${segment(shortId)}/readings`, { query: query as Query, signal }),
    /** The readings as one CSV file. */
    readingsFile: (shortId: string, query: Omit<z.input<typeof readingsQuery>, "format"> = {}, signal?: AbortSignal) =>
      respond("GET", `product/${segment(shortId)}/readings`, { query: { ...(query as Query), format: "csv" }, signal }),
    /** The evidence of the income report in this transaction. */
    incomeCheck: (shortId: string, hash: string, query: { lang?: LanguageCode } = {}, signal?: AbortSignal) =>
      call<IncomeCheck>("GET", `product/${segment(shortId)}/income/${segment(hash)}`, { query, signal }),
    /** The income that an operator may report now. */
    incomeNext: (shortId: string, signal?: AbortSignal) =>
      call<IncomeNext>("GET", `product/${segment(shortId)}/income/next`, { signal }),
    /** Income reports, each with the amount that the registers counted for it. */
    incomeSeries: (shortId: string, query: { range?: Range; lang?: LanguageCode } = {}, signal?: AbortSignal) =>
      call<IncomeSeries>("GET", `product/${segment(shortId)}/income`, { query, signal }),
    deviceReadings: (name: string, query: z.input<typeof storedReadingsQuery> = {}, signal?: AbortSignal) =>
      call<StoredReading[]>("GET", `transparency/devices/${segment(name)}/readings`, { query: query as Query, signal }),
    fleet: (query: { lang?: LanguageCode } = {}, signal?: AbortSignal) =>
      call<Fleet>("GET", "transparency/devices", { query, signal }),
    refusedReadings: (query: z.input<typeof refusedQuery> = {}, signal?: AbortSignal) =>
      call<List<RefusedReading>>("GET", "transparency/refused", { query: query as Query, signal }),
    anchors: (query: z.input<typeof anchorsQuery> = {}, signal?: AbortSignal) =>
      call<List<AnchoredBatch>>("GET", "transparency/anchors", { query: query as Query, signal }),
    /** A batch file as it was anchored; its keccak-256 is the batch's `data_hash`. */
    batchFile: (shortId: string, number: number, signal?: AbortSignal) =>
      respond("GET", `transparency/anchors/${segment(shortId)}/${number}`, { signal }),
    /** Batches that the server lacks, and readings that were declared lost. */
    readingLosses: (signal?: AbortSignal) => call<LossList>("GET", "transparency/losses", { signal }),
    readingProof: (name: string, seq: number, signal?: AbortSignal) =>
      call<ReadingProof>("GET", `transparency/proof/${segment(name)}/${seq}`, { signal }),

    transparencySummary: (query: { lang?: LanguageCode } = {}, signal?: AbortSignal) =>
      call<TransparencySummary>("GET", "transparency/summary", { query, signal }),
    /** How far the site's audit of its stored rows is, and what it has found. */
    audit: (signal?: AbortSignal) => call<AuditSummary>("GET", "transparency/audit", { signal }),
    recoveries: (query: z.input<typeof recoveriesQuery>, signal?: AbortSignal) =>
      call<Recoveries>("GET", "transparency/recoveries", { query, signal }),
    privilegedActs: (query: z.input<typeof actsQuery> = {}, signal?: AbortSignal) =>
      call<List<PrivilegedAct>>("GET", "transparency/acts", { query: query as Query, signal }),

    totalHoldValue: (address: string, query: z.input<typeof together> = {}, signal?: AbortSignal) =>
      call<TotalHoldValue>("GET", `account/totalHoldValue/${segment(address)}`, { query: query as Query, signal }),
    hold: (address: string, query: z.input<typeof holdQuery> = {}, signal?: AbortSignal) =>
      call<List<Holding>>("GET", `account/hold/${segment(address)}`, { query: query as Query, signal }),
    transactions: (address: string, query: z.input<typeof transactionQuery> = {}, signal?: AbortSignal) =>
      call<List<Transaction>>("GET", `account/transaction/${segment(address)}`, { query: query as Query, signal }),
    totalProfit: (address: string, query: z.input<typeof profitQuery> = {}, signal?: AbortSignal) =>
      call<TotalProfit>("GET", `account/totalProfit/${segment(address)}`, { query: query as Query, signal }),
    redemptionRequests: (address: string, query: z.input<typeof requestsQuery> = {}, signal?: AbortSignal) =>
      call<RedemptionRequest[]>("GET", `account/requests/${segment(address)}`, { query: query as Query, signal }),
    statement: (address: string, query: Omit<z.input<typeof statementQuery>, "format">, signal?: AbortSignal) =>
      call<Statement>("GET", `account/statement/${segment(address)}`, { query: query as Query, signal }),
    /** The statement as one CSV file. */
    statementFile: (address: string, query: Omit<z.input<typeof statementQuery>, "format">, signal?: AbortSignal) =>
      respond("GET", `account/statement/${segment(address)}`, {
        query: { ...(query as Query), format: "csv" },
        signal,
      }),
    /** What a wallet's units earned in a month, as the file that `aqua verify` reads. */
    incomeProof: (address: string, query: z.input<typeof incomeProofQuery>, signal?: AbortSignal) =>
      respond("GET", `account/incomeProof/${segment(address)}`, { query: query as Query, signal }),
    checkAddress: (address: string, signal?: AbortSignal) =>
      call<boolean>("GET", `account/checkAddress/${segment(address)}`, { signal }),
    addPendingTransaction: (body: PendingTransactionBody, signal?: AbortSignal) =>
      call<Transaction>("POST", "account/addPendingTransaction", { body, signal }),
    pendingTransactions: (query: z.input<typeof pendingTransactionQuery>, signal?: AbortSignal) =>
      call<List<Transaction>>("GET", "account/getPendingTransaction", { query: query as Query, signal }),

    login: (body: z.input<typeof loginBody>, signal?: AbortSignal) =>
      call<Session>("POST", "account/login", { body, signal }),
    sendVerificationCode: (body: z.input<typeof sendCodeBody>, signal?: AbortSignal) =>
      call<CodeSent>("POST", "account/send-verification-code", { body, signal }),
    /** `once`, here and below, is the Idempotency-Key: a retry after a lost response has no second effect. */
    verifyEmail: (body: z.input<typeof verifyEmailBody>, once?: string, signal?: AbortSignal) =>
      call<EmailTicket>("POST", "account/verify-email", { body, once, signal }),
    register: (body: z.input<typeof registerBody>, once?: string, signal?: AbortSignal) =>
      call<Session>("POST", "account/register", { body, once, signal }),
    forgetPassword: (body: z.input<typeof forgetPasswordBody>, signal?: AbortSignal) =>
      call<CodeSent>("POST", "account/forget-password", { body, signal }),
    resetPassword: (body: z.input<typeof resetPasswordBody>, once?: string, signal?: AbortSignal) =>
      call<PasswordReset>("POST", "account/reset-password", { body, once, signal }),
    logout: (signal?: AbortSignal) =>
      call<Record<string, never>>("POST", "account/logout", { body: {}, signal, keepalive: true }),
    accountInfo: (signal?: AbortSignal) => call<AccountInfo>("GET", "account/info", { signal }),
    getSignMessage: (body: z.input<typeof signMessageBody>, signal?: AbortSignal) =>
      call<SignMessage>("POST", "account/getSignMessage", { body, signal }),
    authenticate: (body: z.input<typeof authenticateBody>, signal?: AbortSignal) =>
      call<Authenticated>("POST", "account/authenticate", { body, signal }),

    /** Protection of the account, and a switch of its wallet that can still be stopped. */
    security: (signal?: AbortSignal) => call<Security>("GET", "account/security", { signal }),
    securityEvents: (query: z.input<typeof pageQuery> = {}, signal?: AbortSignal) =>
      call<List<SecurityEvent>>("GET", "account/events", { query: query as Query, signal }),
    /** Proves again that the caller owns the account. The proof is valid for the next five minutes of this session. */
    confirm: (body: ConfirmBody, once?: string, signal?: AbortSignal) =>
      call<z.infer<typeof confirmed>>("POST", "account/confirm", { body, once, signal }),
    sendConfirmCode: (signal?: AbortSignal) => call<CodeSent>("POST", "account/confirm/code", { body: {}, signal }),
    changePassword: (body: z.input<typeof changePasswordBody>, signal?: AbortSignal) =>
      call<Record<string, never>>("POST", "account/change-password", { body, signal }),
    sendEmailCode: (body: z.input<typeof emailCodeBody>, signal?: AbortSignal) =>
      call<CodeSent>("POST", "account/change-email/code", { body, signal }),
    changeEmail: (body: z.input<typeof changeEmailBody>, once?: string, signal?: AbortSignal) =>
      call<{ email: string }>("POST", "account/change-email", { body, once, signal }),
    passkeyOptions: (signal?: AbortSignal) =>
      call<z.infer<typeof passkeyOptions>>("POST", "account/passkeys/options", { body: {}, signal }),
    passkeyLogIn: (body: z.input<typeof passkeyLogInBody>, signal?: AbortSignal) =>
      call<Session>("POST", "account/passkeys/login", { body, signal }),
    newPasskey: (signal?: AbortSignal) =>
      call<z.infer<typeof passkeyOptions>>("POST", "account/passkeys/new", { body: {}, signal }),
    addPasskey: (body: z.input<typeof addPasskeyBody>, signal?: AbortSignal) =>
      call<RecoveryCodes>("POST", "account/passkeys/add", { body, signal }),
    newTotp: (signal?: AbortSignal) =>
      call<z.infer<typeof totpSetup>>("POST", "account/totp/new", { body: {}, signal }),
    addTotp: (body: z.input<typeof addTotpBody>, once?: string, signal?: AbortSignal) =>
      call<RecoveryCodes>("POST", "account/totp/add", { body, once, signal }),
    removeFactor: (body: z.input<typeof removeFactorBody>, signal?: AbortSignal) =>
      call<Record<string, never>>("POST", "account/factors/remove", { body, signal }),
    makeRecoveryCodes: (signal?: AbortSignal) =>
      call<RecoveryCodes>("POST", "account/recovery-codes", { body: {}, signal }),
    /** Stops a switch, with the token from the e-mail's link or with the account's session. */
    stopSwitch: (body: z.input<typeof stopSwitchBody>, once?: string, signal?: AbortSignal) =>
      call<z.infer<typeof stoppedSwitch>>("POST", "account/switch/stop", { body, once, signal }),
    signSwitch: (body: z.input<typeof signSwitchBody>, signal?: AbortSignal) =>
      call<Record<string, never>>("POST", "account/switch/sign", { body, signal }),
    unlinkWallet: (body: z.input<typeof unlinkWalletBody>, signal?: AbortSignal) =>
      call<AccountInfo>("POST", "account/wallets/unlink", { body, signal }),

    sessions: (signal?: AbortSignal) => call<SessionInfo[]>("GET", "account/sessions", { signal }),
    endSessions: (body: z.input<typeof endSessionsBody> = {}, signal?: AbortSignal) =>
      call<Record<string, never>>("POST", "account/sessions/end", { body, signal }),
    /** All stored data about the account as one JSON file. */
    exportAccount: (signal?: AbortSignal) => respond("GET", "account/export", { signal }),
    deleteAccount: (body: z.input<typeof deleteAccountBody>, signal?: AbortSignal) =>
      call<Record<string, never>>("POST", "account/delete", { body, signal }),

    notifications: (signal?: AbortSignal) => call<Notifications>("GET", "account/notifications", { signal }),
    /** Switches e-mails on or off, or chooses their language. */
    setNotifications: (body: z.input<typeof notificationsBody>, signal?: AbortSignal) =>
      call<Notifications>("POST", "account/notifications", { body, signal }),
    /** The kind of mail that the link in an e-mail stops. */
    unsubscription: (query: z.input<typeof unsubscribeQuery>, signal?: AbortSignal) =>
      call<Unsubscription>("GET", "account/unsubscribe", { query, signal }),
    /** Stops that kind of mail without a log-in. */
    unsubscribe: (query: z.input<typeof unsubscribeQuery>, signal?: AbortSignal) =>
      call<Unsubscription>("POST", "account/unsubscribe", { query, signal }),

    identity: (signal?: AbortSignal) => call<Identity>("GET", "account/identity", { signal }),
    /** `form` contains the fields of identityFields and the file `document`. */
    submitIdentity: (form: FormData, once?: string, signal?: AbortSignal) =>
      call<Identity>("POST", "account/identity", { body: form, once, signal }),

    /** Exists only if `npm start` runs everything on this machine. */
    outbox: (query: { to?: string } = {}, signal?: AbortSignal) =>
      call<OutboxMail[]>("GET", "dev/outbox", { query, signal }),

    /** Exists only on the local chain. */
    faucet: (body: { address: string }, signal?: AbortSignal) =>
      call<FaucetResult>("POST", "dev/faucet", { body, signal }),
  };
}
export type Client = ReturnType<typeof createCalls>;

/** Parses JSON bodies. Returns the whole response for a file. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("application/json")) return response.json().catch(() => null);
  return response.ok ? { data: response } : response.text();
}
