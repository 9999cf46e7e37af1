// Fingerprints of 32 secret bytes, such as a salt. With fingerprints, reading a file once finds any of many secrets.
//
// A fingerprint has 64 bits: the values of two polynomials modulo 2^32, whose bases are random. A window of 32 bytes
// moves over the file, byte by byte. The next fingerprint follows from the last one, the byte that enters the window,
// and the byte that leaves it. So the search costs as much for one secret as for thousands.
//
// Invariant: a secret is found wherever it begins (test/lib/fingerprint.test.ts). A fingerprint does not give the
// secret back: each fingerprint has 2^192 possible secrets. A window matches a fingerprint by chance once in 2^64.
//
// Example: a window has zeros and then the bytes 1 and 2. With the bases 3 and 5, its fingerprint is [5, 7].
// jobs/search-salts.ts searches files.

import type { Random } from './secrets.ts';

/** The bases of the two polynomials. They exist only in the memory of a process. */
export type FingerprintKey = readonly [number, number];
export type Fingerprint = readonly [number, number];

/** The number of bytes of a window. */
export const WINDOW = 32;

/**
 * Makes two random bases whose last three bits are 101. With these bits, the powers of a base repeat as late as
 * possible.
 */
export const makeFingerprintKey = (random: Random): FingerprintKey => {
  const bytes = random(8);
  return [(bytes.readInt32LE(0) & ~7) | 5, (bytes.readInt32LE(4) & ~7) | 5];
};

export const computeFingerprint = (key: FingerprintKey, secret: Uint8Array): Fingerprint => {
  const compute = (base: number) => secret.reduce((sum, byte) => (Math.imul(sum, base) + byte) | 0, 0);
  return [compute(key[0]), compute(key[1])];
};

/**
 * Makes a scanner for one file. `scan` takes the next part of the file. The bytes of this part begin at index `WINDOW`
 * of the buffer, after the last bytes of the part before. `scan` adds the indexes of the fingerprints that it finds to
 * `found`.
 */
export function makeScanner([a, b]: FingerprintKey, sought: readonly Fingerprint[], found: Set<number>) {
  const [leaveA, leaveB] = [listLeaving(a), listLeaving(b)];
  const indexes = Map.groupBy(sought.keys(), (index) => sought[index]?.[0]);
  /**
   * Marks the first 20 bits of each sought fingerprint. For most windows, these bits are not marked, so the window
   * needs no further check.
   */
  const marks = new Uint8Array(2 ** 20);
  for (const [x] of sought) marks[x >>> 12] = 1;
  const note = (x: number, y: number): void => {
    for (const index of indexes.get(x) ?? []) if (sought[index]?.[1] === y) found.add(index);
  };
  let x = 0;
  let y = 0;
  return {
    scan(buffer: Uint8Array, bytes: number): void {
      let nextX = x;
      let nextY = y;
      for (let i = WINDOW; i < WINDOW + bytes; i++) {
        const entering = buffer[i] as number;
        const leaving = buffer[i - WINDOW] as number;
        nextX = (Math.imul(nextX, a) + entering - (leaveA[leaving] as number)) | 0;
        nextY = (Math.imul(nextY, b) + entering - (leaveB[leaving] as number)) | 0;
        if (marks[nextX >>> 12] === 1) note(nextX, nextY);
      }
      x = nextX;
      y = nextY;
      buffer.copyWithin(0, bytes, bytes + WINDOW);
    },
  };
}

/** Lists for each byte what must be subtracted from a polynomial when the byte leaves the window. */
function listLeaving(base: number): Int32Array {
  let power = 1;
  for (let i = 0; i < WINDOW; i++) power = Math.imul(power, base);
  return Int32Array.from({ length: 256 }, (_, byte) => Math.imul(byte, power));
}
