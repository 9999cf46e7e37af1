import { createHash, createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { type Crypto, writeBase64Url } from './crypto.ts';
import type { Draft, Receipt } from './receipt.ts';
import { writeSigned, writeWhole } from './signed-text.ts';

export const NODE_CRYPTO: Crypto = {
  beginHash() {
    const hashing = createHash('sha256');
    return {
      update: (data) => void hashing.update(data),
      end: () => hashing.digest('binary'),
    };
  },
  isSigned(key, data, signature) {
    if (key.length !== KEY_BYTES) return false;
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: writeBase64Url(key) };
    return verify(null, data, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  },
};

const KEY_BYTES = 32;

/** The bytes before the 32 bytes of a private key in its standard form, PKCS #8. */
const BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

const readSeed = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' });

/** Returns the public key that belongs to the 32 random bytes of a private key. */
export const findPublicKey = (seed: Uint8Array): string =>
  String(createPublicKey(readSeed(seed)).export({ format: 'jwk' }).x);

const signText = (seed: Uint8Array, text: string): string =>
  sign(null, Buffer.from(text), readSeed(seed)).toString('base64url');

/** Signs a receipt. The first receipt after a change of the key is signed by the former key too. */
export function signReceipt(draft: Draft, seed: Uint8Array, formerSeed: Uint8Array | null): Receipt {
  const text = writeSigned(draft);
  return {
    ...draft,
    signature: signText(seed, text),
    former_signature: formerSeed === null ? null : signText(formerSeed, text),
  };
}

export const hashReceipt = (receipt: Receipt): string => hash('sha256', writeWhole(receipt), 'hex');
