import type { Reader } from 'mmdb-lib';

/** The number of bits of a record in the files of DB-IP. A node of the tree has two records, so it takes six bytes. */
const RECORD_BITS = 24;

/** In an IPv6 file, the IPv4 addresses are below the node that 96 zero bits lead to. */
const ZERO_BITS = 96;

/**
 * Makes a function that finds the record of an IPv4 address, which is given as a 32-bit number. IP addresses with equal
 * records have equal data. Returns undefined if the file has larger records.
 *
 * The function takes a quarter of the time of `Reader.get`, because it does not split the text of the IP address.
 */
export function makeRecordFinder(
  bytes: Buffer,
  { nodeCount, recordSize, ipVersion }: Reader<never>['metadata'],
): ((address: number) => number) | undefined {
  if (recordSize !== RECORD_BITS) return undefined;
  function readRecord(node: number, bit: number): number {
    const at = node * 6 + bit * 3;
    return ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  }
  let start = 0;
  for (let i = 0; ipVersion === 6 && i < ZERO_BITS && start < nodeCount; i++) start = readRecord(start, 0);
  return (address) => {
    let record = start;
    for (let bit = 31; bit >= 0 && record < nodeCount; bit--) record = readRecord(record, (address >>> bit) & 1);
    return record;
  };
}
