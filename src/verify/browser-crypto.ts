import type { Crypto, Hashing } from '../receipts/crypto.ts';
import { beginOwnHash, isSignedOwn } from '../receipts/own-crypto.ts';

/**
 * Chooses the functions that make hashes and check signatures (Ed25519). A function that the browser lacks is replaced
 * by a function of own-crypto.ts. Browsers offer these functions only to pages that they regard as secure, such as
 * pages with https. Some older browsers can make hashes, but do not know Ed25519.
 */
export async function chooseCrypto(subtle: SubtleCrypto | undefined): Promise<Crypto> {
  if (!subtle) return { beginHash: beginOwnHash, isSigned: isSignedOwn };
  const beginHash = () => beginBrowserHash(subtle);
  const hasEd25519 = await importKey(subtle, KNOWN_KEY).then(
    () => true,
    () => false,
  );
  if (!hasEd25519) return { beginHash, isSigned: isSignedOwn };
  return {
    beginHash,
    async isSigned(key, data, signature) {
      try {
        return await subtle.verify('Ed25519', await importKey(subtle, key), copy(signature), copy(data));
      } catch {
        return false;
      }
    },
  };
}

/** An Ed25519 key from RFC 8032. If the browser can import this key, it knows Ed25519. */
const KNOWN_KEY = Uint8Array.from(
  'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'.match(/../g) ?? [],
  (digits) => Number.parseInt(digits, 16),
);

const importKey = (subtle: SubtleCrypto, key: Uint8Array): Promise<CryptoKey> =>
  subtle.importKey('raw', copy(key), 'Ed25519', false, ['verify']);

/** Copies bytes, because the functions of the browser refuse bytes in memory that several threads share. */
const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

function beginBrowserHash(subtle: SubtleCrypto): Hashing {
  const pieces: Uint8Array[] = [];
  return {
    update: (data) => void pieces.push(typeof data === 'string' ? new TextEncoder().encode(data) : data),
    async end() {
      const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.length;
      }
      return String.fromCharCode(...new Uint8Array(await subtle.digest('SHA-256', bytes)));
    },
  };
}
