/** A SHA-256 whose input is passed in parts. A text counts as UTF-8. */
export type Hashing = {
  update(data: string | Uint8Array): void;
  /**
   * Returns the 32 bytes of the hash as a text with one character for each byte. Such texts need little memory, and
   * sort like the bytes.
   */
  end(): string | Promise<string>;
};

/** The functions with which receipts are made and checked. Node and browsers have different functions for this. */
export type Crypto = {
  beginHash(): Hashing;
  /** Checks an Ed25519 signature of `data` with the public key `key`. If a length is wrong, returns false. */
  isSigned(key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
};

export async function hashAll({ beginHash }: Pick<Crypto, 'beginHash'>, data: string | Uint8Array): Promise<string> {
  const hashing = beginHash();
  hashing.update(data);
  return await hashing.end();
}

/** Writes a hash, which is a text with one character for each byte, as hexadecimal digits. */
export const writeHex = (bytes: string): string =>
  Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/**
 * Reads base64url. Returns undefined for any other text. If bytes can be written in two ways, only the standard way is
 * accepted.
 */
export function readBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return writeBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

export const writeBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
