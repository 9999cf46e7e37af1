// SHA-256, SHA-512 and the check of Ed25519 signatures, for browsers that lack these functions.
//
// Invariant: only public data goes through this file, because it signs nothing and has no secret key. So its speed may
// depend on the data. Its results equal the results of Node's own functions (test/receipts/own-crypto.test.ts).
//
// Example: Safari before version 17 has no Ed25519. Without https, a page has no `crypto.subtle`, except on localhost.
// In these cases, verify.html uses this file, and checks about 100 signatures in a second.
//
// The check of signatures follows RFC 8032, section 5.1.7. The hashes follow FIPS 180-4.

import type { Hashing } from './crypto.ts';

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const mod = (value: bigint, by = P): bigint => ((value % by) + by) % by;

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, mod(base)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n);

/** A point of the curve of Ed25519, in extended coordinates: x = X/Z, y = Y/Z and x·y = T/Z. */
type Point = readonly [X: bigint, Y: bigint, Z: bigint, T: bigint];

const ZERO: Point = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function multiply(scalar: bigint, point: Point): Point {
  let [sum, double] = [ZERO, point];
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, double);
    double = add(double, double);
  }
  return sum;
}

const readNumber = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/**
 * Reads a point from its 32 bytes. The bytes have y, and the highest bit tells whether x is odd. Returns undefined if
 * there is no such point.
 */
function readPoint(bytes: Uint8Array): Point | undefined {
  const all = readNumber(bytes);
  const [y, odd] = [all & (2n ** 255n - 1n), all >> 255n];
  if (y >= P) return undefined;
  const [u, v] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  let x = mod(u * power(v, 3n) * power(u * power(v, 7n), (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || (x === 0n && odd === 1n)) return undefined;
  if ((x & 1n) !== odd) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

function writePoint([x, y, z]: Point): bigint {
  const inverse = power(z, P - 2n);
  return mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
}

const BASE = readPoint(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x58 : 0x66))) as Point;

export function isSignedOwn(key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  const point = readPoint(key);
  const s = readNumber(signature.subarray(32));
  if (!point || s >= L) return false;
  const text = new Uint8Array(64 + data.length);
  text.set(signature.subarray(0, 32));
  text.set(key, 32);
  text.set(data, 64);
  const hash = mod(readNumber(sha512(text)), L);
  const [x, y, z, t] = multiply(hash, point);
  return writePoint(add(multiply(s, BASE), [mod(-x), y, z, mod(-t)])) === readNumber(signature.subarray(0, 32));
}

/** Lists the first `count` primes. The constants of SHA-256 and SHA-512 come from the roots of primes. */
function listPrimes(count: number): bigint[] {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0n)) primes.push(n);
  return primes;
}

/**
 * Returns the first `bits` binary digits after the point of a root of a prime. With `root` 2 it is the square root,
 * with 3 the cube root.
 */
function takeFraction(prime: bigint, root: bigint, bits: bigint): bigint {
  const target = prime << (bits * root);
  let [low, high] = [0n, 1n << (bits + 5n)];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** root <= target) low = middle;
    else high = middle;
  }
  return low & ((1n << bits) - 1n);
}

const PRIMES = listPrimes(80);
const START_512 = PRIMES.slice(0, 8).map((prime) => takeFraction(prime, 2n, 64n));
const ROUNDS_512 = PRIMES.map((prime) => takeFraction(prime, 3n, 64n));
const START_256 = PRIMES.slice(0, 8).map((prime) => Number(takeFraction(prime, 2n, 32n)));
const ROUNDS_256 = Int32Array.from(PRIMES.slice(0, 64), (prime) => Number(takeFraction(prime, 3n, 32n)));

const WORD = 2n ** 64n - 1n;
const rotate = (word: bigint, by: bigint): bigint => ((word >> by) | (word << (64n - by))) & WORD;

function sha512(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((data.length + 17) / 128) * 128);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
  let state = START_512;
  for (let block = 0; block < padded.length; block += 128) {
    const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(block + 8 * i));
    const at = (i: number): bigint => w[i] as bigint;
    for (let i = 16; i < 80; i++) {
      const [x, y] = [at(i - 15), at(i - 2)];
      const s0 = rotate(x, 1n) ^ rotate(x, 8n) ^ (x >> 7n);
      const s1 = rotate(y, 19n) ^ rotate(y, 61n) ^ (y >> 6n);
      w.push((at(i - 16) + s0 + at(i - 7) + s1) & WORD);
    }
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    for (let i = 0; i < 80; i++) {
      const s1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n);
      const t1 = h + s1 + ((e & f) ^ (~e & g & WORD)) + (ROUNDS_512[i] as bigint) + at(i);
      const t2 = (rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & WORD, c, b, a, (t1 + t2) & WORD];
    }
    state = [a, b, c, d, e, f, g, h].map((word, i) => (word + (state[i] as bigint)) & WORD);
  }
  const result = new DataView(new ArrayBuffer(64));
  for (const [i, word] of state.entries()) result.setBigUint64(8 * i, word);
  return new Uint8Array(result.buffer);
}

/** Begins a SHA-256 whose input is passed in parts. At most one block of 64 bytes of the input is in memory. */
export function beginOwnHash(): Hashing {
  const state = Int32Array.from(START_256);
  const block = new Uint8Array(64);
  let [filled, length] = [0, 0];

  function take(bytes: Uint8Array): void {
    length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + 64 - filled);
      block.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < 64) return;
      mixBlock(state, block);
      filled = 0;
    }
  }

  return {
    update: (data) => take(typeof data === 'string' ? new TextEncoder().encode(data) : data),
    end() {
      const end = new DataView(new ArrayBuffer(filled < 56 ? 64 - filled : 128 - filled));
      end.setUint8(0, 0x80);
      end.setBigUint64(end.byteLength - 8, BigInt(length) * 8n);
      take(new Uint8Array(end.buffer));
      return Array.from(state, (word) =>
        String.fromCharCode(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255),
      ).join('');
    },
  };
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const words = new Int32Array(64);

function mixBlock(state: Int32Array, block: Uint8Array): void {
  const view = new DataView(block.buffer);
  const w = (i: number): number => words[i] as number;
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(4 * i);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w(i - 15), w(i - 2)];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = w(i - 16) + s0 + w(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS_256[i] as number) + w(i)) | 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word;
}
