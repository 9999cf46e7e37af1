// Some URLs are chosen by people who do not run the server, such as the URL of a notification channel. This file says
// to which IP addresses the server's requests to these URLs may go. The server stands inside a network whose machines
// trust it. So a request to such a URL must not reach these machines.
//
// Invariant: each IP address has exactly one reach: public, private or never. All spellings of an IP address have the
// same reach: ::ffff:10.0.0.1 is private like 10.0.0.1. An IP address that is in no list of this file is public only if
// the public internet routes it.
//
// Example: 93.184.216.34 is public, and 192.168.1.20 is private. 169.254.169.254, which gives out the secrets of a
// machine in a cloud, is never reached. src/destinations/settings.ts calls `findReach` before the server connects to an
// IP address.

import { isIP } from 'node:net';
import { once } from '../once.ts';
import { readAddressList, unmapAddress } from './address.ts';

export type Reach = 'public' | 'private' | 'never';

/** IP addresses of this machine, of private networks, and of networks behind carrier-grade NAT. */
const PRIVATE = '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 127.0.0.0/8, 100.64.0.0/10, ::1, fc00::/7';

/**
 * IP addresses that no receiver has, not even a private one. These are link-local and multicast IP addresses, and IP
 * addresses for this host and for examples. Some belong to services of clouds that give out secrets of a machine.
 */
const NEVER_V4 = [
  '0.0.0.0/8, 169.254.0.0/16, 192.0.0.0/24, 192.0.2.0/24, 192.88.99.0/24, 198.18.0.0/15, 198.51.100.0/24',
  '203.0.113.0/24, 224.0.0.0/3, 168.63.129.16, 100.100.100.200',
].join(', ');

/** Parts of 2000::/3 that lead to an IPv4 address, or nowhere. The rest of 2000::/3 has all public IPv6 addresses. */
const NEVER_V6 = '2001::/23, 2001:db8::/32, 2002::/16, 3fff::/20';

/** IPv6 addresses of private networks at which Amazon, Google and Oracle give out secrets of a machine. */
const SECRETS_V6 = 'fd00:ec2::/32, fd20:ce::/32, fd00:c1::/32';

const lists = once(() => ({
  isNever: readAddressList(`${NEVER_V4}, ${NEVER_V6}, ${SECRETS_V6}`),
  isPrivate: readAddressList(PRIVATE),
  isGlobalV6: readAddressList('2000::/3'),
}));

export function findReach(address: string): Reach {
  const plain = unmapAddress(address);
  const { isNever, isPrivate, isGlobalV6 } = lists();
  if (isIP(plain) === 0 || isNever(plain)) return 'never';
  if (isPrivate(plain)) return 'private';
  return isIP(plain) === 4 || isGlobalV6(plain) ? 'public' : 'never';
}
