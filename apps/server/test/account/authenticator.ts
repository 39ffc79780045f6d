import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** The secret of base32 text. */
export function bytesOf(text: string): Uint8Array {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** CBOR of a byte string of up to 65535 bytes. */
const byteString = (bytes: Uint8Array) =>
  Buffer.concat([
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ]);
const textString = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** A passkey in software (ES256). It answers like a browser at `origin`. */
export function softwarePasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;

  function authData(flags: number): Buffer {
    const count = Buffer.alloc(4);
    counter += 1;
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), count]);
  }
  const client = (type: string, challenge: string, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));

  return {
    id: text(id),
    register(challenge: string) {
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        byteString(Buffer.from(x, "base64url")),
        Buffer.from([0x22]),
        byteString(Buffer.from(y, "base64url")),
      ]);
      const data = Buffer.concat([
        authData(USER_PRESENT | USER_VERIFIED | WITH_KEY),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        textString("fmt"),
        textString("none"),
        textString("attStmt"),
        Buffer.from([0xa0]),
        textString("authData"),
        byteString(data),
      ]);
      return {
        id: text(id),
        rawId: text(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(client("webauthn.create", challenge, origin)),
          attestationObject: text(attestation),
          transports: ["internal"],
        },
      };
    },
    /** `verified`: whether the device checked a finger, face or PIN. */
    use(challenge: string, { at = origin, verified = true }: { at?: string; verified?: boolean } = {}) {
      const data = authData(USER_PRESENT | (verified ? USER_VERIFIED : 0));
      const clientData = client("webauthn.get", challenge, at);
      const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey);
      return {
        id: text(id),
        rawId: text(id),
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON: text(clientData), authenticatorData: text(data), signature: text(signature) },
      };
    },
  };
}
