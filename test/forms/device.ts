import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const [PRESENT_AND_VERIFIED, WITH_KEY] = [0x05, 0x40];

const b64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();
/** Bytes in CBOR, of at least 24. */
export const cborBytes = (bytes: Uint8Array): Buffer => {
  const length = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from(length), bytes]);
};
export const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/** What a device says of itself, in CBOR. `client` is the hash of what the browser signs. */
export type Attestation = { format: string; statement(client: Buffer): Buffer };

const NONE: Attestation = { format: 'none', statement: () => Buffer.from([0xa0]) };

/** A device that makes one passkey for the server at `base`, and signs with it. */
export function device(base: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const key = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ]);
  const dataOf = (flags: number) => Buffer.concat([sha256(new URL(base).hostname), Buffer.from([flags, 0, 0, 0, 0])]);
  const clientData = (type: string, challenge: string) =>
    JSON.stringify({ type: `webauthn.${type}`, challenge: b64(challenge), origin: base });
  const common = { id: b64(id), rawId: b64(id), type: 'public-key', clientExtensionResults: {} };
  return {
    publicKey,
    make(challenge: string, { format, statement } = NONE): string {
      const client = clientData('create', challenge);
      const data = Buffer.concat([
        dataOf(PRESENT_AND_VERIFIED | WITH_KEY),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText(format), cborText('attStmt'), statement(sha256(client))],
        ...[cborText('authData'), cborBytes(data)],
      ]);
      const response = { clientDataJSON: b64(client), attestationObject: b64(attestation) };
      return JSON.stringify({ ...common, response });
    },
    sign(challenge: string): string {
      const [data, client] = [dataOf(PRESENT_AND_VERIFIED), clientData('get', challenge)];
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) };
      return JSON.stringify({ ...common, response });
    },
  };
}
