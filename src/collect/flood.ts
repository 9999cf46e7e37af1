import type { Clock } from '../lib/time.ts';

/**
 * A network may send as many messages at once as its limit allows in this many seconds. For example, with a limit of 10
 * messages a second, 30 messages may arrive at once.
 */
const BURST = 3;
const MOST_NETWORKS = 50_000;

/**
 * Limits a network to `rate` messages a second on average: hits, heartbeats and web vitals. 0 means no limit. The
 * memory has no IP addresses, but a random number for each network (test/collect/memory.program.test.ts).
 */
export function limitFlood(rate: number, clock: Clock, findNetwork: (address: string) => number) {
  const buckets = new Map<number, { level: number; at: number }>();

  /**
   * Computes how many messages of a network still count against its limit, times 1,000. A message adds 1,000, and each
   * millisecond subtracts `rate`. All numbers are whole, so nothing is lost by rounding.
   */
  const levelAt = (now: number, { level, at }: { level: number; at: number }): number =>
    Math.max(0, level - (now - at) * rate);

  return {
    /** Counts a message of an IP address. Returns false if the message is above the limit of its network. */
    take(address: string): boolean {
      if (rate === 0) return true;
      const now = clock.tick();
      const network = findNetwork(address);
      const bucket = buckets.get(network);
      const level = bucket ? levelAt(now, bucket) : 0;
      if (level + 1_000 > rate * BURST * 1_000) return false;
      // Adding the network again moves it to the end of the Map. The first entry is therefore always the network
      // without messages for the longest time. That network is forgotten first.
      buckets.delete(network);
      buckets.set(network, { level: level + 1_000, at: now });
      if (buckets.size > MOST_NETWORKS) for (const oldest of buckets.keys()) return buckets.delete(oldest);
      return true;
    },
    /**
     * Removes the networks whose messages no longer count against the limit. Returns how many networks are left. Must
     * be called every minute, so that a network does not stay in memory for long.
     */
    forget(): number {
      const now = clock.tick();
      for (const [network, bucket] of buckets) if (levelAt(now, bucket) === 0) buckets.delete(network);
      return buckets.size;
    },
  };
}
