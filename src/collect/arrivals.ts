import { coded } from '../lang/coded.ts';
import { isPrivate } from '../lib/http/address.ts';
import { writeCoded } from '../lib/http/fault.ts';
import { type Clock, HOUR } from '../lib/time.ts';
import type { Noted } from '../store/server/upkeep.ts';

/**
 * Counts the networks of visitors in the last hour, and notices a proxy that hides IP addresses. The memory has only
 * numbers of networks, and no IP address (test/collect/memory.program.test.ts). `isLocal` means that only people on
 * this machine can reach the server.
 */
export function countArrivals(clock: Clock, findNetwork: (address: string) => number, isLocal: boolean) {
  const networks = new Map<number, CountedArrival>();

  return {
    /**
     * Counts the network of an IP address. `isProxyIgnored` means that the sender is no trusted proxy but sent
     * X-Forwarded-For.
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

    /** Says whether a proxy hides the IP addresses of visitors. Undefined if no visitor came in the last hour. */
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
/** Limits the memory. If there are this many networks, the summary says "1000 or more". */
const MOST_NETWORKS = 1_000;

type CountedArrival = { at: number; isPrivate: boolean; isProxyIgnored: boolean };
