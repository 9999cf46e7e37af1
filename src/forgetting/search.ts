// Searches files for traces of a visitor: IP address, user agent, salt and visitor code.
//
// Invariant: a trace is found wherever it begins in a file, and in each form that daybook or SQLite writes. Only forms
// of at most four bytes are left out, because they would be found by chance.
//
// Example: SQLite stores a visitor code as an integer of 6 or 8 bytes. A list of numbers in memory has it as a
// floating-point number of 8 bytes. A heap snapshot has its digits as text. prove.ts calls `searchPlace` for each
// place. test/forgetting/search.test.ts puts each form into each place.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TRACES = ['address', 'agent', 'salt', 'code'] as const;
export type Trace = (typeof TRACES)[number];

/** The traces of a made-up visitor. When the day is over, nobody may find them any more. */
export type Visitor = { address: string; agent: string; salt: Buffer; code: number };

/** One form of a trace, as the bytes to search for. */
export type Needle = { trace: Trace; bytes: Buffer };

/** The traces that were found in one place, such as the write-ahead log. `bytes` is how much was searched. */
export type Searched<Place extends string = string> = { place: Place; bytes: number; found: Trace[] };

/** Searches the files of one place. The files are read part by part, so that large files need little memory. */
export function searchPlace<Place extends string>(
  place: Place,
  paths: readonly string[],
  needles: readonly Needle[],
): Searched<Place> {
  const found = new Set<Trace>();
  let bytes = 0;
  for (const path of paths) bytes += searchFile(path, needles, found);
  return { place, bytes, found: TRACES.filter((trace) => found.has(trace)) };
}

const PIECE = 4 * 1024 * 1024;

function searchFile(path: string, needles: readonly Needle[], found: Set<Trace>): number {
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) - 1;
  const file = openSync(path, 'r');
  try {
    const most = Math.min(PIECE, Math.max(fstatSync(file).size, 1));
    const buffer = Buffer.alloc(overlap + most);
    let [total, kept] = [0, 0];
    for (;;) {
      const size = readSync(file, buffer, kept, most, null);
      if (size === 0) return total;
      total += size;
      const piece = buffer.subarray(0, kept + size);
      for (const { trace, bytes } of needles) if (!found.has(trace) && piece.includes(bytes)) found.add(trace);
      // A trace may begin in this part of the file and end in the next part. So the end of this part is searched again,
      // together with the next part.
      kept = Math.min(overlap, piece.length);
      buffer.copyWithin(0, piece.length - kept, piece.length);
    }
  } finally {
    closeSync(file);
  }
}

/** Lists the forms in which the traces of a visitor could be written. */
export const listNeedles = ({ address, agent, salt, code }: Visitor): Needle[] => [
  ...listAddressForms(address).map(named('address')),
  ...[Buffer.from(agent), Buffer.from(agent, 'utf16le')].map(named('agent')),
  ...listSaltForms(salt).map(named('salt')),
  ...listCodeForms(code).map(named('code')),
];

const named =
  (trace: Trace) =>
  (bytes: Buffer): Needle => ({ trace, bytes });

/**
 * Lists the forms of an IP address. The form of four bytes is left out, because it would be found by chance in a large
 * file.
 */
function listAddressForms(address: string): Buffer[] {
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [
    ...[Buffer.from(address), Buffer.from(address, 'utf16le'), Buffer.from(String(number))],
    ...[number, number | 0].map(writeDouble),
  ];
}

/** Writes a number in eight bytes, as a list of numbers in memory does. */
function writeDouble(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return bytes;
}

/**
 * Lists the forms of a salt, which is the key of a hash (HMAC). The HMAC combines its key with two fixed bytes. Each of
 * the two results would reveal the key.
 */
const listSaltForms = (salt: Buffer): Buffer[] => [
  ...[0, 0x36, 0x5c].map((pad) => Buffer.from(salt.map((byte) => byte ^ pad))),
  ...(['hex', 'base64', 'base64url'] as const).map((encoding) => Buffer.from(salt.toString(encoding))),
];

/**
 * Lists the forms of a visitor code. SQLite stores a code below 2^31 in fewer bytes, which would be found by chance in
 * a large file. So this form is left out. One in four million codes is so small. Then the search does not find the code
 * before midnight, and the proof says so.
 */
function listCodeForms(code: number): Buffer[] {
  const [whole, short] = [Buffer.alloc(8), Buffer.alloc(6)];
  whole.writeBigUInt64BE(BigInt(code));
  if (code < 2 ** 47) short.writeUIntBE(code, 0, 6);
  return [
    ...[whole, Buffer.from(whole).reverse(), writeDouble(code), Buffer.from(String(code))],
    ...(code < 2 ** 47 ? [short] : []),
  ];
}
