import { X509Certificate } from "node:crypto";
import { CommandError } from "../api.ts";

const pemPattern = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

function certificatesOf(pem: string, what: string): X509Certificate[] {
  try {
    const found = (pem.match(pemPattern) ?? []).map((text) => new X509Certificate(text));
    if (found.length > 0) return found;
  } catch {
    // An unreadable certificate leads to the error below.
  }
  throw new CommandError(`${what} must hold certificates in PEM`);
}

/**
 * Checks that a chain of certificates, the device's own first, certifies the key (x, y) up to a root the operator
 * trusts. The first certificate must hold this P-256 key, each must be signed by the next one and the last by a root,
 * and all must be valid at `now`.
 * @throws CommandError that names the failed check
 */
export function checkAttestation({
  chainPem,
  rootPem,
  key,
  now,
}: {
  chainPem: string;
  rootPem: string;
  key: { x: string; y: string };
  now: Date;
}): void {
  const chain = certificatesOf(chainPem, "certificates of the enrolment file");
  const roots = certificatesOf(rootPem, "--root");
  const [leaf] = chain as [X509Certificate, ...X509Certificate[]];
  const { crv, x, y } = leaf.publicKey.export({ format: "jwk" });
  const hex = (text: string | undefined) => `0x${Buffer.from(text ?? "", "base64url").toString("hex")}`;
  if (crv !== "P-256" || hex(x) !== key.x || hex(y) !== key.y) {
    throw new CommandError("the device's certificate is for another key than --key");
  }
  for (const [index, certificate] of chain.entries()) {
    holdsAt(certificate, now);
    const issuers = index + 1 < chain.length ? chain.slice(index + 1, index + 2) : roots;
    const issuer = issuers.find((one) => isIssuedBy(certificate, one));
    if (issuer === undefined) {
      throw new CommandError(
        issuers === roots
          ? "the certificates do not lead to the root"
          : `certificate ${index + 1} is not signed by the next`,
      );
    }
    if (issuers === roots) holdsAt(issuer, now);
  }
}

/** The root itself may be the last of the chain. */
function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  if (certificate.fingerprint256 === issuer.fingerprint256) return true;
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function holdsAt({ subject, validFrom, validTo }: X509Certificate, now: Date): void {
  if (now < new Date(validFrom) || now > new Date(validTo)) {
    throw new CommandError(`the certificate of ${subject.replaceAll("\n", ", ")} is not valid today`);
  }
}
