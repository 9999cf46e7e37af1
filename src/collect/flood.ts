import type { Clock } from '../lib/time.ts';

/** A network may send the hits of this many seconds together. */
const BURST = 3;
const MOST_NETWORKS = 50_000;

/**
 * Limits each network to `rate` hits per second on average; 0 means no limit. The memory has only numbers of networks,
 * and no IP address (test/collect/memory.program.test.ts).
 */
export function limitFlood(rate: number, clock: Clock, findNetwork: (address: string) => number) {
  const buckets = new Map<number, { level: number; at: number }>();

  /**
   * Computes how many hits of a network still count against the limit, in thousandths of a hit. Each millisecond lowers
   * this level by `rate`, so no rounding is needed.
   */
  const levelAt = (now: number, { level, at }: { level: number; at: number }): number =>
    Math.max(0, level - (now - at) * rate);

  return {
    /** Counts a hit of the network to which an IP address belongs. False if the hit is above the limit. */
    take(address: string): boolean {
      if (rate === 0) return true;
      const now = clock.tick();
      const network = findNetwork(address);
      const bucket = buckets.get(network);
      const level = bucket ? levelAt(now, bucket) : 0;
      if (level + 1_000 > rate * BURST * 1_000) return false;
      // The network moves to the end of the Map. So the first entry is always the network that was inactive longest.
      buckets.delete(network);
      buckets.set(network, { level: level + 1_000, at: now });
      if (buckets.size > MOST_NETWORKS) for (const oldest of buckets.keys()) return buckets.delete(oldest);
      return true;
    },
    /** Forgets networks whose level is 0 again, and returns how many networks are left. Call this every minute. */
    forget(): number {
      const now = clock.tick();
      for (const [network, bucket] of buckets) if (levelAt(now, bucket) === 0) buckets.delete(network);
      return buckets.size;
    },
  };
}
