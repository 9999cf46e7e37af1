import { coded } from '../lang/coded.ts';
import { isPrivate } from '../lib/http/address.ts';
import { writeCoded } from '../lib/http/fault.ts';
import { type Clock, HOUR } from '../lib/time.ts';
import type { Noted } from '../store/server/upkeep.ts';

/**
 * Notices a proxy that hides the IP addresses of visitors. Behind such a proxy, all visitors seem to come from one
 * network. A network is an IPv4 address, or the first 64 bits of an IPv6 address.
 *
 * No IP address stays in memory. `findNetwork` turns it into a number for its network, with a random seed. The numbers
 * of the last hour are kept. If `isLocal` is true, only people on this machine can reach the server. In this case, one
 * network is normal.
 */
export function countArrivals(clock: Clock, findNetwork: (address: string) => number, isLocal: boolean) {
  const networks = new Map<number, CountedArrival>();

  return {
    /**
     * Counts the network of an IP address. `isProxyIgnored` is true if a header X-Forwarded-For was ignored. Such a
     * header came from an IP address that is not a trusted proxy.
     */
    note(address: string, isProxyIgnored: boolean): void {
      const network = findNetwork(address);
      const known = networks.get(network);
      if (known) {
        known.at = clock.tick();
        known.isProxyIgnored = isProxyIgnored;
      } else if (networks.size < MOST_NETWORKS) {
        networks.set(network, { at: clock.tick(), isPrivate: isPrivate(address), isProxyIgnored });
      }
    },

    /**
     * Says whether a proxy seems to hide the IP addresses of visitors. Returns undefined if there was no visitor in
     * the last hour.
     */
    summary(): Omit<Noted, 'at'> | undefined {
      for (const [network, { at }] of networks) if (at < clock.tick() - KEPT_MS) networks.delete(network);
      const all = [...networks.values()];
      if (all.length === 0) return undefined;
      const [count, isMany] = [all.length, all.length === MOST_NETWORKS];
      const ignored = all.filter((one) => one.isProxyIgnored).length;
      if (ignored * 2 > all.length) {
        return { fine: false, words: writeCoded(coded(isMany ? 'proxy_ignored_of_many' : 'proxy_ignored', { count })) };
      }
      if (all.length === 1 && all[0]?.isPrivate) {
        return { fine: isLocal, words: writeCoded(coded('one_private')) };
      }
      return { fine: true, words: writeCoded(coded(isMany ? 'many_networks' : 'networks', { count })) };
    },
  };
}

const KEPT_MS = HOUR * 1000;
/** Limits the memory to 1,000 networks. With this many, the summary says "1000 or more". */
const MOST_NETWORKS = 1_000;

type CountedArrival = { at: number; isPrivate: boolean; isProxyIgnored: boolean };
