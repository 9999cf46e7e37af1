/** A value of a record in a MaxMind DB file. */
export type MmdbValue = string | number | readonly MmdbValue[] | { readonly [key: string]: MmdbValue };

/** Two addresses, one in each half of a file that `makeMmdb` writes. */
export const LOW = '10.0.0.1';
export const HIGH = '200.0.0.1';

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return bytes.length < 29
      ? Buffer.from([0x40 | bytes.length, ...bytes])
      : Buffer.from([0x5d, bytes.length - 29, ...bytes]);
  }
  if (typeof value === 'number') return Buffer.from([0xa2, value >> 8, value & 255]);
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 0x04]), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    Buffer.from([0xe0 | entries.length]),
    ...entries.flatMap(([key, one]) => [encode(key), encode(one)]),
  ]);
}

/**
 * Writes a MaxMind DB file that knows the IP addresses below 128.0.0.0 as one record, and all others as another. Texts
 * have at most 284 bytes, and objects fewer than 29 members.
 */
export function makeMmdb(low: MmdbValue, high: MmdbValue): Buffer {
  const [first, second] = [encode(low), encode(high)];
  // One node of two records, each of which points into the data that follow.
  const record = (at: number): number[] => [0, (17 + at) >> 8, (17 + at) & 255];
  const about = { node_count: 1, record_size: 24, ip_version: 4, binary_format_major_version: 2 };
  const metadata = { ...about, binary_format_minor_version: 0, build_epoch: 0, database_type: 'Test', description: {} };
  return Buffer.concat([
    Buffer.from([...record(0), ...record(first.length)]),
    Buffer.alloc(16),
    first,
    second,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode(metadata),
  ]);
}
