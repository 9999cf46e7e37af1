import type { Clock } from '../lib/time.ts';

/** How many seconds' worth of hits a network may send at once. */
const BURST = 3;
const MOST_NETWORKS = 50_000;

/**
 * Limits each network to `rate` hits a second on average; 0 is no limit. Only numbers of networks are kept, no IP
 * address (test/collect/memory.program.test.ts).
 */
export function limitFlood(rate: number, clock: Clock, findNetwork: (address: string) => number) {
  const buckets = new Map<number, { level: number; at: number }>();

  /** Computes the level of a network in thousandths of a hit, so that milliseconds times the rate need no rounding. */
  const levelAt = (now: number, { level, at }: { level: number; at: number }): number =>
    Math.max(0, level - (now - at) * rate);

  return {
    /** Counts a hit of the network of an IP address. Gives false for a hit over the limit. */
    take(address: string): boolean {
      if (rate === 0) return true;
      const now = clock.tick();
      const network = findNetwork(address);
      const bucket = buckets.get(network);
      const level = bucket ? levelAt(now, bucket) : 0;
      if (level + 1_000 > rate * BURST * 1_000) return false;
      // The network moves to the end of the map, so that the first is the one that was inactive longest.
      buckets.delete(network);
      buckets.set(network, { level: level + 1_000, at: now });
      if (buckets.size > MOST_NETWORKS) for (const oldest of buckets.keys()) return buckets.delete(oldest);
      return true;
    },
    /**
     * Forgets networks that may send a whole burst again. Gives the number of the others. To be called every minute.
     */
    forget(): number {
      const now = clock.tick();
      for (const [network, bucket] of buckets) if (levelAt(now, bucket) === 0) buckets.delete(network);
      return buckets.size;
    },
  };
}
