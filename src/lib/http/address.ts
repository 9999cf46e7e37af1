// IP addresses: finding the IP address of a client behind proxies, reading lists of CIDR blocks, and the key of a
// network. Rate limits count the requests of a network under its key.
//
// Invariant: all spellings of an IP address are treated alike: ::ffff:192.0.2.1 is 192.0.2.1. The key of an IPv6
// address is its /64, because one household has all IP addresses of a /64.
//
// Example: 2001:db8:1:2::7 and 2001:DB8:1:2:ffff::1 have one key. Each hit calls these functions. So they read an IP
// address character by character, which is fast (test/lib/http/address*.test.ts). collect/client.ts finds the IP
// address of a client. src/auth, src/forms and src/collect make keys.

import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { once } from '../once.ts';
import type { Random } from '../secrets.ts';

/** Returns true if an IP address is on a list, such as the list of trusted proxies. */
export type AddressList = (address: string) => boolean;

const [COLON, PERCENT, DOT, ZERO] = [58, 37, 46, 48];

/** Writes the IPv4 address at the end of a text such as `::ffff:192.0.2.1` as two groups of IPv6: `::ffff:c000:201`. */
const writeGroups = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );

/**
 * Tells whether an IP address is IPv6. The search for a colon is fast and comes first. So most IP addresses need no
 * check by Node.
 */
const isIPv6 = (address: string): boolean => address.includes(':') && isIP(address) === 6;

/**
 * Turns an IPv4-mapped IPv6 address into IPv4: ::ffff:192.0.2.1 becomes 192.0.2.1. Other IP addresses stay unchanged.
 */
export function unmapAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = readGroups(address);
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,65535') return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** Reads the groups of an IPv6 address character by character. Splitting the text would take ten times as long. */
function readGroups(address: string): number[] {
  const text = address.includes('.') ? writeGroups(address) : address;
  const groups: number[] = [];
  let [group, digits, gap] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === PERCENT) break;
    if (character !== COLON) {
      // The lowest four bits of the letters a and A are 1, but the digit a means 10. So 9 is added for letters.
      group = group * 16 + (character & 15) + (character > COLON ? 9 : 0);
      digits++;
      continue;
    }
    if (digits === 0) gap = groups.length;
    else groups.push(group);
    [group, digits] = [0, 0];
  }
  if (digits > 0) groups.push(group);
  while (groups.length < 8) groups.splice(gap, 0, 0);
  return groups;
}

/**
 * Reads an IPv4 address as a 32-bit number. Returns undefined for other texts, also for numbers with a leading zero.
 * Splitting the text would take ten times as long.
 */
export function readIPv4(text: string): number | undefined {
  let [word, byte, digits, dots] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === DOT && digits > 0) {
      word = (word << 8) | byte;
      [byte, digits] = [0, 0];
      dots++;
      continue;
    }
    const digit = character - ZERO;
    if (digit < 0 || digit > 9 || (digits > 0 && byte === 0)) return undefined;
    byte = byte * 10 + digit;
    digits++;
    if (byte > 255) return undefined;
  }
  return dots === 3 && digits > 0 ? (word << 8) | byte : undefined;
}

/** Tells whether a text is an IP address. The check for IPv4 comes first, because it is faster. */
const isAddress = (text: string): boolean => readIPv4(text) !== undefined || isIP(text) !== 0;

/** Reads an IP address as four 32-bit numbers. An IPv4 address is read like its IPv4-mapped IPv6 address. */
function readWords(address: string): number[] | undefined {
  const word = readIPv4(address);
  if (word !== undefined) return [0, 0, 0xffff, word];
  if (isIP(address) === 0) return undefined;
  const groups = readGroups(address);
  return [0, 2, 4, 6].map((at) => ((groups[at] ?? 0) << 16) | (groups[at + 1] ?? 0));
}

/** A CIDR block. An IP address is in the block if it equals `words` in each bit that is 1 in `mask`. */
type CidrBlock = { words: number[]; mask: number[] };

function readBlock(entry: string): CidrBlock {
  const [address = '', prefix, ...more] = entry.split('/');
  const words = readWords(address);
  const most = address.includes(':') ? 128 : 32;
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!words || more.length > 0 || !(bits <= most)) throw new Error(`${entry} is not an IP address or CIDR block`);
  const first = 128 - most + bits;
  const mask = words.map((_, at) => {
    const open = Math.min(Math.max(32 * (at + 1) - first, 0), 32);
    return open === 32 ? 0 : -1 << open;
  });
  return { words, mask };
}

const holds = ({ words, mask }: CidrBlock, address: number[]): boolean =>
  words.every((word, at) => ((word ^ (address[at] ?? 0)) & (mask[at] ?? 0)) === 0);

/**
 * Reads a list such as `127.0.0.1, 10.0.0.0/8, fd00::/8`. Throws an error that names a wrong entry. The returned
 * function does not keep an IP address in memory, because it may belong to a visitor
 * (test/collect/memory.program.test.ts).
 */
export function readAddressList(list: string): AddressList {
  const entries = list.split(',').map((entry) => entry.trim());
  const blocks = entries.filter((entry) => entry !== '').map(readBlock);
  if (blocks.length === 0) return () => false;
  return (address) => {
    const words = readWords(address);
    return words !== undefined && blocks.some((block) => holds(block, words));
  };
}

/**
 * The list of networks that the public internet cannot reach. The list is made at its first use, because reading the
 * first IPv6 address takes 5 ms: Node builds a regular expression for it. Otherwise, each start would take 5 ms longer.
 */
const privateBlocks = once(() =>
  readAddressList(
    '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 127.0.0.0/8, 169.254.0.0/16, 100.64.0.0/10, ::1, fc00::/7, fe80::/10',
  ),
);

/**
 * True if the public internet cannot reach an IP address: private, loopback, link-local, or behind carrier-grade NAT.
 */
export const isPrivate: AddressList = (address) => privateBlocks()(address);

/** True if a URL can be reached only from this machine or its private network. */
export const isLocal = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isPrivate(hostname.replace(/^\[|\]$/g, ''));

/** Removes the port that some proxies write after the IP address: `1.2.3.4:567`, `[::1]:567`. */
const removePort = (entry: string): string =>
  !/[:[]/.test(entry)
    ? entry
    : entry.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/**
 * Finds the IP address of the client. If the connection comes from no trusted proxy, the result is the IP address of
 * the connection. Otherwise, X-Forwarded-For is read from its last entry to its first. The search ends at the first IP
 * address that is no trusted proxy, or at a text that is no IP address. The IP address that was read last is the
 * result. Earlier entries are not read, because a client can write anything there.
 */
export function findClientAddress(socketAddress: string, forwarded: string | undefined, trust: AddressList): string {
  let address = unmapAddress(socketAddress);
  const hops = forwarded?.split(',') ?? [];
  while (hops.length > 0 && trust(address)) {
    const hop = unmapAddress(removePort(hops.pop()?.trim() ?? ''));
    if (!isAddress(hop)) break;
    address = hop;
  }
  return address;
}

/**
 * Makes the key under which rate limits count a client. The key is an IPv4 address, or the first 64 bits of an IPv6
 * address. One household has all IP addresses with these 64 bits.
 */
export const makeAddressKey = (address: string): string =>
  isIPv6(address)
    ? readGroups(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
    : address;

/**
 * Makes a function that turns the network of an IP address into a number. So no IP address has to be stored. Each
 * process makes other numbers, so a number does not reveal its network. A hash function of Node would take twenty times
 * as long.
 */
export function makeNetworkNumbers(random: Random): (address: string) => number {
  const seeds = random(8);
  const [first, second] = [seeds.readInt32LE(0), seeds.readInt32LE(4)];
  return (address) => {
    const key = makeAddressKey(address);
    let [upper, lower] = [first, second];
    for (let at = 0; at < key.length; at++) {
      const character = key.charCodeAt(at);
      upper = Math.imul(upper ^ character, 0x9e3779b1);
      upper ^= upper >>> 15;
      lower = Math.imul(lower ^ character, 0x85ebca6b);
      lower ^= lower >>> 13;
    }
    return (upper >>> 0) * 2 ** 21 + (lower >>> 11);
  };
}

/**
 * Hashes an IPv4 address, or the first 64 bits of an IPv6 address. In many households, the other 64 bits change each
 * day.
 */
export const hashAddress = (key: string, address: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(makeAddressKey(address)).digest('base64url');
