// Finds the IP addresses of the host of a destination.
//
// Invariant: a name server that does not respond never delays other work of the server, such as mails. Node's `lookup`
// has two threads, and all lookups of the process share them: of mail servers, ClickHouse servers and primaries. A
// lookup may take 40 s, and nothing can stop it. If only public IP addresses are allowed, these threads are not used.
// Then the end of a request also ends its lookup (test/destinations/resolve.test.ts). Otherwise, only one of the
// threads is used.
//
// Example: no name server responds for hooks.example.com. The message fails within 10 s, and a mail to smtp.example.org
// is sent meanwhile. request.ts calls the function that `chooseResolve` returns.

import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { limitAtOnce } from '../lib/at-once.ts';
import type { Allowed } from './settings.ts';

/** Finds the IP addresses of a host. Tests pass in a function of their own. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/**
 * Chooses how hosts are looked up. If only public IP addresses are allowed, daybook asks name servers. Otherwise, it
 * asks the operating system, because a private host may be only in /etc/hosts. Name servers do not know that host.
 */
export const chooseResolve = (allowed: Allowed): Resolve =>
  allowed === 'public' ? (host, signal) => askNameServers(host, signal) : askSystem;

/** With three name servers, all tries end within the 10 s of a request. */
const TRIES = { timeout: 1_500, maxTimeout: 1_500, tries: 2 };

/**
 * Looks up a host at name servers. Without `servers`, these are the name servers of the system. Each call reads the
 * list of these name servers again, because it may have changed.
 */
export async function askNameServers(
  host: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<LookupAddress[]> {
  const resolver = new Resolver(TRIES);
  if (servers) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const list = (family: 4 | 6, found: typeof four) =>
      found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family }));
    return [...list(4, four), ...list(6, six)];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Only one `lookup` for messages runs at a time. So one of the two threads is left for the rest of the program. */
const oneAtOnce = limitAtOnce(1, 1_000);

const askSystem: Resolve = (host, signal) =>
  oneAtOnce(async () => {
    signal.throwIfAborted();
    return await lookup(host, { all: true, verbatim: true });
  });
