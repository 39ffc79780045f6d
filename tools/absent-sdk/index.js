// Wallet SDKs whose licences forbid free use, or that Aqua does not offer, resolve here.
// Nothing of ours imports them; a connector that tries must fail loudly instead of half-working.
export default function absentSdk() {
  throw new Error("This wallet SDK is not part of Aqua.");
}
