import type { Clock } from '../lib/time.ts';

/** How many seconds' worth of hits a network may send at once. */
const BURST = 3;
const MOST_NETWORKS = 50_000;

/**
 * Limits each network to `rate` hits a second on average; 0 means no limit. Of an IP address only the number of its network is kept
 * (test/collect/memory.program.test.ts).
 */
export function flood(rate: number, clock: Clock, networkOf: (address: string) => number) {
  const buckets = new Map<number, { level: number; at: number }>();

  /** In thousandths of a hit, so that milliseconds times the rate need no rounding. */
  const levelAt = (now: number, { level, at }: { level: number; at: number }): number =>
    Math.max(0, level - (now - at) * rate);

  return {
    /** Counts one more hit of the network of an IP address, unless it is over the limit; then it returns false. */
    take(address: string): boolean {
      if (rate === 0) return true;
      const now = clock.tick();
      const network = networkOf(address);
      const bucket = buckets.get(network);
      const level = bucket ? levelAt(now, bucket) : 0;
      if (level + 1_000 > rate * BURST * 1_000) return false;
      // Moved to the end, so that the first is the network that was inactive longest.
      buckets.delete(network);
      buckets.set(network, { level: level + 1_000, at: now });
      if (buckets.size > MOST_NETWORKS) for (const oldest of buckets.keys()) return buckets.delete(oldest);
      return true;
    },
    /** Lets go of the networks that may send a whole burst again; says how many are left. To be called every minute. */
    forget(): number {
      const now = clock.tick();
      for (const [network, bucket] of buckets) if (levelAt(now, bucket) === 0) buckets.delete(network);
      return buckets.size;
    },
  };
}
