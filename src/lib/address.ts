import { BlockList, isIP } from 'node:net';
import { cached } from './cache.ts';
import { once } from './once.ts';

/** Whether an address is on a list, such as that of the trusted proxies, whose X-Forwarded-For is believed. */
export type AddressList = (address: string) => boolean;

/** The eight numbers of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  const text = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = [], tail = []] = text.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** The look for a colon spares nearly every address the patterns of node. */
const isIPv6 = (address: string): boolean => address.includes(':') && isIP(address) === 6;

/** An IPv4-mapped IPv6 address as IPv4; any other one as it is. */
export function unmapped(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,65535') return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** Reads a list such as `127.0.0.1, 10.0.0.0/8, fd00::/8`; throws with the entry that cannot be read. */
export function addressList(list: string): AddressList {
  const known = new BlockList();
  for (const entry of list.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [address = '', prefix, ...more] = entry.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? undefined : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (family === 0 || more.length > 0 || !((bits ?? 0) <= (family === 4 ? 32 : 128))) {
      throw new Error(`${entry} is no address or CIDR block`);
    }
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) known.addAddress(address, type);
    else known.addSubnet(address, bits, type);
  }
  if (known.rules.length === 0) return () => false;
  // Each hit of a proxy asks for the same one, and node's list makes an object to look it up.
  return cached((address) => known.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'), { size: 1_000, longest: 45 });
}

/** Made when it is asked for, because Node's pattern of IPv6 addresses takes 5 ms of each start. */
const privateBlocks = once(() =>
  addressList(
    '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 127.0.0.0/8, 169.254.0.0/16, 100.64.0.0/10, ::1, fc00::/7, fe80::/10',
  ),
);

/** Whether an address is private, loopback, link-local or behind carrier-grade NAT: nobody has it on the public internet. */
export const isPrivate: AddressList = (address) => privateBlocks()(address);

/** Whether a URL can be reached only from the same machine or network. */
export const isLocal = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isPrivate(hostname.replace(/^\[|\]$/g, ''));

/** Some proxies write an address with its port: `1.2.3.4:567`, `[::1]:567`. */
const withoutPort = (entry: string): string =>
  !/[:[]/.test(entry)
    ? entry
    : entry.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/**
 * The client's address: the socket's or, where that is a trusted proxy, the last hop in X-Forwarded-For that is not one. A hop
 * that cannot be read ends the search, so that nobody can hide behind a forged one.
 */
export function clientAddress(socketAddress: string, forwarded: string | undefined, trust: AddressList): string {
  let address = unmapped(socketAddress);
  const hops = forwarded?.split(',') ?? [];
  while (hops.length > 0 && trust(address)) {
    const hop = unmapped(withoutPort(hops.pop()?.trim() ?? ''));
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** What rate limits count by: an IPv4 address, or the /64 that one household or server has in IPv6. */
export const addressKey = (address: string): string =>
  isIPv6(address)
    ? groupsOf(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
    : address;
