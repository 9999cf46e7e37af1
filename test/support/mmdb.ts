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
  return assemble([...record(0), ...record(first.length)], [first, second], 1);
}

function assemble(tree: readonly number[], data: readonly Buffer[], count: number): Buffer {
  const about = { node_count: count, record_size: 24, ip_version: 4, binary_format_major_version: 2 };
  const metadata = { ...about, binary_format_minor_version: 0, build_epoch: 0, database_type: 'Test', description: {} };
  return Buffer.concat([
    Buffer.from(tree),
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode(metadata),
  ]);
}

/** Writes a MaxMind DB file that knows some IPv4 addresses, and all others as one record. At most 100 of them. */
export function makeMmdbOf(records: Record<string, MmdbValue>, others: MmdbValue): Buffer {
  const addresses = Object.keys(records);
  const data = [encode(others), ...addresses.map((address) => encode(records[address] as MmdbValue))];
  const startOf = (index: number) => data.slice(0, index).reduce((sum, { length }) => sum + length, 0);
  // A side of a node is the number of the next node, or a record. At first, both sides are the record of the others.
  type Side = { node: number } | { record: number };
  const nodes: [Side, Side][] = [];
  const addNode = (): number => nodes.push([{ record: 0 }, { record: 0 }]) - 1;
  addNode();
  addresses.forEach((address, index) => {
    const bits = address.split('.').flatMap((byte) => [...Number(byte).toString(2).padStart(8, '0')].map(Number));
    let at = 0;
    bits.forEach((bit, depth) => {
      const node = nodes[at] as [Side, Side];
      const side = node[bit as 0 | 1];
      const next: Side = depth === 31 ? { record: index + 1 } : 'node' in side ? side : { node: addNode() };
      node[bit as 0 | 1] = next;
      if ('node' in next) at = next.node;
    });
  });
  const write = (side: Side): number[] => {
    const number = 'node' in side ? side.node : nodes.length + 16 + startOf(side.record);
    return [number >> 16, (number >> 8) & 255, number & 255];
  };
  return assemble(
    nodes.flatMap((node) => node.flatMap(write)),
    data,
    nodes.length,
  );
}
