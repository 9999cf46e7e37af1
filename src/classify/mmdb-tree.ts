// Finds IPv4 addresses in an mmdb file, which has the country or the city of each IP address.
//
// The file contains a binary tree. Each node has two records, one for the bit 0 and one for the bit 1. A record is the
// number of the next node, or a larger number that leads to a country or city.
//
// Example: the first bit of 203.0.113.7 is 1, so the search reads the second record of its first node. country.ts finds
// the country of a visitor with `makeRecordFinder`.

import type { Reader } from 'mmdb-lib';

/** The number of bits of a record in the files of DB-IP. A node of the tree has two records, so it takes six bytes. */
const RECORD_BITS = 24;

/**
 * In a file with IPv6 addresses, an IPv4 address stands as 96 zero bits and its own 32 bits. So the search for an IPv4
 * address starts at the node that 96 zero bits lead to.
 */
const ZERO_BITS = 96;

/**
 * Makes a function that finds the record of an IPv4 address, which is given as a 32-bit number. IP addresses with equal
 * records have equal data. Returns undefined if the records of the file do not have 24 bits.
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
